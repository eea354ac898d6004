"""Figures of a million rows: printed, not asserted. Times hold for the build that is measured, and this machine."""

import http.client
import os
import subprocess
import threading
import time
import unittest

from support import PROGRAM, Browser, BrowserCase

ROWS = int(os.environ.get("SECTILE_ROWS", "1000000"))
COMMITS = int(os.environ.get("SECTILE_COMMITS", "200"))

# Resolves to the time at which a text stands in a cell of the page, in milliseconds.
SEEN = """text => new Promise(done => {
  const look = () => {
    for (const cell of document.querySelectorAll('.row:not(.gone) .cell:nth-child(4)')) {
      if (cell.textContent === text) {
        observer.disconnect()
        return done(performance.timeOrigin + performance.now())
      }
    }
  }
  const observer = new MutationObserver(look)
  observer.observe(document.querySelector('.canvas'), { childList: true, subtree: true, characterData: true })
  globalThis.watching = text
  look()
})"""


def megabytes(bytes):
    return f"{bytes / 1e6:.0f} MB"


def renderer_bytes():
    """The memory of the browser's pages."""
    most = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if b"--type=renderer" not in file.read():
                    continue
            with open(f"/proc/{pid}/statm") as file:
                most = max(most, int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE"))
        except OSError:
            pass
    return most


class Client(threading.Thread):
    """A program that reads a stream of events."""

    def __init__(self, server, query):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self.connection.request("GET", f"/api/events?{query}")
        self.answer = self.connection.getresponse()
        self.changes = 0

    def run(self):
        try:
            for line in self.answer:
                if line == b"event: changes\n":
                    self.changes += 1
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass


class Figures(BrowserCase):
    def test_a_million_rows(self):
        connection = self.database()
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, part INTEGER NOT NULL, place REAL NOT NULL, name TEXT)")
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            "INSERT INTO item SELECT i, i * 7919 % 50, i, 'name ' || i FROM n", (ROWS,))
        connection.execute("CREATE INDEX item_in_part ON item (part, place, id)")
        # Without it the rows are read again, and compared, at each commit of another process.
        if os.environ.get("SECTILE_LOG", "1") == "1":
            subprocess.run([PROGRAM, "log", os.path.join(self.folder.name, "app.db"), "enable"], check=True, capture_output=True)
        server = self.serve("--query-timeout", "120")
        print(f"\n{PROGRAM}, {ROWS:,} rows in 50 sections; empty server {megabytes(server.resident_bytes())}")
        begin = time.monotonic()
        page = self.page(f"{server.origin}/?table=item&section-by=part&sort=place")
        page.wait_for_function("() => document.querySelectorAll('.row .cell').length > 20", timeout=300000)
        print(f"first rows of a view that nobody had: {time.monotonic() - begin:.2f} s")
        self.settle(page)
        begin = time.monotonic()
        other = self.page(f"{server.origin}/?table=item&section-by=part&sort=place")
        other.wait_for_function("() => document.querySelectorAll('.row .cell').length > 20", timeout=60000)
        print(f"first rows of a view that is there: {time.monotonic() - begin:.2f} s")
        other.close()
        self.jump(page)
        print(f"memory: server {megabytes(server.resident_bytes())}, the page's heap {megabytes(page.evaluate('performance.memory.usedJSHeapSize'))}, its process {megabytes(renderer_bytes())}")
        self.latency(page, connection, "1 client")
        clients = [Client(server, "table=item&section-by=part&sort=place") for _ in range(50)]
        for client in clients:
            client.start()
        time.sleep(2)
        self.latency(page, connection, "1 client and 50 streams")
        print(f"the 50 were told of {min(c.changes for c in clients)} to {max(c.changes for c in clients)} changesets")
        print(f"memory: server {megabytes(server.resident_bytes())}, the page's heap {megabytes(page.evaluate('performance.memory.usedJSHeapSize'))}, its process {megabytes(renderer_bytes())}")
        print(page.evaluate("sectile.view.statistics"), f"{COMMITS} commits twice", flush=True)
        for client in clients:
            client.connection.sock.close()
        page.close()

    def jump(self, page):
        """How long until rows far away are there."""
        times = []
        for share in (0.5, 0.9, 0.1, 0.7, 0.3, 1, 0):
            begin = time.monotonic()
            page.evaluate("share => { const e = sectile.grid.element; e.scrollTop = share * (e.scrollHeight - e.clientHeight) }", share)
            page.wait_for_timeout(20)
            self.settle(page)
            times.append(time.monotonic() - begin)
        print(f"jumps of the scroll bar: median {sorted(times)[len(times) // 2] * 1000:.0f} ms, longest {max(times) * 1000:.0f} ms")

    def latency(self, page, connection, title):
        id = page.evaluate("sectile.view.row(sectile.grid.first.rank + 3).id[0]")
        times = []
        for number in range(COMMITS):
            text = f"{title} {number}"
            page.evaluate(f"text => {{ globalThis.seen = ({SEEN})(text) }}", text)
            connection.execute("UPDATE item SET name = ? WHERE id = ?", (text, id))
            committed = time.time() * 1000
            times.append(page.evaluate("globalThis.seen") - committed)
        times.sort()
        print(f"commit to page, {title}: p50 {times[len(times) // 2]:.0f} ms, p99 {times[int(len(times) * 0.99) - 1]:.0f} ms, longest {times[-1]:.0f} ms", flush=True)


if __name__ == "__main__":
    unittest.main()
