"""A PostgreSQL of Debian's packages in a folder of its own, and the wires between it and the machines."""

import glob
import os
import shutil
import signal
import socket
import subprocess
import threading
import time


class Failure(Exception):
    """Something that must hold does not."""


class Hub:
    """The server: it listens on a socket in its folder, and nobody else can reach it."""

    SETTINGS = {
        "wal_level": "logical", "max_replication_slots": "10", "max_wal_senders": "10",
        "max_slot_wal_keep_size": "16MB", "max_wal_size": "32MB", "min_wal_size": "2MB",
        "wal_sender_timeout": "20s", "listen_addresses": "", "port": "5432", "shared_buffers": "32MB",
        # The machine is not switched off here; processes are killed.
        "fsync": "off",
    }

    def __init__(self, folder, **settings):
        releases = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
        found = releases[-1] if releases else shutil.which("initdb")
        if not found:
            raise Failure("there is no PostgreSQL; run scripts/setup --postgres")
        self.programs = os.path.dirname(found)
        self.folder = folder
        self.data = folder + "/data"
        os.makedirs(folder)
        # The server refuses to run as root.
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        if self.user:
            shutil.chown(self.folder, "postgres")
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "app", "--no-sync", "-E", "UTF8", "--locale=C", "--wal-segsize=1")
        with open(self.data + "/postgresql.conf", "a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in (self.SETTINGS | settings | {"unix_socket_directories": self.folder}).items())

    def run(self, program, *words):
        done = subprocess.run([*self.user, f"{self.programs}/{program}", *words], cwd="/", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise Failure(f"{program} fails: {done.stdout[-2000:]}")

    def start(self):
        """Starts it; after a kill the old server's children first have to find out that they are alone."""
        for attempt in range(100):
            try:
                return self.run("pg_ctl", "-D", self.data, "-w", "-l", self.folder + "/log", "-s", "start")
            except Failure:
                if attempt == 99:
                    raise
                time.sleep(0.1)

    def stop(self):
        """Ends it in order."""
        self.run("pg_ctl", "-D", self.data, "-m", "fast", "-s", "stop")

    def kill(self):
        with open(self.data + "/postmaster.pid") as file:
            os.kill(int(file.readline()), signal.SIGKILL)

    def connection(self, folder=None):
        return f"host={folder or self.folder} port=5432 user=app dbname=postgres"

    def sql(self, text, check=True):
        """Runs SQL: what it prints, without titles; None where it fails and that is allowed."""
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.connection(), "-c", text],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode == 0:
            return done.stdout
        if check:
            raise Failure(f"psql fails: {done.stderr}")
        return None

    def create(self, parcels, weight="100 + id"):
        self.sql(f"""
            CREATE TABLE depot (id bigint PRIMARY KEY, name text NOT NULL UNIQUE);
            CREATE TABLE parcel (
              id bigint PRIMARY KEY, depot bigint NOT NULL REFERENCES depot, state text NOT NULL,
              weight bigint NOT NULL CHECK (weight > 0));
            INSERT INTO depot SELECT id, 'depot ' || id FROM generate_series(1, 12) AS id;
            INSERT INTO parcel SELECT id, 1 + id % 12, (ARRAY['waiting', 'travelling', 'delivered'])[1 + id % 3], {weight}
            FROM generate_series(1, {parcels}) AS id""")

    def rows(self):
        """All rows, as the machines answer them below /rows."""
        return self.sql("""
            SELECT concat_ws('|', 'depot', id, name, sectile_rev) FROM depot ORDER BY id;""") + self.sql("""
            SELECT concat_ws('|', 'parcel', id, depot, state, weight, sectile_rev) FROM parcel ORDER BY id""")

    def slot(self, name):
        """How the server keeps its log for a machine: reserved, extended, unreserved, lost."""
        return self.sql(f"SELECT coalesce(wal_status, 'lost') FROM pg_replication_slots WHERE slot_name LIKE 'sectile\\_{name}\\_%'").strip()


class Wire:
    """What is between a machine and the hub, and can be cut: a socket that passes on what comes."""

    OPEN, SILENT, CUT = "open", "silent", "cut"

    def __init__(self, hub, folder):
        self.target = hub.folder + "/.s.PGSQL.5432"
        self.folder = folder
        self.state = self.OPEN
        self.changed = threading.Condition()
        self.sockets = set()
        os.makedirs(folder)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(folder + "/.s.PGSQL.5432")
        self.listener.listen(20)
        threading.Thread(target=self.accept, daemon=True).start()

    def turn(self, state):
        """Has it pass on everything; hold everything back, so that neither side hears anything; or refuse everything."""
        with self.changed:
            self.state = state
            if state == self.CUT:
                for each in self.sockets:
                    self.end(each)
            self.changed.notify_all()

    @staticmethod
    def end(each):
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.connect, args=(client,), daemon=True).start()

    def connect(self, client):
        with self.changed:
            self.changed.wait_for(lambda: self.state != self.SILENT)
            if self.state == self.CUT:
                return client.close()
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self.target)
        except OSError:
            return client.close()
        with self.changed:
            self.sockets |= {client, server}
        back = threading.Thread(target=self.pump, args=(server, client), daemon=True)
        back.start()
        self.pump(client, server)
        back.join()
        with self.changed:
            self.sockets -= {client, server}
        client.close()
        server.close()

    def pump(self, source, target):
        try:
            while data := source.recv(65536):
                with self.changed:
                    self.changed.wait_for(lambda: self.state != self.SILENT)
                target.sendall(data)
        except OSError:
            pass
        # That the other side has ended is not heard either.
        with self.changed:
            self.changed.wait_for(lambda: self.state != self.SILENT)
        self.end(source)
        self.end(target)
