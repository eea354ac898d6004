"""Clients of three kinds follow a service through kills, a bad network and a release; at the end each has what a fetch gives.

python run.py PROGRAM FOLDER [--quick] [--clients N] [--kills N] [--minutes N] [--seed N] [--heartbeat S] [--limit S]
"""

import argparse
import asyncio
import os
import random
import resource
import shutil
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from actors import Failure, Group, Service, Writer, fetch  # noqa: E402
from proxy import Proxy  # noqa: E402
from verdict import judge, judge_live, show  # noqa: E402

SECTILE_JS = os.path.join(HERE, "..", "..", "Sources", "SectileServer", "Page", "sectile.js")
# How long clients may take until they have what is there, when nobody writes any more.
SETTLE_LIMIT = 120


class Storm:
    def __init__(self, program, folder, options):
        self.began = time.monotonic()
        self.program, self.folder, self.options = program, folder, options
        self.random = random.Random(options.seed)
        self.proxy = Proxy(random.Random(options.seed + 1))
        self.service = Service(program, folder, options.heartbeat, options.retry)
        self.services = [self.service]
        self.groups, self.kills, self.releases = [], 0, 1
        self.writer = Writer(
            random.Random(options.seed + 2), lambda: self.service.port, self.groups, options.rate, options.heartbeat / 2)

    def say(self, text):
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)

    # MARK: The beginning

    def make_groups(self):
        """Two processes of each kind, so that one may sleep."""
        options, heartbeat = self.options, self.options.heartbeat
        url = f"http://127.0.0.1:{self.proxy.port}/parcels/events"
        kinds = {
            "swift": [self.program, "follow", "--url", url, "--heartbeat", str(round(heartbeat * 1000)),
                      "--longest-wait", str(round(options.longest_wait * 1000))],
            "python": [sys.executable, "-B", os.path.join(HERE, "follow.py"), url, "--heartbeat", str(heartbeat),
                       "--longest-wait", str(options.longest_wait)],
        }
        node = shutil.which("node")
        if node:
            kinds["node"] = [node, os.path.join(HERE, "follow.mjs"), SECTILE_JS, str(self.proxy.port)]
        else:
            self.say("there is no node: sectile.js does not take part")
        for place, (kind, command) in enumerate(kinds.items()):
            count = options.clients // len(kinds) + (place < options.clients % len(kinds))
            for half, letter in enumerate("ab"):
                share = count // 2 + (half < count % 2)
                if share:
                    name = f"{kind}-{letter}"
                    self.groups.append(Group(
                        kind, name, share, [*command, "--name", name, "--clients", str(share)], self.folder))

    async def start(self):
        await self.service.start()
        await self.proxy.start()
        self.proxy.upstream = self.service.port
        await self.writer.fill()
        self.make_groups()
        for group in self.groups:
            await group.start()
        # Those who have come now hear of what is written already.
        for group in self.groups:
            group.tell(f"ack {self.writer.probe}")
        self.writer.begin()
        counts = {group.kind: sum(each.count for each in self.groups if each.kind == group.kind) for group in self.groups}
        self.say("clients: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
        await self.settle("they have come")
        self.writer.is_going.set()

    # MARK: Faults

    async def network(self, kind, share, seconds):
        self.say(f"the network: {kind}, of {share:.0%} of the connections, {seconds:.1f} s")
        await self.proxy.fault(kind, share, seconds)

    async def long_silence(self):
        """Longer than anybody may say that it is live."""
        await self.network("swallow", 0.5, self.options.limit * 1.3)

    async def kill_service(self):
        pause = self.random.uniform(0.1, 1.5)
        self.say(f"kill -9 of the service; it is started again after {pause:.1f} s")
        if not self.service.runs():
            raise Failure("the service has ended by itself")
        self.proxy.upstream = 0
        await self.service.kill()
        await asyncio.sleep(pause)
        await self.service.start()
        self.proxy.upstream = self.service.port
        self.kills += 1

    async def sleeping(self, process, what, seconds):
        self.say(f"{what} sleeps for {seconds:.1f} s")
        process.send(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            process.send(signal.SIGCONT)

    async def sleeping_clients(self, seconds):
        group = self.random.choice(self.groups)
        await self.sleeping(group, f"the process of the clients {group.name}", seconds)

    async def deploy(self):
        """The next release migrates the file while this one still serves; then clients are led to it."""
        self.say("the next release starts, migrates the file, and takes over")
        former = self.service
        new = Service(self.program, self.folder, self.options.heartbeat, self.options.retry, release=2)
        self.services.append(new)
        await new.start()
        await self.writer.rest()
        self.service, self.proxy.upstream = new, new.port
        self.writer.is_going.set()
        await former.end()
        self.releases = 2

    async def each_fault_once(self):
        silence = self.options.heartbeat * 3
        await self.long_silence()
        await self.network("reset", 0.4, 0.5)
        await self.network("buffer", 0.5, silence * 0.7)
        await self.network("stall", 0.5, silence * 1.5)
        await self.network("swallow", 0.5, silence * 1.5)
        await self.network("half-close", 0.5, 1)
        await self.network("refuse", 0.7, silence)
        await self.kill_service()
        await self.sleeping_clients(silence * 1.5)
        await self.sleeping(self.service, "the service", silence * 1.5)
        await self.kill_service()

    async def random_faults(self):
        """Until the time is over and the service was killed often enough; a kill may come in the middle of any other."""
        options, silence = self.options, self.options.heartbeat * 3
        end = time.monotonic() + options.minutes * 60
        while time.monotonic() < end or self.kills < options.kills:
            seconds = silence * self.random.uniform(0.3, 2)
            share = self.random.choice([0.1, 0.5, 0.9])
            kind = self.random.choices(
                ["reset", "buffer", "stall", "swallow", "half-close", "refuse", "clients", "service", "long", "none"],
                weights=[3, 3, 3, 3, 3, 2, 3, 2, 1, 3])[0]
            if kind == "clients":
                fault = self.sleeping_clients(seconds)
            elif kind == "service":
                fault = self.sleeping(self.service, "the service", seconds)
            elif kind == "long":
                fault = self.long_silence()
            elif kind == "none":
                fault = asyncio.sleep(seconds)
            else:
                # Held back for longer than three heartbeats is silence, which `stall` is.
                fault = self.network(kind, share, min(seconds, silence * 0.7) if kind == "buffer" else seconds)
            running = asyncio.ensure_future(fault)
            try:
                is_due = self.kills < options.kills and (time.monotonic() >= end or self.random.random() < self.kill_rate(end))
                if is_due and kind != "service":
                    await asyncio.sleep(self.random.uniform(0, seconds))
                    await self.kill_service()
                await running
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
            if self.random.random() < 0.1:
                await self.settle(f"after {self.kills} kills")
                self.writer.is_going.set()

    def kill_rate(self, end):
        """So that the kills are spread over the time, of which a fault takes about three heartbeats."""
        left = max(1, (end - time.monotonic()) / (self.options.heartbeat * 3.5))
        return (self.options.kills - self.kills) / left

    # MARK: What has to hold

    async def reports(self):
        file = await fetch(self.service.port, self.folder)
        if file is None:
            raise Failure("the service does not answer")
        # Those that have ended say so, whichever is asked first.
        return [report for all in await asyncio.gather(*(group.report(file) for group in self.groups)) for report in all]

    async def settle(self, what):
        """Has nobody write, and waits until all clients are live and have what a fetch gives."""
        await self.writer.rest()
        begin = time.monotonic()
        while True:
            reports = await self.reports()
            others = [each for each in reports if not each["equal"] or each["state"] != "live"]
            if not others:
                break
            if time.monotonic() - begin > SETTLE_LIMIT:
                judge_live(reports, self.options.limit)
                raise Failure(f"{what}: {len(others)} clients have not what a fetch gives, such as {others[:3]}")
            await asyncio.sleep(0.5)
        self.say(f"{what}: all {len(reports)} are live and equal a fetch, after {time.monotonic() - begin:.1f} s")
        judge(reports, self.proxy, self.options, self.releases)
        return reports

    async def run(self):
        await self.start()
        if self.options.quick:
            await self.each_fault_once()
        else:
            await self.random_faults()
        await self.settle("after the storm")
        self.writer.is_going.set()
        await asyncio.sleep(self.options.heartbeat)
        await self.deploy()
        await asyncio.sleep(self.options.heartbeat)
        reports = await self.settle("after the release")
        show(self, reports)
        await self.service.end()

    async def clear_up(self):
        await self.writer.end()
        for group in self.groups:
            await group.end()
        for service in self.services:
            await service.kill()
        await self.proxy.stop()


def options_of(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--clients", type=int)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--heartbeat", type=float)
    parser.add_argument("--limit", type=float)
    options = parser.parse_args(words)
    quick = options.quick

    def otherwise(value, default):
        return default if value is None else value

    options.clients = max(1, otherwise(options.clients, 24 if quick else 300))
    options.kills = otherwise(options.kills, 10)
    options.heartbeat = otherwise(options.heartbeat, 0.5 if quick else 10.0)
    # Three heartbeats, and what a busy machine takes.
    options.limit = otherwise(options.limit, options.heartbeat * 4.5 + (3 if quick else 0))
    options.retry = 0.5 if quick else 1.0
    options.longest_wait = 4.0 if quick else 15.0
    options.rate = 20
    options.seed = otherwise(options.seed, random.SystemRandom().randrange(1, 10**6))
    return options


async def storm(options):
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asyncio.current_task().cancel)
    trial = Storm(options.program, options.folder, options)
    try:
        await trial.run()
        return 0
    except Failure as failure:
        print(f"error: {failure}\nHint: scripts/feed-storm{' --quick' if options.quick else ''} --seed {options.seed} "
              "makes the same faults.", file=sys.stderr, flush=True)
        for each in [*trial.services, *trial.groups]:
            if lines := each.tail():
                print(f"The end of the log of {each.name}:", *lines, sep="\n  ", file=sys.stderr)
        return 65
    finally:
        await trial.clear_up()


def main():
    options = options_of(sys.argv[1:])
    print(f"seed {options.seed}, heartbeats of {options.heartbeat:g} s, live for {options.limit:g} s at most", flush=True)
    # A client takes about four descriptors of all processes together.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        return asyncio.run(storm(options))
    except asyncio.CancelledError:
        return 143


if __name__ == "__main__":
    sys.exit(main())
