"""Pages and feeds for ten minutes (SECTILE_SOAK_MINUTES): nothing may grow. `scripts/browser --soak` runs it.

One page stays open while rows come, go, change and move, forty commits a second; another one is loaded anew every two
seconds, scrolls and leaves; readers of the feed join and are cut off. Told every half minute: the memory of the server, and of
the page that stays, after its garbage was collected. It fails where either of them grows."""

import os
import random
import sqlite3
import statistics
import tempfile
import threading
import time
import unittest
import urllib.request

from demo import fill
from support import Browser, Server

REQUEST = "?table=package&section-by=section&sort=size+DESC&aggregate=count&aggregate=sum%28size%29"
# What may come on top between the second third of the time and the last one, in bytes.
SERVER_GROWTH = 24 << 20
PAGE_GROWTH = 6 << 20


class Writer(threading.Thread):
    """Writes at random, about as much in as out."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path = path
        self.ends = threading.Event()
        self.commits = 0

    def run(self):
        r = random.Random(3)
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=30)
        connection.execute("PRAGMA synchronous = OFF")
        names = [row[0] for row in connection.execute("SELECT name FROM section")]
        next_id = 1_000_000
        while not self.ends.wait(0.025):
            next_id += 1
            kind = r.randrange(4)
            if kind == 0:
                connection.execute("INSERT INTO package (id, name, section, version, size) VALUES (?, 'new', ?, '1', ?)",
                                   (next_id, r.choice(names), r.randrange(1_000_000)))
                connection.execute("DELETE FROM package WHERE id = (SELECT id FROM package WHERE id >= 1000000 ORDER BY id LIMIT 1)"
                                   " AND (SELECT count(*) FROM package) > 1250")
            elif kind == 1:
                connection.execute("UPDATE package SET section = ? WHERE id = ?", (r.choice(names), r.randrange(1, 1200)))
            else:
                connection.execute("UPDATE package SET size = ? WHERE id = ?", (r.randrange(1_000_000), r.randrange(1, 1200)))
            self.commits += 1
        connection.close()


class Reader(threading.Thread):
    """Joins the feed, reads a while, and is gone in the middle."""

    def __init__(self, origin):
        super().__init__(daemon=True)
        self.origin = origin
        self.ends = threading.Event()
        self.joins = 0

    def run(self):
        r = random.Random(4)
        while not self.ends.is_set():
            try:
                with urllib.request.urlopen(self.origin + "/api/events" + REQUEST, timeout=10) as stream:
                    self.joins += 1
                    for _ in range(r.randrange(1, 60)):
                        stream.readline()
            except OSError:
                time.sleep(0.2)


def heap(page, session):
    """What is alive in the page, in bytes, and how many nodes it has."""
    session.send("HeapProfiler.collectGarbage")
    counters = session.send("Memory.getDOMCounters")
    return page.evaluate("performance.memory.usedJSHeapSize"), counters["nodes"], counters["jsEventListeners"]


def run(minutes):
    with tempfile.TemporaryDirectory(prefix="sectile-soak-") as folder:
        path = os.path.join(folder, "app.db")
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        fill(connection)
        server = Server(path).start()
        writer, readers = Writer(path), [Reader(server.origin) for _ in range(4)]
        try:
            return observe(server, writer, readers, minutes)
        finally:
            for thread in [writer, *readers]:
                thread.ends.set()
                if thread.is_alive():
                    thread.join(20)
            server.stop()


def observe(server, writer, readers, minutes):
    problems = []
    context = Browser.get().new_context(viewport={"width": 1280, "height": 800})

    def opened():
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"exception: {error}"))
        page.goto(server.origin + "/" + REQUEST)
        page.wait_for_function("() => globalThis.sectile?.view?.isSettled", timeout=120000)
        return page

    page = opened()
    session = context.new_cdp_session(page)
    for thread in [writer, *readers]:
        thread.start()
    begin = time.monotonic()
    loads, figures, next_look = 0, [], begin + 30
    while time.monotonic() < begin + minutes * 60:
        other = opened()
        other.mouse.move(600, 500)
        other.mouse.wheel(0, 4000)
        other.wait_for_timeout(500)
        other.close()
        loads += 1
        page.wait_for_timeout(1200)
        if time.monotonic() >= next_look:
            next_look += 30
            used, nodes, listeners = heap(page, session)
            figures.append((server.resident_bytes(), used, nodes, listeners))
            print(f"{time.monotonic() - begin:5.0f} s   {writer.commits:6} commits   {loads:4} loads   {sum(r.joins for r in readers):6} joins   "
                  f"server {figures[-1][0] / 1e6:6.1f} MB   page {used / 1e6:5.1f} MB   {nodes:6} nodes   {listeners:5} listeners", flush=True)
    writer.ends.set()
    writer.join()
    page.wait_for_function("() => sectile.view.isSettled && sectile.grid.isDrawn", timeout=120000)
    differences = page.evaluate("sectile.view.verify()")
    if differences:
        problems.append(f"the page differs from a fresh fetch: {differences}")
    third = len(figures) // 3
    for name, column, limit in (("server", 0, SERVER_GROWTH), ("page", 1, PAGE_GROWTH)):
        if third:
            before, after = (statistics.median(row[column] for row in part) for part in (figures[third:2 * third], figures[2 * third:]))
            print(f"{name}: {before / 1e6:.1f} MB in the second third of the time, {after / 1e6:.1f} MB in the last one")
            if after - before > limit:
                problems.append(f"the {name} grew by {(after - before) / 1e6:.1f} MB")
    return problems


class SoakTests(unittest.TestCase):
    def test_nothing_grows(self):
        self.assertEqual(run(float(os.environ.get("SECTILE_SOAK_MINUTES", "10"))), [])
