"""What the tests of the page share: a server, a file that is written to, a browser."""

import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest
import urllib.request

from playwright.sync_api import sync_playwright

PROGRAM = os.environ.get("SECTILE_PROGRAM", "sectile")
CHROMIUM = os.environ.get("SECTILE_CHROMIUM", "/usr/bin/chromium")


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`sectile serve` over a file, at a port that it keeps when it is started again."""

    def __init__(self, path, *options, token=False):
        self.path = path
        self.port = free_port()
        self.options = list(options) + ([] if token else ["--no-token"])
        self.process = None
        self.output = None

    def start(self):
        self.output = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", self.path, "--port", str(self.port), *self.options],
            stdout=self.output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            found = re.findall(r"http://\S+", self.printed())
            if found and self.answers():
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError("the server does not start: " + self.printed())

    def printed(self):
        self.output.seek(0)
        return self.output.read()

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    @property
    def url(self):
        """The address that was printed last."""
        return re.findall(r"http://\S+", self.printed())[-1]

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def get(self, path):
        with urllib.request.urlopen(self.origin + path, timeout=30) as response:
            return response.read()

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        if self.output:
            self.output.close()


class Browser:
    """One Chromium for all tests."""

    playwright = None
    browser = None

    @classmethod
    def get(cls):
        if cls.browser is None:
            cls.playwright = sync_playwright().start()
            arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
            # The tests ask for the heap of the page.
            arguments += ["--enable-precise-memory-info"]
            cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        return cls.browser

    @classmethod
    def close(cls):
        if cls.browser is not None:
            cls.browser.close()
            cls.playwright.stop()
            cls.browser = None


# What a browser itself writes to the console when a server goes away.
LOST = re.compile(r"net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INTERNET_DISCONNECTED)")


class BrowserCase(unittest.TestCase):
    """A test with a folder, a server and pages; anything on the console of a page fails it."""

    # Console messages that a test provokes.
    expected_messages = None

    def setUp(self):
        self.messages = []
        self.folder = tempfile.TemporaryDirectory(prefix="sectile-browser-")
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(self.check_messages)

    def check_messages(self):
        allowed = self.expected_messages
        stray = [text for text in self.messages if not (allowed and allowed.search(text))]
        self.assertEqual(stray, [], "the console of the page must stay empty")

    def database(self, name="app.db"):
        connection = sqlite3.connect(os.path.join(self.folder.name, name), isolation_level=None, timeout=20)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
        self.addCleanup(connection.close)
        return connection

    def serve(self, *options, name="app.db", token=False):
        server = Server(os.path.join(self.folder.name, name), *options, token=token)
        self.addCleanup(server.stop)
        return server.start()

    def context(self, **options):
        options.setdefault("viewport", {"width": 1280, "height": 800})
        context = Browser.get().new_context(**options)
        context.set_default_timeout(120000)
        self.addCleanup(context.close)
        return context

    def page(self, url, context=None, **options):
        page = (context or self.context(**options)).new_page()
        page.on("console", lambda message: self.noted(message.type, message.text, message.location))
        page.on("pageerror", lambda error: self.messages.append(f"exception: {error}"))
        # A violation of the content security policy, also where the console would not say so.
        page.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error('CSP', e.violatedDirective, e.blockedURI))")
        page.goto(url)
        return page

    def noted(self, kind, text, location):
        if kind in ("error", "warning", "assert"):
            self.messages.append(f"{kind}: {text} ({location.get('url', '')})")

    def settle(self, page):
        """Waits until the page shows all of the version that it holds."""
        page.wait_for_function(
            "() => globalThis.sectile?.view?.isSettled && sectile.grid.isDrawn", timeout=120000)

    def until(self, condition, what, timeout=120):
        """Waits until a condition holds, and returns what it gives. The limit is there for what never comes."""
        deadline = time.monotonic() + timeout
        while True:
            result = condition()
            if result:
                return result
            if time.monotonic() > deadline:
                self.fail(f"not within {timeout} s: {what() if callable(what) else what}")
            time.sleep(0.02)


# What a page holds and shows, as plain values.
SNAPSHOT = """() => {
  const { view, grid } = sectile
  const edge = grid.scroll.top
  return {
    version: view.version, total: view.total, aggregates: view.aggregates,
    sections: view.sections.map(s => [s.header.identity, s.count, s.header.aggregates ?? null, s.header.title]),
    held: [...view.rows()].filter(([, row]) => !row.stale).map(([rank, row]) => [rank, row.id, row.cells]).sort((a, b) => a[0] - b[0]),
    rows: [...document.querySelectorAll('.canvas > .row:not(.gone)')].map(e => ({
      rank: e.rank, id: e.dataset.id, y: e.y + grid.scroll.shift, index: Number(e.getAttribute('aria-rowindex')),
      cells: [...e.children].map(c => c.textContent), busy: e.getAttribute('aria-busy'),
      lost: e.classList.contains('lost') ? e.dataset.lost : null })),
    headers: [...document.querySelectorAll('.canvas > .section')].map(e => [JSON.parse(e.dataset.identity), e.querySelector('.count').textContent]),
    settled: view.isSettled && grid.isDrawn, statistics: view.statistics, top: edge, clamps: grid.scroll.clamps,
    first: grid.first, firstRow: view.row(grid.first.rank)?.id ?? null
  }
}"""

# Pages of one window are all in sight to Playwright: which one is looked at is said instead.
HIDE = """isHidden => {
  Object.defineProperty(document, "visibilityState", { value: isHidden ? "hidden" : "visible", configurable: true })
  document.dispatchEvent(new Event("visibilitychange"))
}"""
