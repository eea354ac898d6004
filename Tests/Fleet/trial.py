"""What all runs have in common: a hub, processes with replicas, who writes, and what has to be equal when nobody does."""

import collections
import random
import time

from hub import Failure, Hub

# How long processes may take until they are equal, when nobody writes any more.
LIMIT = 90


class Trial:
    def __init__(self, folder, seed, **settings):
        self.began = time.monotonic()
        self.random = random.Random(seed)
        self.hub = Hub(folder + "/hub", **settings)
        self.machines, self.writers = [], []
        self.pages = None
        self.settled = self.longest_page = 0
        self.longest = (0, "")

    def say(self, text):
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)

    def write(self, seconds):
        """Has everybody write for a while."""
        for each in self.writers:
            each.going.set()
        time.sleep(seconds)

    def settle(self, what):
        """Has nobody write, and waits until all processes have the hub's rows, and all pages show them."""
        for each in self.writers:
            each.going.clear()
        for each in self.writers:
            each.pause_now()
        begin = time.monotonic()
        while (wrong := self.differences()) is not None:
            if time.monotonic() - begin > LIMIT:
                raise Failure(f"not equal {LIMIT} s after {what}: {wrong}")
            time.sleep(0.05)
        took = time.monotonic() - begin
        self.longest = max(self.longest, (took, what))
        rows = self.hub.rows()
        if lost := self.lost_writes(rows):
            raise Failure(f"after {what}, {len(lost)} writes are not as they were answered: " + "; ".join(lost[:5]))
        pages = ""
        if self.pages:
            self.longest_page = max(self.longest_page, self.pages.compare(rows))
            pages = ", and the pages"
        self.settled += 1
        self.say(f"  equal{pages}: {rows.count('parcel|')} parcels, {took:.1f} s after the last write")

    def lost_writes(self, rows):
        """Which writes are not in the hub as they were answered, in words."""
        raise NotImplementedError

    def differences(self):
        """What is not as at the hub yet; None where nothing is."""
        rows = self.hub.rows()
        for machine in self.machines:
            machine.check_runs()
            status = machine.status()
            if status["waiting"] != 0:
                return f"{machine.name} has {status['waiting']} writes in its outbox: {status['phase']}"
            found = machine.rows()
            if found != rows:
                lines = sorted(set((found or "").splitlines()) ^ set(rows.splitlines()))
                return f"{machine.name} ({status['phase']}) differs in {len(lines)} lines: {lines[:4]}"
        return None

    # MARK: The end

    def counts(self):
        """How often each answer was given, and what `psql` did."""
        counts = collections.Counter()
        for each in self.writers:
            counts += each.counts
        return counts

    def show_writes(self):
        counts = self.counts()
        known = ["acked", "kept offline", "refused", "unavailable", "unanswered", "away", "by psql", "psql failed"]
        print("\nwrites      " + ", ".join(f"{counts[kind]} {kind}" for kind in known))

    def show_ends(self):
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

    def end_machines(self):
        print(f"ended       {max(machine.end() for machine in self.machines):.2f} s after SIGTERM at the latest", flush=True)
        if odd := [kind for kind in self.counts() if kind.startswith("answered")]:
            raise Failure(f"answers that nobody expects: {odd[:5]}")

    def clear_up(self):
        for machine in self.machines:
            machine.kill()
