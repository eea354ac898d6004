"""A machine of the fleet: a process of Examples/Fleet, with a wire of its own to the hub."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time

from hub import Failure, Wire


class Machine:
    """Several of one `replica` are processes of one machine: they have its file, and its name at the hub."""

    def __init__(self, program, name, hub, folder, replica=None):
        self.program, self.name, self.replica = program, name, replica or name
        self.file = f"{folder}/{self.replica}.sqlite"
        self.wire = Wire(hub, f"{folder}/{name}")
        self.connection = hub.connection(self.wire.folder)
        self.log = f"{folder}/{name}.log"
        open(self.log, "w").close()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process, self.log_size = None, 0

    def command(self, *words):
        return [self.program, "--hub", self.connection, "--name", self.replica, *words]

    def install(self):
        subprocess.run(self.command("--install"), check=True, stdin=subprocess.DEVNULL)

    def launch(self):
        self.log_size = os.path.getsize(self.log)
        with open(self.log, "a") as log:
            # However this one ends, the machine ends with it.
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *self.command("--file", self.file, "--port", str(self.port))],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start(self):
        """Starts it, and waits until it answers."""
        self.launch()
        self.wait()

    def wait(self):
        end = time.monotonic() + 60
        while not self.answers():
            self.check_runs()
            if time.monotonic() > end:
                raise Failure(f"{self.name} does not answer after a minute")
            time.sleep(0.02)

    def send(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def check_runs(self):
        if self.process.poll() is not None:
            raise Failure(f"{self.name} has ended with {self.process.returncode}: {self.lines()[-3:]}")

    def freeze(self):
        """Stops it where it is, and waits until it stands."""
        self.send(signal.SIGSTOP)
        end = time.monotonic() + 10
        while (state := self.kernel_state()) not in "TZ":
            if time.monotonic() > end:
                raise Failure(f"{self.name} does not stop within 10 s of SIGSTOP: its state is {state}")

    def kernel_state(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]

    def end(self):
        """Ends it in order: how long that took."""
        begin = time.monotonic()
        self.send(signal.SIGTERM)
        try:
            status = self.process.wait(30)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name} does not end within 30 s of SIGTERM") from None
        if status != 0:
            raise Failure(f"{self.name} ends with {status} after SIGTERM: {self.lines()[-3:]}")
        return time.monotonic() - begin

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def ask(self, method, path, body=None, timeout=20):
        """Its answer to a request: the status and the text; 0 for none, -1 where it did not get the request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            headers = {"Content-Type": "application/json"} if body else {}
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except ConnectionRefusedError as error:
            return -1, str(error)
        except (OSError, http.client.HTTPException) as error:
            return 0, str(error)
        finally:
            connection.close()

    def status(self):
        status, text = self.ask("GET", "/status")
        return json.loads(text) if status == 200 else {"phase": text, "waiting": -1}

    def rows(self):
        status, text = self.ask("GET", "/rows")
        return text if status == 200 else None

    def lines(self, start=0):
        with open(self.log) as file:
            file.seek(start)
            return file.read().splitlines()

    def follows(self):
        """Whether it has been chosen to follow the hub for all processes of its file, and still runs."""
        return self.process.poll() is None and any(line.endswith(" elected") for line in self.lines(self.log_size))

    def is_comparing(self):
        """Whether it reads all rows of the hub, or compares its own with them."""
        lines = [line for line in self.lines(self.log_size) if " reads all rows: " in line or " compared " in line]
        return bool(lines) and " compared " not in lines[-1]

    def resyncs(self):
        """Why it has read all rows, each time."""
        return [found.group(1) for line in self.lines() if (found := re.search(r"reads all rows: (.*)", line))]

    def memory(self):
        """What of its memory is resident, in MB; None where it does not run."""
        try:
            with open(f"/proc/{self.process.pid}/status") as file:
                found = re.search(r"VmRSS:\s+(\d+) kB", file.read())
        except OSError:
            return None
        return int(found.group(1)) / 1024 if found else None
