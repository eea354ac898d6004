"""Who looks at a replica's file all the time, past Sectile: each snapshot must be one that the hub had, and none an older one."""

import contextlib
import shutil
import sqlite3
import threading
import time

from hub import Failure
from pairs import BALANCE, PARKED


def byte_count(position):
    """A position in the hub's log, as a number."""
    high, low = position.split("/")
    return int(high, 16) << 32 | int(low, 16)


def read(token):
    """What a token says: of which log it is, and how far in it."""
    _, system, timeline, slot, _, position, *_ = token.split(":")
    return (system, timeline, slot), byte_count(position)


class Watch(threading.Thread):
    def __init__(self, path, balance, resyncs):
        """Looks at the file of a path, which has a certain balance; `resyncs()` says how many were reported."""
        super().__init__(daemon=True)
        self.path, self.balance, self.resyncs = path, balance, resyncs
        self.snapshots = self.steps = self.back = self.excused = self.missing = 0
        self.slowest, self.token, self.wrong = 0, None, []
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(0.003):
            begin = time.monotonic()
            try:
                self.look()
            except sqlite3.Error as error:
                self.wrong.append(f"the file cannot be read: {error}")
            self.slowest = max(self.slowest, time.monotonic() - begin)

    def end(self):
        self.ended.set()
        self.join()
        self.check()

    def check(self):
        if self.wrong:
            raise Failure(f"in {len(self.wrong)} of {self.snapshots} snapshots of {self.path}: " + "; ".join(self.wrong[:5]))

    def query(self, *statements):
        """The first row of each statement, all of one snapshot, and of a connection that nobody else has."""
        connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=30, isolation_level=None)
        try:
            connection.execute("BEGIN")
            return [connection.execute(statement).fetchall() for statement in statements]
        finally:
            connection.close()

    def look(self):
        try:
            [(token,)], [balance] = self.query("SELECT token FROM sectile_replica", BALANCE)
        except sqlite3.OperationalError as error:
            # Until it is whole there is none.
            if self.token is None and "unable to open" in str(error):
                self.missing += 1
                return
            raise
        self.snapshots += 1
        if balance != self.balance:
            self.wrong.append(f"at {token} the sum, the rows and the torn pairs are {balance} instead of {self.balance}")
        if token != self.token:
            self.step(token)

    def step(self, token):
        """The file stands elsewhere than before. It goes back, or follows another log, only for a resync that was reported."""
        self.steps += 1
        (log, place), (old_log, old_place) = read(token), read(self.token or token)
        if self.token is None:
            self.excused = self.resyncs()
        elif log != old_log or place < old_place:
            self.back += 1
            if (reported := self.resyncs()) == self.excused:
                self.wrong.append(f"the file went from {self.token} to {token}, and nobody told of a resync")
            self.excused = reported
        self.token = token

    def stands(self):
        """Which slot of the hub the file follows, and how far it is in the hub's log."""
        (_, _, slot), place = read(self.query("SELECT token FROM sectile_replica")[0][0][0])
        return slot, place

    def parked(self):
        """The marks of what the hub has refused of the outbox."""
        return {mark for mark, in self.query(PARKED)[0]}

    def check_file(self):
        """What SQLite finds wrong with the file."""
        found = [line for line, in self.query("PRAGMA integrity_check")[0]]
        if found != ["ok"]:
            raise Failure(f"the file is not intact: {found[:5]}")

    def prove(self):
        """Breaks a copy of the file, which nobody has open, to show that it would have been seen."""
        copy = Watch(self.path + "-broken", self.balance, lambda: 0)
        for suffix in ["", "-wal"]:
            try:
                shutil.copy(self.path + suffix, copy.path + suffix)
            except FileNotFoundError:
                pass
        copy.look()
        token = copy.token.split(":")
        token[5] = "0/1"
        copy.spoil("UPDATE sectile_replica SET token = ?", ":".join(token))
        copy.spoil("UPDATE parcel SET weight = weight - 1 WHERE id = ?", copy.query("SELECT max(id) FROM parcel")[0][0][0])
        if len(copy.wrong) != 2:
            raise Failure(f"the watch does not see what is wrong on purpose, but {copy.wrong}")

    def spoil(self, statement, value):
        with contextlib.closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute("UPDATE sectile_replica SET is_open = 1")
            connection.execute(statement, [value])
        self.look()
