#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Turns what a terminal shows, and our SVG files, into pictures to decode.

    qr_picture.py uris COUNT SEED
        prints COUNT otpauth URIs for QR codes of versions 3 to 10
    qr_picture.py screen dark|light COLUMNS [plain] FILE...
        FILE.pgm: a terminal of that many columns and that theme, cells of
        8 by 16 pixels, half blocks filled exactly, any other glyph a small
        block in the middle; plain ignores all colours. A FILE may be what
        "tmux capture-pane -p -e -N" saw (without -N tmux cuts margins off)
    qr_picture.py svg FILE...
        FILE.pgm

Knows nothing of QR codes or of the code under test. Standard library only.
"""

import random
import re
import sys
import xml.etree.ElementTree

CELL_WIDTH, CELL_HEIGHT = 8, 16
BLACK, WHITE = 0, 255
GREY = {0: BLACK, 7: 229, 8: 127, 15: WHITE, 16: BLACK, 231: WHITE}


def write_pgm(path, rows):
    """rows: byte strings of one grey byte a pixel, all of one length."""
    with open(path, "wb") as out:
        out.write(b"P5\n%d %d\n255\n" % (len(rows[0]), len(rows)))
        out.write(b"".join(rows))


class Pen:
    """The SGR state. It runs on from line to line, as in a terminal."""

    def __init__(self, theme):
        self.default = (BLACK, WHITE) if theme == "dark" else (WHITE, BLACK)
        self.reset()

    def reset(self):
        self.ground, self.ink = self.default
        self.reverse = False

    def take(self, parameters):
        numbers = [int(p or 0) for p in parameters.split(";")]
        while numbers:
            n = numbers.pop(0)
            if n == 0:
                self.reset()
            elif n in (7, 27):
                self.reverse = n == 7
            elif n == 39:
                self.ink = self.default[1]
            elif n == 49:
                self.ground = self.default[0]
            elif n in (38, 48) and numbers[0] == 5:
                colour = GREY[numbers[1]]
                del numbers[:2]
                if n == 38:
                    self.ink = colour
                else:
                    self.ground = colour
            elif n in (30, 37):
                self.ink = GREY[n - 30]
            elif n == 97:
                self.ink = WHITE
            elif n in (40, 47):
                self.ground = GREY[n - 40]
            elif n == 107:
                self.ground = WHITE
            else:
                sys.exit("qr_picture.py: rendition %d" % n)

    def colours(self):
        if self.reverse:
            return self.ink, self.ground
        return self.ground, self.ink


def cell_bands(glyph, ground, ink):
    """Eight bands of two pixel rows each."""
    light = bytes([ground]) * CELL_WIDTH
    full = bytes([ink]) * CELL_WIDTH
    if glyph == " ":
        return [light] * 8
    if glyph == "\u2588":
        return [full] * 8
    if glyph == "\u2580":
        return [full] * 4 + [light] * 4
    if glyph == "\u2584":
        return [light] * 4 + [full] * 4
    blob = light[:2] + full[:4] + light[:2]
    return [light] * 3 + [blob] * 2 + [light] * 3


def screen_rows(text, theme, columns, plain):
    """The cells of each row, wrapped at columns."""
    pen = Pen(theme)
    rows = [[]]
    for token in re.findall("\033\\[[0-9;]*m|.|\n", text, re.S):
        if token[0] == "\033" and len(token) > 1:
            if not plain:
                pen.take(token[2:-1])
        elif token == "\n":
            rows.append([])
        else:
            if len(rows[-1]) == columns:
                rows.append([])
            rows[-1].append(cell_bands(token, *pen.colours()))
    return rows


def paint_screen(path, theme, columns, plain):
    with open(path, encoding="utf-8") as source:
        rows = screen_rows(source.read(), theme, columns, plain)
    width = max(len(row) for row in rows)
    empty = cell_bands(" ", *Pen(theme).colours())
    border = [empty] * (width + 8)
    picture = []
    for row in [[], []] + rows + [[]]:
        row = border[:4] + row + [empty] * (width - len(row)) + border[:4]
        for band in range(8):
            line = b"".join(cell[band] for cell in row)
            picture += [line, line]
    write_pgm(path + ".pgm", picture)


def paint_svg(path):
    """Rectangles, and paths of the commands M, h, v and z."""
    space = "{http://www.w3.org/2000/svg}"
    root = xml.etree.ElementTree.parse(path).getroot()
    side = int(root.get("width"))
    units = [int(n) for n in root.get("viewBox").split()]
    scale = side // units[2]
    if units[:2] != [0, 0] or side != int(root.get("height")):
        sys.exit("qr_picture.py: " + path + ": unusual box")
    # What nobody paints stays grey.
    grid = [bytearray([128]) * units[2] for _ in range(units[3])]

    def fill(x, y, width, height, colour):
        for row in grid[y : y + height]:
            row[x : x + width] = bytes([colour]) * width

    for shape in root:
        colour = {"#fff": WHITE, "#000": BLACK}[shape.get("fill")]
        if shape.tag == space + "rect":
            fill(0, 0, int(shape.get("width")), int(shape.get("height")), colour)
        elif shape.tag == space + "path":
            run = re.compile(r"M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)z\s*")
            rest = run.sub("", shape.get("d"))
            if rest:
                sys.exit("qr_picture.py: " + path + ": path " + rest)
            for m in run.finditer(shape.get("d")):
                x, y, width, height, back = map(int, m.groups())
                if back != width:
                    sys.exit("qr_picture.py: " + path + ": not a rectangle")
                fill(x, y, width, height, colour)
        else:
            sys.exit("qr_picture.py: " + path + ": " + shape.tag)
    rows = []
    for row in grid:
        rows += [b"".join(bytes([p]) * scale for p in row)] * scale
    write_pgm(path + ".pgm", rows)


def print_uris(count, seed):
    """Lengths spread evenly from 50 bytes (version 3) to 271 (version 10)."""
    rng = random.Random(seed)
    base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    name = "abcdefghijklmnopqrstuvwxyz0123456789-._~"
    escapes = ["%20", "%2B", "%26", "%23", "%2F", "%3F", "%C3%A9", "%40"]
    for i in range(count):
        length = 50 + i * 221 // max(count - 1, 1)
        secret_length = 16 if length < 75 else rng.choice((26, 32, 52))
        if length > 210:
            secret_length = 103
        secret = "".join(rng.choices(base32, k=secret_length))
        room = length - len("otpauth://totp/?secret=") - secret_length
        label = ""
        while len(label) < room:
            escaped = rng.random() < 0.1 and room - len(label) >= 6
            label += rng.choice(escapes) if escaped else rng.choice(name)
        print("otpauth://totp/%s?secret=%s" % (label, secret))


def main(arguments):
    command, rest = arguments[0], arguments[1:]
    if command == "uris":
        print_uris(int(rest[0]), int(rest[1]))
    elif command == "screen":
        theme, columns, files = rest[0], int(rest[1]), rest[2:]
        plain = files[:1] == ["plain"]
        for path in files[plain:]:
            paint_screen(path, theme, columns, plain)
    elif command == "svg":
        for path in rest:
            paint_svg(path)
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
