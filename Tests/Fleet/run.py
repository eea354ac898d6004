"""Three machines and a hub: faults one after the other, and after each all rows and pages are the hub's.

python run.py PROGRAM FOLDER [--seconds N] [--seed N]
"""

import argparse
import collections
import os
import random
import signal
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from hub import Failure, Hub, Wire  # noqa: E402
from machine import Machine  # noqa: E402
from pages import open_pages  # noqa: E402
from traffic import HubTraffic, MachineTraffic  # noqa: E402

PARCELS = 1000
NAMES = ["north", "south", "east"]
# How long machines may take until they are equal, when nobody writes any more.
LIMIT = 90


class Fleet:
    def __init__(self, program, folder, seed):
        self.began = time.monotonic()
        self.random = random.Random(seed)
        self.hub = Hub(folder + "/hub")
        self.machines = [Machine(program, name, self.hub, folder) for name in NAMES]
        self.traffic = [
            MachineTraffic(machine, place, PARCELS, seed, pause=0.05) for place, machine in enumerate(self.machines)]
        self.direct = HubTraffic(self.hub, PARCELS, seed, pause=0.2)
        self.pages, self.memory = None, []
        self.settled = self.longest_page = 0
        self.longest = (0, "")

    def say(self, text):
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)

    # MARK: What goes on

    def start(self):
        self.hub.start()
        self.hub.create(PARCELS)
        self.machines[0].install()
        self.say(f"PostgreSQL runs, with 12 depots and {PARCELS} parcels")
        for machine in self.machines:
            machine.start()
        self.say("three machines run: " + ", ".join(f"{each.name} at {each.port}" for each in self.machines))
        self.pages, why = open_pages(self.machines)
        self.say("a browser has a page of each" if self.pages else f"pages are not looked at: {why}")
        for thread in [*self.traffic, self.direct]:
            thread.start()

    def write(self, seconds):
        """Has everybody write for a while."""
        for each in [*self.traffic, self.direct]:
            each.going.set()
        time.sleep(seconds)

    def settle(self, what):
        """Has nobody write, and waits until all machines have the hub's rows, and all pages show them."""
        for each in [*self.traffic, self.direct]:
            each.going.clear()
        for each in [*self.traffic, self.direct]:
            each.pause_now()
        begin = time.monotonic()
        while (wrong := self.differences()) is not None:
            if time.monotonic() - begin > LIMIT:
                raise Failure(f"not equal {LIMIT} s after {what}: {wrong}")
            time.sleep(0.05)
        took = time.monotonic() - begin
        self.longest = max(self.longest, (took, what))
        rows = self.hub.rows()
        parcels = [line.split("|") for line in rows.splitlines() if line.startswith("parcel|")]
        now = {int(id): (state, int(weight)) for _, id, _, state, weight, _ in parcels}
        if lost := [line for each in self.traffic for line in each.check(now)]:
            raise Failure(f"after {what}, {len(lost)} writes are not as they were answered: " + "; ".join(lost[:5]))
        pages = ""
        if self.pages:
            self.longest_page = max(self.longest_page, self.pages.compare(rows))
            pages = ", and the pages"
        self.settled += 1
        self.say(f"  equal{pages}: {len(parcels)} parcels, {took:.1f} s after the last write")

    def differences(self):
        """What is not as at the hub yet; None where nothing is."""
        rows = self.hub.rows()
        for machine in self.machines:
            if machine.process.poll() is not None:
                raise Failure(f"{machine.name} has ended with {machine.process.returncode}: {machine.lines()[-3:]}")
            status = machine.status()
            if status["waiting"] != 0:
                return f"{machine.name} has {status['waiting']} writes in its outbox: {status['phase']}"
            found = machine.rows()
            if found != rows:
                lines = sorted(set((found or "").splitlines()) ^ set(rows.splitlines()))
                return f"{machine.name} ({status['phase']}) differs in {len(lines)} lines: {lines[:4]}"
        return None

    # MARK: Faults

    def kill_machine(self, machine):
        self.say(f"kill -9 of {machine.name}; it is started again after a second")
        machine.kill()
        self.write(1)
        machine.start()
        self.write(1)

    def kill_hub(self, _):
        self.say("kill -9 of PostgreSQL; it is started again after two seconds")
        self.hub.kill()
        self.write(2)
        self.hub.start()
        self.write(1)

    def stop_machine(self, machine):
        self.say(f"{machine.name} is stopped where it is (SIGSTOP) for four seconds")
        machine.send(signal.SIGSTOP)
        self.write(4)
        machine.send(signal.SIGCONT)
        self.write(1)

    def silence(self, machine, seconds=8):
        self.part(machine, Wire.SILENT, "the network is silent", seconds)

    def silence_long(self, machine):
        """Longer than the machine, or PostgreSQL, takes the connection for one that stands."""
        traffic = self.traffic[self.machines.index(machine)]
        traffic.pause, pause = 0.5, traffic.pause
        self.silence(machine, 50)
        traffic.pause = pause

    def cut(self, machine):
        self.part(machine, Wire.CUT, "connections break, and are refused", 5)

    def part(self, machine, state, how, seconds):
        self.say(f"{machine.name} loses the hub for {seconds} s: {how}; it writes offline")
        traffic = self.traffic[self.machines.index(machine)]
        traffic.pause_now()
        before = traffic.counts["kept offline"]
        machine.wire.turn(state)
        traffic.is_offline = True
        self.write(seconds)
        waiting = machine.status()["waiting"]
        machine.wire.turn(Wire.OPEN)
        traffic.is_offline = False
        self.say(f"  it kept {traffic.counts['kept offline'] - before} writes, of which {waiting} waited when the hub was back")
        self.write(1)

    def lose_slot(self, machine):
        self.say(f"{machine.name} is ended, until PostgreSQL has given up the log that it keeps for it")
        machine.end()
        before = len(machine.resyncs())
        end = time.monotonic() + 120
        while self.hub.slot(machine.name) != "lost":
            if time.monotonic() > end:
                raise Failure("the slot is not lost after two minutes")
            # Others have time to go on: of a log that grows faster than they read it they would lose theirs, too.
            for _ in range(2):
                self.hub.sql("SELECT pg_switch_wal(); UPDATE depot SET name = name WHERE id = 1")
            self.hub.sql("CHECKPOINT")
            self.write(0.3)
        self.say("  its slot is lost; it is started again")
        machine.start()
        self.write(1)
        self.settle(f"{machine.name} lost its slot")
        if not any("given up" in reason for reason in machine.resyncs()[before:]):
            raise Failure(f"{machine.name} did not tell that its slot was lost: {machine.resyncs()[before:]}")

    def all_faults(self):
        north, south, east = self.machines
        self.say("everybody writes for three seconds")
        self.write(3)
        self.settle("the beginning")
        for fault, machine, what in [
            (self.kill_machine, north, "north was killed"), (self.kill_hub, None, "PostgreSQL was killed"),
            (self.stop_machine, east, "east was stopped"), (self.silence, south, "the network was silent"),
            (self.cut, north, "connections were cut"),
        ]:
            self.write(1)
            fault(machine)
            self.settle(what)
        self.lose_slot(east)

    def soak(self, seconds):
        """Random faults, some of them before the last one is over."""
        self.say(f"random faults for {seconds} s")
        threading.Thread(target=self.sample, daemon=True).start()
        faults = [self.kill_machine, self.kill_hub, self.stop_machine, self.silence, self.silence_long, self.cut, self.lose_slot]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.write(self.random.uniform(0, 4))
            fault = self.random.choices(faults, weights=[4, 3, 3, 3, 1, 3, 1])[0]
            fault(self.random.choice(self.machines))
            if fault != self.lose_slot and self.random.random() < 0.6:
                self.settle(fault.__name__.replace("_", " "))
        self.settle("the random faults")

    def sample(self):
        while True:
            self.memory.append({machine.name: machine.memory() for machine in self.machines})
            time.sleep(1)

    # MARK: The end

    def end(self):
        """What was counted; and all end in order."""
        counts = collections.Counter()
        for each in [*self.traffic, self.direct]:
            counts += each.counts
        odd = [kind for kind in counts if kind.startswith("answered")]
        known = ["acked", "kept offline", "refused", "unavailable", "unanswered", "away", "by psql", "psql failed"]
        print("\nwrites      " + ", ".join(f"{counts[kind]} {kind}" for kind in known))
        print(f"parked      {sum(machine.status()['parked'] for machine in self.machines)} of those kept offline, which the hub refused")
        resyncs = collections.Counter(reason for machine in self.machines for reason in machine.resyncs())
        print("resyncs     " + "; ".join(f"{count}: {reason}" for reason, count in resyncs.most_common()))
        print(f"equal       {self.settled} times; at the latest {self.longest[0]:.1f} s after the last write (after: {self.longest[1]})")
        if self.pages:
            figures = self.pages.statistics()
            print(f"pages       {self.longest_page:.1f} s later at most; {figures['changesets']} changesets, "
                  f"{figures['resets'] + figures['keyed']} times anew, {figures['misfits']} changesets did not fit")
            if figures["misfits"]:
                raise Failure("changesets did not fit what pages had")
            self.pages.close()
        else:
            print("pages       not looked at")
        for machine in self.machines if self.memory else []:
            third = len(self.memory) // 3
            means = [sum(values) / max(1, len(values)) for part in (self.memory[third:2 * third], self.memory[2 * third:])
                     if (values := [each[machine.name] for each in part if each[machine.name]]) or True]
            print(f"memory      {machine.name}: {means[0]:.1f} MB in the second third, {means[1]:.1f} MB in the last")
        print(f"ended       {max(machine.end() for machine in self.machines):.2f} s after SIGTERM at the latest", flush=True)
        self.hub.stop()
        if odd:
            raise Failure(f"answers that nobody expects: {odd[:5]}")

    def clear_up(self):
        for machine in self.machines:
            machine.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    fleet = None
    try:
        fleet = Fleet(options.program, options.folder, options.seed)
        fleet.start()
        fleet.all_faults()
        if options.seconds:
            fleet.soak(options.seconds)
        fleet.end()
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr, flush=True)
        for machine in fleet.machines if fleet else []:
            print(f"The end of the log of {machine.name}:", *machine.lines()[-10:], sep="\n  ", file=sys.stderr)
        return 65
    finally:
        if fleet:
            fleet.clear_up()
    return 0


if __name__ == "__main__":
    sys.exit(main())
