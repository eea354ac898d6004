"""Whether a page is live, and what it says where it is not; another file."""

import os
import re
import signal

from support import LOST, BrowserCase


class LifeTests(BrowserCase):
    expected_messages = LOST

    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        self.connection.execute("INSERT INTO item VALUES (1, 'one'), (2, 'two')")

    def facts(self, page):
        return page.locator("#facts .state").inner_text()

    def shows(self, page, count, message="the rows"):
        # Rows have their places before they are read.
        is_read = lambda: page.evaluate("sectile.view?.isSettled ?? false")
        self.until(
            lambda: page.locator(".row:not(.gone)").count() == count and self.facts(page) == "Live" and is_read(),
            lambda: f"{message}: {self.facts(page)}")

    def test_a_stopped_server_is_not_live(self):
        server = self.serve()
        page = self.context().new_page()
        page.clock.install()
        page.goto(server.origin + "/?table=item")
        self.shows(page, 2)
        server.process.send_signal(signal.SIGSTOP)
        try:
            self.connection.execute("INSERT INTO item VALUES (3, 'three')")
            # Three heartbeats of five seconds; one more where the page was held back.
            for _ in range(4):
                page.clock.fast_forward(5500)
            self.until(lambda: self.facts(page).startswith("Not live"), lambda: self.facts(page))
            self.assertTrue(page.locator("#notice").is_visible())
        finally:
            server.process.send_signal(signal.SIGCONT)
        self.until(lambda: page.clock.fast_forward(1000) or self.facts(page) == "Live", lambda: self.facts(page))
        self.shows(page, 3)
        self.assertFalse(page.locator("#notice").is_visible())
        page.close()

    def test_an_answer_that_does_not_come(self):
        page = self.page("about:blank")
        server = self.serve()
        page.clock.install()
        # As where all connections of the browser are taken.
        page.route("**/api/rows?*", lambda route: None)
        page.goto(server.origin + "/?table=item")
        self.until(lambda: page.evaluate("globalThis.sectile?.view?.isLoaded"), "the sections")
        self.until(lambda: page.clock.fast_forward(6000) or self.facts(page).startswith("Waiting"), lambda: self.facts(page))
        self.assertIn("not answered", page.locator("#notice").inner_text())
        page.close()

    def test_another_file_at_the_same_port(self):
        other = self.database("other.db")
        other.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        other.execute("CREATE TABLE more (id INTEGER PRIMARY KEY)")
        other.execute("INSERT INTO item VALUES (7, 'of the other')")
        third = self.database("third.db")
        third.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
        server = self.serve()
        page = self.page(server.origin + "/?table=item")
        self.shows(page, 2)
        # No row may be there under another file's name.
        page.evaluate("""() => {
          globalThis.mixed = []
          new MutationObserver(() => {
            const name = document.getElementById("file").textContent
            const rows = [...document.querySelectorAll(".row:not(.gone) .cell")].map(e => e.textContent)
            if (rows.includes("of the other") !== (name === "other.db") && rows.some(Boolean)) mixed.push([name, rows])
          }).observe(document.body, { subtree: true, childList: true, characterData: true })
        }""")
        server.kill()
        server.path = os.path.join(self.folder.name, "other.db")
        server.start()
        self.shows(page, 1, "the row of the other file")
        self.assertEqual(page.inner_text("#file"), "other.db")
        self.assertEqual(page.title(), "item · other.db")
        self.assertIn("another file now: other.db, not app.db", page.inner_text("#notice"))
        self.assertEqual(page.locator("#tables li").count(), 2)
        self.assertEqual(page.evaluate("mixed"), [])
        server.kill()
        server.path = os.path.join(self.folder.name, "third.db")
        server.start()
        self.until(lambda: page.inner_text("#file") == "third.db", "the third file")
        self.until(lambda: "there is no table 'item' in third.db" in page.inner_text("#query .error"), lambda: page.inner_text("#query .error"))
        self.assertEqual(page.locator(".row").count(), 0)
        self.assertEqual(page.locator("#tables li").count(), 1)
        self.assertNotEqual(self.facts(page), "Live")
        self.expected_messages = re.compile(LOST.pattern + "|status of 40")

    def test_another_file_of_the_same_name(self):
        os.mkdir(os.path.join(self.folder.name, "staging"))
        staging = self.database("staging/app.db")
        staging.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        server = self.serve()
        page = self.page(server.origin + "/?table=item")
        self.shows(page, 2)
        server.kill()
        server.path = staging_path = os.path.join(self.folder.name, "staging/app.db")
        server.start()
        self.until(lambda: "another file now, of the same name" in page.inner_text("#notice"), lambda: page.inner_text("#notice"))
        self.shows(page, 0)
        page.get_by_role("button", name="I see").click()
        self.assertFalse(page.locator("#notice").is_visible())
        # The same file again is no other one.
        server.kill()
        server.start()
        self.shows(page, 0)
        self.assertFalse(page.locator("#notice").is_visible())
        self.assertNotIn(self.folder.name, page.content())
        self.assertTrue(os.path.exists(staging_path))

    def test_the_table_is_dropped(self):
        self.connection.execute("CREATE TABLE other (id INTEGER PRIMARY KEY)")
        server = self.serve()
        page = self.page(server.origin + "/?table=item")
        self.shows(page, 2)
        self.connection.execute("DROP TABLE item")
        self.until(lambda: "There is no table “item” in the file any more" in page.inner_text("#query .error"), lambda: page.inner_text("#query .error"))
        self.assertEqual(page.locator(".row:not(.gone)").count(), 0)
        self.assertNotEqual(self.facts(page), "Live")
        self.connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        self.connection.execute("INSERT INTO item VALUES (5, 'back')")
        self.shows(page, 1, "it is back")
        self.assertFalse(page.locator("#query .error").is_visible())
