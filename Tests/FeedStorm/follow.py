"""Many clients of a feed in one process: sectile_feed.py, a thread for each.

python follow.py URL --name NAME --clients N [--heartbeat SECONDS] [--longest-wait SECONDS]

Standard input has a line for each command: `ack N` when the probe N is written, `report FILE` for a line of JSON of each
client, beside a fetch in a file. The end of the input ends it.
"""

import argparse
import json
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Clients", "python"))

from sectile_feed import FeedClient, FeedError, FeedState  # noqa: E402

TICK = 0.1
# More than this between two ticks was sleep, of which nobody could say anything.
LONGEST_TICK = 0.3


class AwakeTimes:
    """When the probes were acknowledged, on a clock that stands still while the process sleeps."""

    def __init__(self):
        self.now, self.last, self.times = 0.0, time.monotonic(), []

    def tick(self):
        moment = time.monotonic()
        self.now += min(moment - self.last, LONGEST_TICK)
        self.last = moment

    def note(self, number):
        while len(self.times) < number:
            self.times.append(self.now)

    def missing(self, probe):
        """Since when a client that shows a probe lacks the next; None where there is none."""
        return self.times[probe] if probe < len(self.times) else None


class Follower:
    def __init__(self, name, url, heartbeat, longest_wait):
        self.name, self.told, self.error, self.resets = name, [], "", {}
        self.live_since, self.worst = None, 0.0
        self.feed = FeedClient(f"{url}?client={name}", heartbeat=heartbeat, wait=0.5, longest_wait=longest_wait)
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            for change in self.feed:
                if change.kind == "reset":
                    self.resets[change.reason] = self.resets.get(change.reason, 0) + 1
        except FeedError as error:
            self.error = type(error).__name__
        except BaseException as error:  # noqa: B902 - whatever it is, the report has it.
            self.error = repr(error)

    def probe(self):
        contents = self.feed.contents
        rows = contents.sections[0].rows if contents and contents.sections else ()
        return rows[0].item["weight"] if rows and rows[0].id == 0 else 0

    def look(self, acknowledged):
        """Looks whether it says that it is live while it lacks a probe."""
        if self.feed.state != FeedState.LIVE:
            self.live_since = None
            return
        if self.live_since is None:
            self.live_since = acknowledged.now
        missing = acknowledged.missing(self.probe())
        if missing is not None:
            self.worst = max(self.worst, acknowledged.now - max(missing, self.live_since))

    def report(self, fresh):
        contents = self.feed.contents
        shown = contents and [(section.header.identity, [row.item for row in section.rows]) for section in contents.sections]
        return {
            "client": self.name, "state": self.feed.state, "equal": shown == fresh, "probe": self.probe(),
            "worst": round(self.worst, 2), "told": self.told, "resets": self.resets, "misfits": self.feed.misfits,
            "error": self.error
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--name", default="python")
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--heartbeat", type=float, default=15)
    parser.add_argument("--longest-wait", type=float, default=10)
    options = parser.parse_args()
    threading.stack_size(256 * 1024)
    followers = [
        Follower(f"{options.name}-{number}", options.url, options.heartbeat, options.longest_wait)
        for number in range(options.clients)]
    acknowledged = AwakeTimes()
    lines = []
    is_over = threading.Event()

    def read():
        for line in sys.stdin:
            lines.append(line.split(maxsplit=1))
        is_over.set()

    threading.Thread(target=read, daemon=True).start()
    while not is_over.wait(TICK):
        acknowledged.tick()
        while lines:
            word, argument = lines.pop(0)
            if word == "ack":
                acknowledged.note(int(argument))
            elif word == "report":
                with open(argument.strip(), encoding="utf-8") as file:
                    sections = json.load(file)["sections"]
                fresh = [(each["header"]["identity"], [row["item"] for row in each["rows"]]) for each in sections]
                for follower in followers:
                    print(json.dumps(follower.report(fresh)))
                print(json.dumps({"reported": len(followers)}), flush=True)
        for follower in followers:
            follower.look(acknowledged)
    for follower in followers:
        follower.feed.close()


if __name__ == "__main__":
    main()
