"""All tabs of a browser share one stream: whoever carries it may be closed, frozen or crash, and the others go on."""

import contextlib
import json
import os
import re
import signal

from playwright.sync_api import Error
from support import HIDE, LOST, SNAPSHOT, BrowserCase

QUERIES = ["table=item", "table=item&sort=name", "table=item&section-by=part", "table=item&where=id+%25+2", "table=item&sort=id+DESC&limit=30"]

# The channel that the pages of an origin share, as sectile.js names it.
CHANNEL = "new BroadcastChannel(`sectile 1 ${location.origin}/api`)"


def parent(process):
    with contextlib.suppress(OSError), open(f"/proc/{process}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def renderers():
    """The processor time of each process of this browser that has pages."""
    found = {}
    for process in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as line, open(f"/proc/{process}/stat") as stat:
            ancestor = process
            while ancestor and ancestor != os.getpid():
                ancestor = parent(ancestor)
            if ancestor and b"--type=renderer" in line.read():
                fields = stat.read().rsplit(")", 1)[1].split()
                found[process] = int(fields[11]) + int(fields[12])
    return found


def renderer(page):
    """The process of a page: that which works when the page does."""
    before = renderers()
    page.evaluate("() => { const end = performance.now() + 1500; while (performance.now() < end); }")
    after = renderers()
    return max(after, key=lambda process: after[process] - before.get(process, 0))


class TabCase(BrowserCase):
    expected_messages = LOST

    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT, name TEXT)")
        self.connection.executemany("INSERT INTO item VALUES (?, ?, ?)", [(id, "abc"[id % 3], f"n{id * 7 % 50}") for id in range(1, 51)])
        self.server = self.serve()
        self.last = 50

    def commit(self, count=1):
        for _ in range(count):
            self.last += 1
            self.connection.execute("INSERT INTO item VALUES (?, ?, ?)", (self.last, "abcd"[self.last % 4], f"n{self.last % 60}"))
            self.connection.execute("DELETE FROM item WHERE id = ?", (self.last - 50,))
            self.connection.execute("UPDATE item SET part = 'e', name = 'm' || id WHERE id = ?", (self.last - 20,))

    def tabs(self, count, queries=QUERIES[:1], context=None, clock=False):
        context = context or self.context()
        pages = []
        for number in range(count):
            page = self.page("about:blank", context)
            if clock:
                page.clock.install()
            page.goto(f"{self.server.origin}/?{queries[number % len(queries)]}")
            pages.append(page)
        return pages

    def state(self, page):
        return page.evaluate("globalThis.sectile?.view?.state ?? 'none'")

    def stats(self):
        return json.loads(self.server.get("/api/stats"))

    def streams(self):
        return self.stats()["streams"]

    def clients(self):
        """How many clients all views have."""
        return sum(view["clients"] for view in self.stats()["views"])

    @contextlib.contextmanager
    def stopped(self, page):
        """The process of a page stands still meanwhile."""
        process = renderer(page)
        os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process, signal.SIGCONT)

    def leaders(self, pages):
        return [page for page in pages if page.evaluate("globalThis.sectile?.connection?.carriesStream ?? false")]

    def leader(self, pages):
        return self.until(lambda: (found := self.leaders(pages)) and len(found) == 1 and found, "one page carries the stream")[0]

    def equal(self, pages, message=""):
        """All are live, and hold what SQL says and what the server tells anew."""
        for number, page in enumerate(pages):
            self.until(lambda: self.state(page) == "open", lambda: f"{message}: tab {number} is {self.state(page)}")
            self.assertEqual(page.evaluate("sectile.view.verify()"), [], f"{message}: tab {number}")
        newest, = self.connection.execute("SELECT max(id) FROM item").fetchone()
        for number, page in enumerate(pages):
            rows = lambda: page.evaluate("async () => (await fetch(sectile.view.url('rows', { count: 200 })).then(r => r.json())).rows.map(row => [row.id, row.cells])")

            def shown():
                held = page.evaluate(SNAPSHOT)
                return held["settled"] and held["held"] and [each[1:] for each in held["held"]] == rows()[:len(held["held"])]
            self.until(shown, f"{message}: tab {number} shows what is fetched")
            self.assertEqual(page.locator("#facts .state").inner_text(), "Live", message)
        self.assertEqual(newest, self.last)

    def resets(self, pages):
        return [page.evaluate("sectile.view.statistics.resets") for page in pages]

    def others_go_on(self, pages, before, message):
        """Another one of the pages carries the stream, and none of them began anew."""
        self.leader(pages)
        self.commit(3)
        self.equal(pages, message)
        self.assertEqual(self.resets(pages), before, f"{message}: they go on from their positions")
        self.assertEqual({page.evaluate("sectile.view.statistics.misfits") for page in pages}, {0})


class TabTests(TabCase):
    def test_twenty_tabs(self):
        pages = self.tabs(20, QUERIES)
        self.equal(pages, "opened")
        self.leader(pages)
        # A stream has room for sixteen views.
        self.assertEqual(self.streams(), 2)
        for _ in range(5):
            self.commit(4)
            # Answers come while all are open.
            self.assertEqual(pages[-1].evaluate("fetch('/api/rows?table=item').then(answer => answer.status)"), 200)
        self.equal(pages, "after commits")
        self.assertEqual(set(self.resets(pages)), {1})
        # Those that leave are told of nothing any more; one stream does.
        for page in pages[10:]:
            page.close()
        left = pages[:10]
        self.leader(left)
        self.until(lambda: self.streams() == 1, self.streams)
        self.until(lambda: self.clients() == 10, "ten views have clients")
        self.commit()
        self.equal(left, "ten are left")

    def test_the_leader_is_closed(self):
        pages = self.tabs(4)
        self.equal(pages, "opened")
        while len(pages) > 1:
            leader = self.leader(pages)
            pages.remove(leader)
            before = self.resets(pages)
            leader.close()
            self.others_go_on(pages, before, "closed")
            self.assertEqual(self.streams(), 1)
        pages[0].close()
        self.until(lambda: self.streams() == 0, "no stream is left")

    def test_the_leader_goes_elsewhere(self):
        pages = self.tabs(3)
        self.equal(pages, "opened")
        leader = self.leader(pages)
        others = [page for page in pages if page is not leader]
        before = self.resets(others)
        leader.goto("about:blank")
        self.others_go_on(others, before, "left")
        leader.go_back()
        self.equal(pages, "back")
        self.leader(pages)

    def test_the_leader_is_frozen(self):
        """A browser says so before it freezes a hidden page."""
        pages = self.tabs(3)
        self.equal(pages, "opened")
        leader = self.leader(pages)
        others = [page for page in pages if page is not leader]
        before = self.resets(pages)
        leader.evaluate("document.dispatchEvent(new Event('freeze')), sectile.connection.state")
        self.assertEqual(self.state(leader), "asleep")
        self.others_go_on(others, [before[pages.index(page)] for page in others], "frozen")
        leader.evaluate("document.dispatchEvent(new Event('resume'))")
        self.equal(pages, "active")
        self.assertIn(self.leader(pages), others)
        self.assertEqual(self.resets(pages), before)

    def test_the_leader_stands_still(self):
        """It says nothing, not even that it is frozen: its process is stopped."""
        pages = self.tabs(3)
        self.equal(pages, "opened")
        leader = self.leader(pages)
        others = [page for page in pages if page is not leader]
        before = self.resets(pages)
        with self.stopped(leader):
            self.others_go_on(others, [before[pages.index(page)] for page in others], "stopped")
        self.equal(pages, "goes on")
        # It has noticed that another one leads.
        self.assertIn(self.leader(pages), others)
        self.until(lambda: self.streams() == 1, self.streams)
        self.assertEqual(self.resets(pages), before)

    def test_the_leader_crashes(self):
        pages = self.tabs(3)
        self.equal(pages, "opened")
        leader = self.leader(pages)
        others = [page for page in pages if page is not leader]
        before = self.resets(others)
        crashed = []
        leader.on("crash", lambda page: crashed.append(page))
        with contextlib.suppress(Error):
            leader.goto("chrome://crash", timeout=5000)
        # Events come while something is asked for.
        self.until(lambda: others[0].evaluate("true") and crashed, "the page has crashed")
        self.others_go_on(others, before, "crashed")
        self.assertEqual(self.streams(), 1)

    def test_a_tab_that_does_not_read(self):
        """What is told a page that stands still is kept for it up to four megabytes; it goes on from its position."""
        self.connection.execute("CREATE TABLE wide (id INTEGER PRIMARY KEY, n INTEGER)")
        self.connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO wide SELECT i, 0 FROM n")
        pages = self.tabs(2, ["table=item", "table=wide"])
        # The first one carries the stream.
        self.until(lambda: self.state(pages[1]) == "open" and self.state(pages[0]) == "open", "both are live")
        self.assertEqual(self.leader(pages), pages[0])
        self.assertEqual(self.clients(), 2)
        with self.stopped(pages[1]):
            for _ in range(12):
                self.connection.execute("UPDATE wide SET n = n + 1")
                pages[0].wait_for_timeout(200)
            self.until(lambda: self.clients() == 1, "its view was closed")
            self.connection.execute("DELETE FROM wide WHERE id > 100")
        self.until(lambda: pages[1].evaluate("sectile.view.total") == 100 and self.state(pages[1]) == "open", lambda: self.state(pages[1]))
        self.assertEqual(pages[1].evaluate("sectile.view.verify()"), [])
        self.equal(pages[:1], "the other one")

    def test_a_hidden_tab(self):
        shown, hidden = pages = self.tabs(2, clock=True)
        self.equal(pages, "opened")
        before = self.resets(pages)
        # Whoever carries the stream hands it on.
        self.assertEqual(self.leader(pages), shown)
        shown, hidden = hidden, shown
        hidden.evaluate(HIDE, True)
        hidden.clock.fast_forward(50000)
        self.commit()
        self.equal(pages, "hidden for less than a minute")
        hidden.clock.fast_forward(11000)
        self.until(lambda: self.state(hidden) == "asleep", lambda: self.state(hidden))
        self.assertEqual(self.leader([shown]), shown)
        self.until(lambda: self.clients() == 1, "one view is left")
        self.commit()
        self.equal([shown], "the other one")
        hidden.evaluate(HIDE, False)
        self.equal(pages, "shown again")
        self.assertEqual(self.resets(pages), before)
        self.assertEqual(self.leader(pages), shown)
        for page in pages:
            page.evaluate(HIDE, True)
            page.clock.fast_forward(61000)
        self.until(lambda: self.streams() == 0, "nobody looks")
        hidden.evaluate(HIDE, False)
        self.commit()
        self.equal([hidden], "the first one that is shown again")
        self.assertEqual(self.resets([hidden]), before[:1])

    def test_a_stopped_server(self):
        pages = self.tabs(3, clock=True)
        self.equal(pages, "opened")
        leader = self.leader(pages)
        self.server.process.send_signal(signal.SIGSTOP)
        try:
            # Three heartbeats of five seconds; one more where a page was held back.
            for _ in range(4):
                for page in pages:
                    page.clock.fast_forward(5500)
            for page in pages:
                self.until(lambda: page.locator("#facts .state").inner_text().startswith("Not live"), lambda: page.locator("#facts .state").inner_text())
        finally:
            self.server.process.send_signal(signal.SIGCONT)

        def live():
            for page in pages:
                page.clock.fast_forward(1000)
            return {self.state(page) for page in pages} == {"open"}
        self.until(live, "all are live")
        self.commit()
        self.equal(pages, "after that")
        self.assertEqual(self.leader(pages), leader)

    def test_another_file(self):
        other = self.database("other.db")
        other.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT, name TEXT)")
        other.execute("INSERT INTO item VALUES (7, 'o', 'of the other')")
        pages = self.tabs(3)
        self.equal(pages, "opened")
        self.connection.execute("CREATE TABLE more (id INTEGER PRIMARY KEY)")
        for page in pages:
            self.until(lambda: page.locator("#tables li").count() == 2, "every tab is told of the table")
        self.server.kill()
        self.server.path = os.path.join(self.folder.name, "other.db")
        self.server.start()
        for page in pages:
            self.until(lambda: "another file now: other.db" in page.inner_text("#notice"), lambda: page.inner_text("#notice"))
            self.until(lambda: self.state(page) == "open" and page.evaluate("sectile.view.total") == 1, lambda: self.state(page))

    def test_what_others_write_on_the_channel(self):
        """Messages are data: none of these ends, delays or changes anything for long."""
        pages = self.tabs(2)
        self.equal(pages, "opened")
        stranger = self.page(self.server.origin + "/example.html?table=item", pages[0].context)
        junk = """() => {
          globalThis.channel = %s
          globalThis.heard = []
          channel.onmessage = event => heard.push(event.data)
          const junk = [null, 5, "text", [], {}, { member: 5 }, { type: "join" }, { type: "leader" }, { type: "leader", leader: 5 },
            { type: "join", member: "x" }, { type: "open", member: "x", number: 1, query: "as=v1&table=item", position: "no" },
            { type: "open", member: "x", number: {}, query: null }, { type: "close", member: "x", number: 7 }, { type: "here", member: "x" },
            { type: "part", member: "y" }, { type: "gone", leader: "x" }, { type: "event", number: 1, kind: "constructor", data: "}" }]
          for (const each of junk) channel.postMessage(each)
        }""" % CHANNEL
        stranger.evaluate(junk)
        self.commit(2)
        self.equal(pages, "after what means nothing")
        # One that leads answers, too.
        stranger.evaluate("channel.postMessage({ type: 'leader', leader: 'nobody' })")
        self.commit()
        self.equal(pages, "after a leader that is none")
        self.assertEqual(self.resets(pages), [1, 1])
        # The server refuses what is no request. It was the channel that the tabs use.
        self.expected_messages = re.compile(LOST.pattern + "|status of 400")
        self.assertIn("join", stranger.evaluate("JSON.stringify(heard)"))


class SessionTests(TabCase):
    def test_the_session_is_not_told(self):
        server = self.serve(token=True)
        context = self.context()
        page = self.page(server.url, context)
        self.settle(page)
        page.evaluate("() => { globalThis.heard = []; globalThis.channel = %s; channel.onmessage = event => heard.push(event.data) }" % CHANNEL)
        other = self.page(server.origin + "/?table=item", context)
        self.settle(other)
        heard = json.dumps(page.evaluate("heard"))
        self.assertIn('"open"', heard)
        for cookie in context.cookies():
            self.assertNotIn(cookie["value"], heard)

    def test_somebody_else(self):
        """A stream belongs to who opened it: after another session begins in the browser, none is used that is not its own."""
        server = self.serve(token=True)
        context = self.context()
        first = self.page(server.url, context)
        self.settle(first)
        self.until(lambda: len(re.findall(r"http://\S+", server.printed())) == 2, "the next address")
        self.expected_messages = re.compile(LOST.pattern + "|status of 40[14]")
        context.clear_cookies()
        second = self.page(server.url, context)
        for page in (first, second):
            self.until(lambda: self.state(page) == "open", lambda: self.state(page))
            self.settle(page)
        self.connection.execute("DELETE FROM item WHERE id > 10")
        for page in (first, second):
            self.until(lambda: page.evaluate("sectile.view.total") == 10, "they follow")


class FallBackTests(TabCase):
    def alone(self, what):
        context = self.context()
        context.add_init_script(f"delete globalThis.{what}" if what == "BroadcastChannel"
                                else "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
        return context

    def test_without_channels(self):
        context = self.alone("BroadcastChannel")
        pages = self.tabs(7, context=context)
        facts = lambda page: page.locator("#facts .state").inner_text()
        live = lambda: [page for page in pages if facts(page) == "Live"]
        self.until(lambda: len(live()) == 4, lambda: str([facts(page) for page in pages]))
        waiting = [page for page in pages if page not in live()]
        for page in waiting:
            # It says why it shows nothing, and does not claim to be live.
            self.until(lambda: "six connections" in page.locator("#notice").inner_text(), lambda: page.locator("#notice").inner_text())
            self.assertEqual(page.locator("#tables li").count(), 1)
        # One that is closed leaves its place to the next, and so do those that nobody looks at, at once.
        live()[0].close()
        pages = [page for page in pages if not page.is_closed()]
        self.until(lambda: len(live()) == 4, lambda: str([facts(page) for page in pages]))
        for page in pages[:-1]:
            page.evaluate(HIDE, True)
        self.commit()
        self.equal(pages[-1:], "the only one in sight")
        self.until(lambda: self.streams() == 1, "one stream is left")
        # Shown again, it goes on where it was.
        asleep = pages[0]
        before = self.resets([asleep])
        self.assertEqual(facts(asleep), "Asleep")
        asleep.evaluate(HIDE, False)
        self.equal([asleep], "the page that is shown again")
        if before != [0]:
            self.assertEqual(self.resets([asleep]), before)

    def test_without_locks(self):
        pages = self.tabs(2, context=self.alone("locks"))
        self.equal(pages, "opened")
        self.assertEqual(len(self.leaders(pages)), 2)
        self.assertEqual(self.streams(), 2)
        self.commit()
        self.equal(pages, "after a commit")

    def test_by_choice(self):
        page, = self.tabs(1)
        self.equal([page], "opened")
        page.evaluate("""async () => {
          const { subscribe } = await import("/sectile.js")
          globalThis.own = subscribe("/api", { table: "item" }, {}, { sharesStream: false })
          globalThis.shared = subscribe("/api", { table: "item" })
        }""")
        self.until(lambda: page.evaluate("own.state + shared.state") == "openopen", lambda: page.evaluate("own.state + shared.state"))
        self.assertEqual(self.streams(), 2)
        page.evaluate("own.close()")
        self.until(lambda: self.streams() == 1, self.streams)
        self.commit()
        self.until(lambda: page.evaluate("shared.version === sectile.view.version && shared.total === 50"), "the one beside it follows")
