"""The file that the screenshots show: packages, as those of a Debian machine."""

import hashlib
import json
import random
import struct
import zlib

SECTIONS = ["admin", "database", "devel", "doc", "editors", "fonts", "games", "graphics", "httpd", "kernel", "libs", "mail",
            "math", "net", "python", "science", "shells", "sound", "text", "utils", "video", "web", "x11"]
WORDS = "core tools common data runtime server client extra base light full doc dev plugin bridge theme parser engine".split()
NAMES = "amber birch cobalt delta ember fern garnet harbor indigo juniper kestrel lumen maple nimbus onyx pebble quartz raven slate tundra umber violet willow zephyr".split()


def picture(seed):
    """A little PNG."""
    r = random.Random(seed)
    colour = [r.randrange(60, 220) for _ in range(3)]
    rows = b"".join(b"\0" + bytes(min(255, c + (x * y) % 40) for x in range(48) for c in colour) for y in range(48))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 48, 48, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def fill(connection, rows=1200, seed=5):
    r = random.Random(seed)
    connection.executescript("""
        CREATE TABLE section (name TEXT PRIMARY KEY, title TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE package (id INTEGER PRIMARY KEY, name TEXT NOT NULL, section TEXT NOT NULL REFERENCES section (name),
          version TEXT NOT NULL, size INTEGER NOT NULL, installed TEXT, tags TEXT, icon BLOB);
        CREATE INDEX package_in_section ON package (section, size DESC, id);
        CREATE TABLE job (id INTEGER PRIMARY KEY, state TEXT NOT NULL, priority REAL, payload TEXT);
        CREATE VIEW large AS SELECT name, section, size FROM package WHERE size > 500000;
        BEGIN;""")
    for name in SECTIONS:
        connection.execute("INSERT INTO section VALUES (?, ?)", (name, name.title()))
    for id in range(1, rows + 1):
        name = f"{r.choice(NAMES)}-{r.choice(WORDS)}{r.choice(['', '', '-' + r.choice(WORDS)])}"
        size = int(r.lognormvariate(11, 1.7))
        tags = json.dumps({"role": r.choice(["program", "library", "data"]), "uses": r.sample(WORDS, 3), "popularity": round(r.random(), 3),
                           "checksum": hashlib.sha256(str(id).encode()).hexdigest()[:16]})
        connection.execute("INSERT INTO package VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (
            id, name, r.choice(SECTIONS), f"{r.randrange(9)}.{r.randrange(30)}.{r.randrange(12)}-{r.randrange(1, 5)}", size,
            r.choice([None, f"2026-{r.randrange(1, 12):02}-{r.randrange(1, 28):02}"]), tags, picture(id) if id % 3 == 0 else None))
    for id in range(1, 301):
        connection.execute("INSERT INTO job VALUES (?, ?, ?, ?)", (id, r.choice(["waiting", "running", "done", "failed"]), r.random(), json.dumps({"package": r.randrange(1, rows)})))
    connection.execute("COMMIT")
