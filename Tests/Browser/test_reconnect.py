"""The server is killed and comes back: the page goes on, and ends equal."""

import re

from comparing import REQUESTS, ComparingCase
from support import LOST, SNAPSHOT
from writer import Writer


class ReconnectTests(ComparingCase):
    expected_messages = LOST

    def test_killed_and_started_again(self):
        request = REQUESTS["grouped"]
        connection = self.database()
        writer = Writer(connection, "reconnect")
        for _ in range(150):
            writer.transaction()
        server = self.serve()
        page = self.page(f"{server.origin}/?{request.query}")
        self.settle(page)
        for _ in range(3):
            page.evaluate("sectile.grid.element.scrollTop = 1500")
            page.wait_for_timeout(100)
            self.settle(page)
            before = page.evaluate(SNAPSHOT)
            server.kill()
            for _ in range(30):
                writer.transaction()
            self.until(lambda: page.locator("#facts .dot.lost").count() == 1, "the page says that the connection is lost")
            server.start()
            self.compared(page, connection, request)
            self.until(lambda: page.locator("#facts .dot.open").count() == 1, "the page says that it is live")
            self.check_found_again(page, connection, request, before)
            for _ in range(10):
                writer.transaction()
            state = self.compared(page, connection, request)
            self.assertEqual(page.evaluate("sectile.view.verify()"), [])
            self.assertEqual(state["statistics"]["misfits"], 0)
        self.assertGreaterEqual(state["statistics"]["resets"] + state["statistics"]["keyed"], 4)
        page.close()

    def test_paused_while_the_server_is_started_again(self):
        """The contents are given anew: what was read goes on to be shown, and nothing else is shown in its place."""
        request = REQUESTS["plain"]
        connection = self.database()
        writer = Writer(connection, "paused")
        for _ in range(60):
            writer.transaction()
        connection.executemany("INSERT INTO item VALUES (?, 'p', 1, ?, 1)", [(id, f"z{id}") for id in range(10000, 11000)])
        server = self.serve()
        page = self.page(f"{server.origin}/?{request.query}")
        self.settle(page)
        self.compared(page, connection, request)
        page.evaluate("sectile.togglePause()")
        self.settle(page)
        before = page.evaluate(SNAPSHOT)
        server.kill()
        for _ in range(30):
            writer.transaction()
        server.start()
        self.until(lambda: page.evaluate("sectile.view.pending?.isMore"), "the contents were given anew")
        after = page.evaluate(SNAPSHOT)
        for part in ("total", "held", "sections"):
            self.assertEqual(before[part], after[part])
        page.evaluate("sectile.grid.moveTo(sectile.view.total - 1)")
        self.settle(page)
        self.assertEqual({row["lost"] for row in page.evaluate(SNAPSHOT)["rows"]}, {"not read before the pause"})
        page.evaluate("sectile.togglePause()")
        self.compared(page, connection, request)
        self.assertEqual(page.evaluate("sectile.view.verify()"), [])
        page.close()

    def check_found_again(self, page, connection, request, before):
        """The row at the upper edge is found again where it is now, if that is not far away."""
        rows, _, _ = request.expected(connection)
        ranks = [rank for rank, row in enumerate(rows) if [row[0]] == before["firstRow"]]
        was = next(rank for rank, id, _ in before["held"] if id == before["firstRow"])
        if not ranks or abs(ranks[0] - was) > 100:
            return
        self.until(lambda: page.evaluate(SNAPSHOT)["firstRow"] == before["firstRow"], "the row at the upper edge is found again")

    def test_a_break_that_the_server_survives(self):
        request = REQUESTS["grouped"]
        connection = self.database()
        writer = Writer(connection, "break")
        for _ in range(150):
            writer.transaction()
        server = self.serve()
        context = self.context()
        page = self.page(f"{server.origin}/?{request.query}", context)
        self.settle(page)
        for _ in range(3):
            context.set_offline(True)
            # An open stream goes on when a browser is set off line: it is ended as a proxy would end it.
            page.evaluate("sectile.connection.restart()")
            for _ in range(20):
                writer.transaction()
            page.wait_for_timeout(300)
            context.set_offline(False)
            state = self.compared(page, connection, request)
        # It went on from its position, with the changesets that it missed.
        self.assertEqual(state["statistics"]["resets"], 1)
        self.assertEqual(state["statistics"]["misfits"], 0)
        page.close()

    def test_a_cookie_that_is_gone(self):
        connection = self.database()
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        connection.execute("INSERT INTO item VALUES (1, 'one')")
        server = self.serve(token=True)
        context = self.context()
        page = self.page(server.url, context)
        self.settle(page)
        self.assertNotIn("token", page.evaluate("location.href"))
        server.kill()
        connection.execute("INSERT INTO item VALUES (2, 'two')")
        server.start()
        self.expected_messages = re.compile(LOST.pattern + "|status of 401")
        self.until(lambda: "Open the address" in page.locator("#notice").inner_text(), "the notice")
        self.assertTrue(page.locator("#notice").is_visible())
        # The new address in the same browser lets both pages in.
        other = self.page(server.url, context)
        self.settle(other)
        self.until(lambda: page.evaluate("sectile.view.total") == 2 and page.locator("#notice").is_hidden(), "the page goes on")
        self.until(lambda: page.locator(".row:not(.gone)").count() == 2, "both rows")
        page.close()
        other.close()
