"""Several processes that have one replica open, and `kill -9` of the one that follows, again and again, wherever it is.

Meanwhile somebody reads the file all the time (watch.py), and everybody writes what leaves its sum as it is (pairs.py).
"""

import collections
import glob
import os
import time

from hub import Failure
from machine import Machine
from pages import open_pages
from pairs import FIRST_WEIGHT, JOURNAL, WHOLE, HubPairTraffic, MachinePairTraffic, large, performed
from traffic import STATES
from trial import Trial
from watch import Watch, byte_count

PAIRS = 3000
PROCESSES = ["north-1", "north-2", "north-3"]
# How long nobody may follow.
TAKE_OVER_LIMIT = 30
# The bytes of SQLite's -shm file that are locked by who writes, and by who copies the log into the database.
WRITING, CHECKPOINTING = 120, 121


class Kills(Trial):
    def __init__(self, program, folder, seed):
        # The log is kept for longer: here no slot is to be lost.
        super().__init__(folder, seed, max_slot_wal_keep_size="1GB", max_wal_size="256MB")
        self.machines = [Machine(program, name, self.hub, folder, replica="north") for name in PROCESSES]
        self.traffic = [
            MachinePairTraffic(machine, place, PAIRS, seed, pause=0.03) for place, machine in enumerate(self.machines)]
        self.traffic.append(HubPairTraffic(self.hub, len(PROCESSES), PAIRS, seed, pause=0.05))
        self.writers = self.traffic
        self.file = self.machines[0].file
        self.watch = Watch(
            self.file, (PAIRS * WHOLE, PAIRS, 0), lambda: sum(len(machine.resyncs()) for machine in self.machines))
        self.killed, self.places, self.take_overs = collections.Counter(), collections.Counter(), []
        self.large = self.large_rows = self.large_place = 0
        self.is_slot_dropped = False

    def run(self, options):
        self.start()
        for number in range(1, options.kills + 1):
            self.kill()
            if number % 5 == 0 or number == options.kills:
                self.settle(f"{number} kills")
        self.end()

    def start(self):
        self.hub.start()
        self.hub.create(2 * PAIRS, FIRST_WEIGHT)
        self.machines[0].install()
        self.hub.sql(JOURNAL)
        self.say(f"PostgreSQL runs, with {PAIRS} pairs of parcels")
        self.watch.start()
        self.kill_while_filling()
        for machine in self.machines:
            machine.launch()
        for machine in self.machines:
            machine.wait()
        self.say(f"{len(self.machines)} processes have one file: " + ", ".join(f"{each.name} at {each.port}" for each in self.machines))
        self.pages, why = open_pages(self.machines)
        self.say("a browser has a page of each" if self.pages else f"PAGES ARE NOT LOOKED AT: {why}")
        for thread in self.writers:
            thread.start()
        self.write(1)

    # MARK: Kills

    def kill_while_filling(self):
        """Kills it a little later each time, until there is a file."""
        pause = 0
        while not os.path.exists(self.file):
            pause += self.random.uniform(0, 0.06)
            self.machines[0].launch()
            time.sleep(pause)
            self.killed["while there was no file" if not os.path.exists(self.file) else "soon after there was one"] += 1
            self.machines[0].kill()

    def kill(self):
        """Kills the one that follows, at any time or soon after a large transaction, and perhaps others with it."""
        follower = self.follower()
        if self.is_slot_dropped:
            self.write(self.random.uniform(0, 0.6))
        elif self.random.random() < 0.5:
            self.write_large()
            self.write(self.random.uniform(0, 0.5))
        else:
            self.write(self.random.uniform(0, 1.5))
        others = [machine for machine in self.machines if machine is not follower]
        roll = self.random.random()
        victims = [follower] + (others if roll < 0.15 else [self.random.choice(others)] if roll < 0.3 else [])
        for machine in self.machines:
            machine.check_runs()
        for machine in victims:
            machine.freeze()
        place = self.place(follower)
        self.check_confirmed()
        for machine in victims:
            machine.kill()
        self.killed[{1: "the one that follows", 2: "with another", 3: "with all others"}[len(victims)]] += 1
        self.places[place] += 1
        self.say(f"kill -9 of {', '.join(machine.name for machine in victims)}: {place}")
        self.is_slot_dropped = len(victims) == len(self.machines) and self.random.random() < 0.5
        if self.is_slot_dropped:
            self.drop_slot()
        self.wait_for_follower(victims)
        self.watch.check()

    def write_large(self):
        first = self.random.randint(1, PAIRS // 2)
        last = self.random.randint(first + PAIRS // 3, PAIRS)
        self.large += 1
        statement = large(self.large, first, last, self.random.choice(STATES))
        if (position := self.hub.sql(f"{statement}; SELECT pg_current_wal_insert_lsn()", check=False)) is not None:
            self.large_rows += 2 * (last - first + 1)
            self.large_place = byte_count(position.strip())

    def drop_slot(self):
        """Has the hub keep no log for the file any more, so that the next that follows compares all rows."""
        self.say("  the hub drops its slot")
        drop = "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
        end = time.monotonic() + 30
        # The server has to find out first that nobody is connected.
        while self.hub.sql(drop, check=False) is None:
            if time.monotonic() > end:
                raise Failure("a slot is in use 30 s after its process was killed")
            time.sleep(0.05)

    def place(self, machine):
        """Where a process stands that was stopped: what it has locked of the file's memory says whether it was writing."""
        inode, held = os.stat(self.file + "-shm").st_ino, set()
        with open("/proc/locks") as file:
            for words in map(str.split, file):
                if words[1] == "POSIX" and words[3] == "WRITE" and words[4] == str(machine.process.pid) and words[5].endswith(f":{inode}"):
                    held |= set(range(int(words[6]), int(words[7]) + 1))
        if machine.is_comparing():
            return "comparing all rows" + (", in a transaction" if WRITING in held else "")
        what = "in a transaction" if WRITING in held else "in a checkpoint" if CHECKPOINTING in held else "between transactions"
        return what + (", a large one had not come yet" if self.watch.stands()[1] < self.large_place else "")

    def follower(self):
        """The process that follows."""
        following = [machine for machine in self.machines if machine.follows()]
        if len(following) > 1:
            raise Failure("more than one process follows: " + ", ".join(machine.name for machine in following))
        return following[0] if following else None

    def wait_for_follower(self, killed):
        """Waits until another process follows; those that were killed are started again meanwhile."""
        begin = time.monotonic()
        pause, is_started, follower = self.random.uniform(0, 1), False, None
        while not is_started or not follower:
            took = time.monotonic() - begin
            if took > TAKE_OVER_LIMIT:
                raise Failure(f"nobody has followed for {TAKE_OVER_LIMIT} s")
            if not is_started and took > pause:
                for machine in killed:
                    machine.launch()
                is_started = True
            if not follower and (follower := self.follower()):
                self.take_overs.append(took)
            time.sleep(0.01)
        for machine in killed:
            machine.wait()

    # MARK: What must hold

    def check_confirmed(self):
        """The hub may let go only of what is in the file."""
        slot, place = self.watch.stands()
        # There is none where it was dropped, and the replica has not compared all rows yet.
        found = self.hub.sql(f"SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '{slot}'").strip()
        if found and (confirmed := byte_count(found)) > place:
            raise Failure(f"the hub was told that the file has everything up to {confirmed}, and it has what is up to {place}")

    def lost_writes(self, rows):
        self.watch.check()
        times, parked = performed(self.hub), self.watch.parked()
        return [line for each in self.traffic for line in each.lost(times, parked)]

    def end(self):
        self.show_writes()
        print(f"parked      {len(self.watch.parked())} of those kept offline, which the hub refused")
        print(f"large       {self.large} transactions of psql, with {self.large_rows} rows")
        print(f"answered    after {max(each.slowest for each in self.traffic):.2f} s at the latest")
        print("killed      " + "; ".join(f"{count}: {what}" for what, count in self.killed.most_common()))
        print("it was      " + "; ".join(f"{count}: {place}" for place, count in self.places.most_common()))
        print(f"taken over  {max(self.take_overs):.2f} s after the kill at the latest, "
              f"{sum(self.take_overs) / len(self.take_overs):.2f} s on average")
        self.show_ends()
        self.end_machines()
        watch = self.watch
        watch.end()
        watch.check_file()
        watch.prove()
        print(f"watched     {watch.snapshots} snapshots at {watch.steps} positions, the slowest in {watch.slowest:.2f} s: "
              f"sum and pairs are whole in each, none is older than the last, but for {watch.back} reported resyncs")
        self.check_remains()
        self.hub.stop()

    def check_remains(self):
        """Nothing of those that were killed is left: no slot at the hub, no half file."""
        slots = self.hub.sql("SELECT slot_name FROM pg_replication_slots").split()
        files = [path for path in glob.glob(self.file + "*") if "-staged" in path]
        if len(slots) != 1 or files:
            raise Failure(f"something is left of processes that were killed: slots {slots}, files {files}")
        print("left        one slot, and no half file")
