"""Three machines and a hub: faults one after the other, and after each all rows and pages are the hub's. Or kills.py.

python run.py PROGRAM FOLDER [--seconds N | --kills N] [--seed N]
"""

import argparse
import os
import signal
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from hub import Failure, Wire  # noqa: E402
from kills import Kills  # noqa: E402
from machine import Machine  # noqa: E402
from pages import open_pages  # noqa: E402
from traffic import HubTraffic, MachineTraffic  # noqa: E402
from trial import Trial  # noqa: E402

PARCELS = 1000
NAMES = ["north", "south", "east"]


class Fleet(Trial):
    def __init__(self, program, folder, seed):
        super().__init__(folder, seed)
        self.machines = [Machine(program, name, self.hub, folder) for name in NAMES]
        self.traffic = [
            MachineTraffic(machine, place, PARCELS, seed, pause=0.05) for place, machine in enumerate(self.machines)]
        self.writers = [*self.traffic, HubTraffic(self.hub, PARCELS, seed, pause=0.2)]
        self.memory = []

    def run(self, options):
        self.start()
        self.all_faults()
        if options.seconds:
            self.soak(options.seconds)
        self.end()

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
        for thread in self.writers:
            thread.start()

    def lost_writes(self, rows):
        parcels = [line.split("|") for line in rows.splitlines() if line.startswith("parcel|")]
        now = {int(id): (state, int(weight)) for _, id, _, state, weight, _ in parcels}
        return [line for each in self.traffic for line in each.check(now)]

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
        self.show_writes()
        print(f"parked      {sum(machine.status()['parked'] for machine in self.machines)} of those kept offline, which the hub refused")
        self.show_ends()
        for machine in self.machines if self.memory else []:
            third = len(self.memory) // 3
            means = [sum(values) / max(1, len(values)) for part in (self.memory[third:2 * third], self.memory[2 * third:])
                     if (values := [each[machine.name] for each in part if each[machine.name]]) or True]
            print(f"memory      {machine.name}: {means[0]:.1f} MB in the second third, {means[1]:.1f} MB in the last")
        self.end_machines()
        self.hub.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    trial = None
    try:
        trial = (Kills if options.kills else Fleet)(options.program, options.folder, options.seed)
        trial.run(options)
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr, flush=True)
        for machine in trial.machines if trial else []:
            print(f"The end of the log of {machine.name}:", *machine.lines()[-10:], sep="\n  ", file=sys.stderr)
        return 65
    finally:
        if trial:
            trial.clear_up()
    return 0


if __name__ == "__main__":
    sys.exit(main())
