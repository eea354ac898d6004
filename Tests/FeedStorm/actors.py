"""The processes of a storm: the service, groups of clients; and who writes."""

import asyncio
import contextlib
import json
import os
import signal

STATUSES = ["delivered", "lost", "travelling", "waiting"]
PARCELS = 200
# The probe is the first parcel of the first section; its weight is its number.
PROBE = {"status": "!probe", "recipient": "probe"}


class Failure(Exception):
    pass


async def launch(command, log, **streams):
    """Starts a process, which ends with this one, however that ends."""
    with open(log, "ab") as file:
        return await asyncio.create_subprocess_exec(
            "setpriv", "--pdeathsig", "KILL", *command, stderr=file, limit=1 << 22, **streams)


class Process:
    process = None

    def runs(self):
        return self.process is not None and self.process.returncode is None

    def send(self, number):
        if self.runs():
            self.process.send_signal(number)

    async def kill(self):
        if self.runs():
            self.process.kill()
        if self.process:
            await self.process.wait()

    def tail(self):
        with contextlib.suppress(OSError), open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()[-10:]
        return []


class Service(Process):
    def __init__(self, program, folder, heartbeat, retry, release=1):
        self.command = [
            program, "serve", "--database", f"{folder}/parcels.sqlite", "--heartbeat", str(round(heartbeat * 1000)),
            "--retry", str(round(retry * 1000)), "--release", str(release)]
        self.name, self.log, self.port = f"release {release}", f"{folder}/service-{release}.log", 0

    async def start(self):
        self.process = await launch(
            self.command, self.log, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE)
        try:
            line = await asyncio.wait_for(self.process.stdout.readline(), 60)
        except asyncio.TimeoutError:
            raise Failure(f"{self.name} of the service does not answer after a minute") from None
        if not line.startswith(b"listening "):
            raise Failure(f"{self.name} of the service does not start")
        self.port = int(line.split()[1])

    async def end(self):
        """Ends it in order."""
        self.send(signal.SIGTERM)
        try:
            status = await asyncio.wait_for(self.process.wait(), 30)
        except asyncio.TimeoutError:
            raise Failure(f"{self.name} of the service does not end within 30 s of SIGTERM") from None
        if status != 0:
            raise Failure(f"{self.name} of the service ends with {status} after SIGTERM")


class Group(Process):
    """Some clients of one kind, in one process."""

    def __init__(self, kind, name, count, command, folder):
        self.kind, self.name, self.count, self.command = kind, name, count, command
        self.log = f"{folder}/{name}.log"

    async def start(self):
        self.process = await launch(self.command, self.log, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)

    def tell(self, line):
        """Says a line; one that is stopped reads it later."""
        with contextlib.suppress(OSError, RuntimeError):
            self.process.stdin.write(line.encode() + b"\n")

    async def report(self, file):
        """What each of its clients says, beside what a fetch gave."""
        self.tell(f"report {file}")
        reports = []
        while True:
            line = await asyncio.wait_for(self.process.stdout.readline(), 120)
            if not line:
                raise Failure(f"the clients {self.name} have ended")
            report = json.loads(line)
            if "reported" in report:
                return reports
            reports.append(report)

    async def end(self):
        if self.runs():
            self.send(signal.SIGCONT)
            self.process.stdin.close()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.process.wait(), 10)
        await self.kill()


async def ask(port, method, path, body=None, timeout=5.0):
    """The status and the bytes of an answer; 0 where there is none."""
    writer = None
    try:
        async def answer():
            nonlocal writer
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            data = b"" if body is None else json.dumps(body).encode()
            writer.write((f"{method} {path} HTTP/1.1\r\nHost: storm\r\nConnection: close\r\n"
                          f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n").encode() + data)
            return await reader.read()
        text = await asyncio.wait_for(answer(), timeout)
    except (OSError, asyncio.TimeoutError):
        return 0, b""
    finally:
        if writer:
            writer.transport.abort()
    head, _, rest = text.partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    if len(words) < 2 or not words[1].isdigit():
        return 0, b""
    if b"transfer-encoding: chunked" in head.lower():
        whole = b""
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            length = int(size.split(b";")[0] or b"0", 16)
            whole, rest = whole + rest[:length], rest[length + 2:]
        rest = whole
    return int(words[1]), rest


class Writer:
    """Writes parcels at random, and the probe at a steady rate, past the bad network."""

    def __init__(self, random, port, groups, rate, probes):
        self.random, self.port, self.groups = random, port, groups
        self.rate, self.pause = rate, probes
        self.is_going = asyncio.Event()
        # Set while no write is under way.
        self.probe, self.written, self.failed = 0, 0, 0
        self.lock = asyncio.Lock()
        self.tasks = []

    async def fill(self):
        for id in range(1, PARCELS + 1):
            await self.write(id, False)
        await self.write_probe()

    def begin(self):
        self.tasks = [asyncio.ensure_future(self.write_on()), asyncio.ensure_future(self.probe_on())]

    async def write(self, id, is_delete):
        body = {"status": self.random.choice(STATUSES), "recipient": f"Ada {self.random.randrange(1000)}",
                "weight": self.random.randrange(1, 5000)}
        status, _ = await (ask(self.port(), "DELETE", f"/parcels/{id}") if is_delete
                           else ask(self.port(), "PUT", f"/parcels/{id}", body))
        if status == 204:
            self.written += 1
        else:
            self.failed += 1

    async def write_probe(self):
        """Writes the next probe; clients count from the moment that it is acknowledged."""
        status, _ = await ask(self.port(), "PUT", "/parcels/0", {**PROBE, "weight": self.probe + 1})
        if status == 204:
            self.probe += 1
            for group in self.groups:
                group.tell(f"ack {self.probe}")

    async def write_on(self):
        while True:
            await self.is_going.wait()
            async with self.lock:
                await self.write(self.random.randrange(1, PARCELS + 1), self.random.random() < 0.1)
            await asyncio.sleep(self.random.expovariate(self.rate))

    async def probe_on(self):
        while True:
            await self.is_going.wait()
            async with self.lock:
                await self.write_probe()
            await asyncio.sleep(self.pause)

    async def rest(self):
        """Has nobody write; returns when nothing is under way."""
        self.is_going.clear()
        async with self.lock:
            pass

    async def end(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def fetch(port, folder):
    """Has a file with what a fetch gives; None where the service does not answer."""
    status, text = await ask(port, "GET", "/parcels", timeout=20)
    if status != 200:
        return None
    file = os.path.join(folder, "fresh.json")
    with open(file, "wb") as out:
        out.write(text)
    return file
