"""The recorded streams of Tests/Fixtures/feeds, and the schema of their events."""

import json
import os

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FOLDER = os.path.join(ROOT, "Tests", "Fixtures", "feeds")

# What each stream leads to, event by event that is told: the version, and titles with the identities of rows; `-` for
# rows of which nothing was told.
BIG = 9007199254740993
CONTENTS = {
    "changes": [
        ("reset", "7 A[1 2] five[9007199254740993 4] [5 6]"),
        ("changes", "8 A & B[1 7 2] five[9007199254740993] [5 6 8]"),
        ("changes", "9 [8 5 6] A & B[2 10] new[9007199254740993 7]"),
        ("failed", "9 [8 5 6] A & B[2 10] new[9007199254740993 7]"),
        ("recovered", "9 [8 5 6] A & B[2 10] new[9007199254740993 7]"),
        ("changes", "10"),
    ],
    "structure": [
        ("reset", "7 A[- -] five[- -] [- -]"),
        ("changes", "8 A & B[- 7 2] five[-] [5 - 8]"),
        ("changes", "9 [8 5 6] A & B[2 10] new[9007199254740993 7]"),
        ("failed", "9 [8 5 6] A & B[2 10] new[9007199254740993 7]"),
        ("recovered", "9 [8 5 6] A & B[2 10] new[9007199254740993 7]"),
        ("changes", "10"),
    ],
    "keyed": [("reset", "3 A[1 2 3] B[4]"), ("keyed", "4 B[4 2] A[3 9]"), ("changes", "5 B[4 2] A[3 9]")],
    "answer": [("reset", "0 A[1]")],
    "slow": [("reset", "0"), ("changes", "1 A[1]"), ("changes", "4 A[1 2 3 4]")],
}


def recorded(name):
    """The bytes of a stream."""
    with open(os.path.join(FOLDER, name + ".sse"), "rb") as file:
        return file.read()


def names():
    return sorted(name[:-4] for name in os.listdir(FOLDER) if name.endswith(".sse"))


def schema():
    with open(os.path.join(ROOT, "Documentation", "feed-events.schema.json"), encoding="utf-8") as file:
        return json.load(file)


def fold_script():
    """The function that folds a stream with sectile.js."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "fold.js"), encoding="utf-8") as file:
        return file.read()


def counts(contents):
    """A version as sectile.js has it: titles with the numbers of their rows."""
    version, *rest = contents.split(" ", 1)
    sections = [section.split("[") for section in "".join(rest).split("] ") if section]
    return [int(version), [[title, len(rows.rstrip("]").split())] for title, rows in sections]]
