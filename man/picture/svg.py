#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Draws what "tmux capture-pane -p -e -N" saw as an SVG picture.

    svg.py COLUMNS <CAPTURE >FILE.svg

Block elements are drawn as rectangles, so that a QR code in the picture scans;
everything else is text. Standard library only.
"""

import html
import re
import sys

CELL_WIDTH, CELL_HEIGHT = 8, 16
DARK, LIGHT = "#1e2127", "#d8dee9"
PALETTE = {16: "#000000", 231: "#ffffff", 0: "#000000", 7: "#d8dee9"}


class Pen:
    """The SGR state; it runs on from line to line, as in a terminal."""

    def __init__(self):
        self.front, self.back = LIGHT, DARK

    def apply(self, codes):
        codes = [int(code or 0) for code in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.front, self.back = LIGHT, DARK
            elif code in (38, 48) and codes[:1] == [5]:
                colour = PALETTE.get(codes[1], LIGHT)
                codes = codes[2:]
                if code == 38:
                    self.front = colour
                else:
                    self.back = colour
            elif code == 39:
                self.front = LIGHT
            elif code == 49:
                self.back = DARK


def cells(lines):
    """Every cell as (row, column, character, front, back)."""
    pen = Pen()
    for row, line in enumerate(lines):
        column = 0
        for escape, character in re.findall("\x1b\\[([0-9;]*)m|(.)", line):
            if character:
                yield row, column, character, pen.front, pen.back
                column += 1
            else:
                pen.apply(escape)


def rectangle(x, y, width, height, colour):
    print(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" '
          f'fill="{colour}"/>')


def draw(cell):
    row, column, character, front, back = cell
    x, y, half = column * CELL_WIDTH, row * CELL_HEIGHT, CELL_HEIGHT // 2
    if back != DARK:
        rectangle(x, y, CELL_WIDTH, CELL_HEIGHT, back)
    if character == "\u2580":
        rectangle(x, y, CELL_WIDTH, half, front)
    elif character == "\u2584":
        rectangle(x, y + half, CELL_WIDTH, half, front)
    elif character == "\u2588":
        rectangle(x, y, CELL_WIDTH, CELL_HEIGHT, front)
    elif character != " ":
        print(f'<text x="{x}" y="{y + 12}" fill="{front}">'
              f"{html.escape(character)}</text>")


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    width = int(sys.argv[1]) * CELL_WIDTH
    height = len(lines) * CELL_HEIGHT
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
          f'height="{height}" font-family="monospace" font-size="13" '
          'shape-rendering="crispEdges">')
    rectangle(0, 0, width, height, DARK)
    for cell in cells(lines):
        draw(cell)
    print("</svg>")


main()
