#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes record-v1.json: golden records, written from the tables of DESIGN.md.

It shares no code with the library: struct and hashlib, and an AES of its own.
Before it makes anything it holds its encryptor against FIPS 197 and against
the payloads of dataprotection.json.

  make_record.py            writes the file to standard output
  make_record.py --check    compares it with the one beside this script
"""
import hashlib
import hmac
import json
import os
import struct
import sys
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
AUTHENTICATORS, RECOVERY, SOURCES = 8, 16, 16
STATUS = {"active": 1, "disabled": 2, "pending": 3, "revoked": 4}
TYPE = {"totp": 1, "hotp": 2}
ALGORITHM = {"SHA1": 1, "SHA256": 2, "SHA512": 3}


# AES, encryption only: FIPS 197.

def _times(a, b):
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11b if a & 0x80 else 0)
        b >>= 1
    return product


def _sbox():
    box = []
    for byte in range(256):
        inverse = next((x for x in range(256) if _times(byte, x) == 1), 0)
        value = 0x63
        for turn in range(5):
            value ^= (inverse << turn | inverse >> (8 - turn)) & 0xff
        box.append(value)
    return box


SBOX = _sbox()
DOUBLE = [_times(byte, 2) for byte in range(256)]


def _round_keys(key):
    words = [list(key[i:i + 4]) for i in range(0, len(key), 4)]
    length, constant = len(words), 1
    for i in range(length, 4 * (length + 7)):
        word = list(words[-1])
        if i % length == 0:
            word = [SBOX[b] for b in word[1:] + word[:1]]
            word[0] ^= constant
            constant = DOUBLE[constant]
        elif length > 6 and i % length == 4:
            word = [SBOX[b] for b in word]
        words.append([a ^ b for a, b in zip(word, words[i - length])])
    return [sum(words[i:i + 4], []) for i in range(0, len(words), 4)]


def _mix(column):
    total = column[0] ^ column[1] ^ column[2] ^ column[3]
    return [column[i] ^ total ^ DOUBLE[column[i] ^ column[(i + 1) % 4]]
            for i in range(4)]


def aes_block(keys, block):
    state = [a ^ b for a, b in zip(block, keys[0])]
    for number, key in enumerate(keys[1:], 1):
        state = [SBOX[b] for b in state]
        state = [state[(i + 4 * (i % 4)) % 16] for i in range(16)]
        if number < len(keys) - 1:
            state = sum((_mix(state[i:i + 4]) for i in range(0, 16, 4)), [])
        state = [a ^ b for a, b in zip(state, key)]
    return bytes(state)


def aes_cbc(key, iv, plaintext):
    pad = 16 - len(plaintext) % 16
    plaintext += bytes([pad]) * pad
    keys, last, out = _round_keys(key), iv, b""
    for i in range(0, len(plaintext), 16):
        last = aes_block(keys, bytes(
            a ^ b for a, b in zip(plaintext[i:i + 16], last)))
        out += last
    return out


# The authenticated encryptor, AES_256_CBC+HMACSHA256.

def kdf(key, label, context, length):
    out, counter = b"", 0
    while len(out) < length:
        counter += 1
        out += hmac.new(key, struct.pack(">I", counter) + label + b"\0" +
                        context + struct.pack(">I", 8 * length),
                        hashlib.sha512).digest()
    return out[:length]


def sha256_mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def context_header():
    subkeys = kdf(b"", b"", b"", 64)
    return (b"\0\0" + struct.pack(">IIII", 32, 16, 32, 32) +
            aes_cbc(subkeys[:32], bytes(16), b"") + sha256_mac(subkeys[32:], b""))


def varint(number):
    out = b""
    while number > 0x7f:
        out += bytes([number & 0x7f | 0x80])
        number >>= 7
    return out + bytes([number])


def protect(key, key_id, purposes, modifier, iv, plaintext):
    header = bytes.fromhex("09f0c9f0") + uuid.UUID(key_id).bytes_le
    aad = header + struct.pack(">I", len(purposes))
    for purpose in purposes:
        aad += varint(len(purpose.encode())) + purpose.encode()
    subkeys = kdf(key, aad, context_header() + modifier, 64)
    sealed = iv + aes_cbc(subkeys[:32], iv, plaintext)
    return header + modifier + sealed + sha256_mac(subkeys[32:], sealed)


def check_encryptor():
    key, block = bytes(range(32)), bytes(0x11 * i for i in range(16))
    assert aes_block(_round_keys(key), block).hex() == \
        "8ea2b7ca516745bfeafc49904b496089"  # FIPS 197, appendix C.3
    with open(os.path.join(HERE, "dataprotection.json")) as vectors:
        cases = [c for c in json.load(vectors)["protector"]
                 if c["algorithm"] == "AES_256_CBC+HMACSHA256"]
    assert cases
    for case in cases:
        payload = protect(bytes.fromhex(case["kdk"]), case["key_id"],
                          case["purposes"],
                          bytes.fromhex(case["key_modifier"]),
                          bytes.fromhex(case["iv"]),
                          bytes.fromhex(case["plaintext"]))
        assert payload.hex() == case["payload"], case["id"]


# The two parts of a record.

def pad(data, length):
    assert len(data) <= length
    return data + bytes(length - len(data))


def authenticator(a):
    name, secret = a["name"].encode(), bytes.fromhex(a["secret"])
    out = struct.pack(">BBBBIqBB", TYPE[a["type"]], ALGORITHM[a["algorithm"]],
                      a["digits"], a["disabled"], a["period"], a["created"],
                      len(name), len(secret))
    return pad(out, 32) + pad(name, 48) + pad(secret, 64)


def enrolment(e):
    out = b"PWE1" + bytes.fromhex(e["id"])
    out += struct.pack(">BBBBqq", STATUS[e["status"]],
                       len(e["authenticators"]), len(e["recovery"]),
                       e["recovery_imported"], e["created"], e["deadline"])
    out += bytes.fromhex(e["recovery_key"])
    out += pad(b"".join(bytes.fromhex(code["hash"]) for code in e["recovery"]),
               RECOVERY * 32)
    assert len(out) == 584
    out += pad(b"".join(map(authenticator, e["authenticators"])),
               AUTHENTICATORS * 144)
    return pad(out, 1792)


def state(s):
    out = struct.pack(">4sQ16sq", b"PWS1", s["sequence"],
                      bytes.fromhex(s["enrolment_id"]), s["written"])
    for u in s["usage"]:
        out += struct.pack(">Qqi12x", u["floor"], u["last_use"], u["drift"])
    assert len(out) == 292
    out += struct.pack(">IIqq", s["recovery_used"], s["failed_since"],
                       s["first_failed"], s["last_success"])
    for b in s["buckets"]:
        out += struct.pack(">IIqQ16sq16x", b["consecutive"], b["share"],
                           b["share_since"], b["delay_until"],
                           bytes.fromhex(b["boot_id"]), b["last"])
    assert len(out) == 444
    for source in s["sources"]:
        out += struct.pack(">16sq8x", bytes.fromhex(source["tag"]),
                           source["last_use"])
    assert len(out) == 956
    return pad(out, 1024)


def wide(value):
    """A copy with unsigned 64-bit numbers in hex: JSON readers stop at 63."""
    value = json.loads(json.dumps(value))
    value["sequence"] = "%016x" % value["sequence"]
    for usage in value["usage"]:
        usage["floor"] = "%016x" % usage["floor"]
    for bucket in value["buckets"]:
        bucket["delay_until"] = "%016x" % bucket["delay_until"]
    return value


def slot(sequence, sealed_enrolment, sealed_state):
    head = struct.pack(">8sQHH12x", b"PWR1SLOT", sequence,
                       len(sealed_enrolment), len(sealed_state))
    return pad(head + sealed_enrolment + sealed_state, 4096)


# What the records hold. Every value is made up.

def stream(name, length):
    """Bytes that look random and never change."""
    return hashlib.shake_256(b"pawl record-v1 " + name.encode()).digest(length)


def example_authenticator(i, name, kind, algorithm, digits, period, length):
    return {"name": name, "type": kind, "algorithm": algorithm,
            "digits": digits, "period": period, "created": 1700000000 + i,
            "disabled": i == 3,
            "secret": stream("secret %d" % i, length).hex()}


def example_enrolment(name, status, deadline, authenticators, codes, imported):
    return {
        "id": stream(name + " id", 16).hex(), "status": status,
        "created": 1700000000, "deadline": deadline,
        "recovery_imported": imported,
        "recovery_key": stream(name, 32).hex() if codes else "00" * 32,
        "recovery": [{"hash": stream("%s code %d" % (name, i), 32).hex()}
                     for i in range(codes)],
        "authenticators": authenticators}


def enrolments():
    phone = example_authenticator(0, "phone", "totp", "SHA1", 6, 30, 20)
    several = [
        phone,
        example_authenticator(1, "Schl\u00fcsselbund", "totp", "SHA256", 8, 60, 32),
        example_authenticator(2, "\u96fb\u8a71 \U0001f511", "totp", "SHA512", 7, 15, 64),
        example_authenticator(3, "button", "hotp", "SHA1", 8, 0, 20),
        example_authenticator(4, "n", "totp", "SHA1", 6, 300, 10),
        example_authenticator(5, "x" * 47, "hotp", "SHA512", 6, 0, 63),
        example_authenticator(6, "phone ", "totp", "SHA1", 6, 30, 20),
        example_authenticator(7, "Phone", "totp", "SHA256", 6, 30, 16)]
    return {
        "one": example_enrolment("one", "active", 0, [phone], 10, False),
        "new": example_enrolment("new", "active", 0, [], 0, False),
        "full": example_enrolment("full", "pending", 253402300799, several, 16, True),
        "disabled": example_enrolment("disabled", "disabled", 0, several[1:3], 1, False),
        "tombstone": example_enrolment("tombstone", "revoked", 0, [], 0, False)}


def example_state(name, sequence, enrolment_id, full):
    def number(what, most):
        value = int.from_bytes(stream("%s %s" % (name, what), 8), "big")
        return value % (most + 1) if full else 0
    return {
        "sequence": sequence, "enrolment_id": enrolment_id,
        "written": 1700000000 + sequence % 100,
        "usage": [{"floor": number("floor %d" % i, 2**64 - 1),
                   "last_use": number("use %d" % i, 2**40),
                   "drift": number("drift %d" % i, 40) - 20 if full else 0}
                  for i in range(AUTHENTICATORS)],
        "recovery_used": number("used", 0xffff),
        "failed_since": number("failed", 2**32 - 1),
        "first_failed": number("first", 2**40),
        "last_success": number("success", 2**40),
        "buckets": [{"consecutive": number("consecutive %d" % i, 25),
                     "share": number("share %d" % i, 50),
                     "share_since": number("since %d" % i, 2**40),
                     "delay_until": number("delay %d" % i, 2**64 - 1),
                     "boot_id": (stream("boot %d" % i, 16) if full
                                 else bytes(16)).hex(),
                     "last": number("last %d" % i, 2**40)} for i in range(2)],
        "sources": [{"tag": (stream("tag %d" % i, 16) if full and i < 15
                             else bytes(16)).hex(),
                     "last_use": number("seen %d" % i, 2**40) if i < 15 else 0}
                    for i in range(SOURCES)]}


def login_state(sequence, enrolment_id):
    """What 'one' looks like after some logins."""
    value = example_state("login", sequence, enrolment_id, False)
    value["usage"][0] = {"floor": 56666667 + sequence,
                         "last_use": 1700000000 + 30 * sequence, "drift": 0}
    value["last_success"] = 1700000000 + 30 * sequence
    return value


def build():
    parts = enrolments()
    one = parts["one"]["id"]
    states = {"empty": example_state("empty", 0, parts["new"]["id"], False),
              "full": example_state("full", 2**64 - 1, parts["full"]["id"], True),
              "seventh": login_state(7, one),
              "eighth": login_state(8, one)}
    key, key_id, user = stream("key", 64), "9f2c44b1-0d5e-4a37-8c61-7be2f0a3d914", "al\u00edce"
    sealed = []
    for kind, name, plaintext in (
            ("enrolment", "one", enrolment(parts["one"])),
            ("state", "seventh", state(states["seventh"])),
            ("state", "eighth", state(states["eighth"]))):
        modifier = stream("modifier " + name, 16)
        iv = stream("iv " + name, 16)
        purposes = ["pawl", kind + ".v1", user]
        sealed.append({
            "kind": kind, "name": name, "purposes": purposes,
            "key_modifier": modifier.hex(), "iv": iv.hex(),
            "payload": protect(key, key_id, purposes, modifier, iv,
                               plaintext).hex()})
    payloads = [bytes.fromhex(s["payload"]) for s in sealed]
    return {
        "about": "golden records, made by make_record.py; bytes are hex, "
                 "times Unix seconds, layouts in DESIGN.md; sequence, "
                 "floor and delay_until are hex, too",
        "enrolments": [{"name": n, "value": e, "bytes": enrolment(e).hex()}
                       for n, e in parts.items()],
        "states": [{"name": n, "value": wide(s), "bytes": state(s).hex()}
                   for n, s in states.items()],
        "seal": {"algorithm": "AES_256_CBC+HMACSHA256", "key_id": key_id,
                 "key": key.hex(), "user": user, "parts": sealed},
        "record": {"slots": [
            {"sequence": 7, "enrolment": "one", "state": "seventh"},
            {"sequence": 8, "enrolment": "one", "state": "eighth"}],
            "bytes": (slot(7, payloads[0], payloads[1]) +
                      slot(8, payloads[0], payloads[2])).hex()}}


def main():
    check_encryptor()
    text = json.dumps(build(), indent=1, ensure_ascii=True) + "\n"
    if sys.argv[1:] != ["--check"]:
        sys.stdout.write(text)
        return 0
    with open(os.path.join(HERE, "record-v1.json")) as stored:
        return 0 if stored.read() == text else 1


if __name__ == "__main__":
    sys.exit(main())
