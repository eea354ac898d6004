"""One row as a whole: its columns, what its keys lead to, and who refers to it."""

import json
import os
import re

from support import BrowserCase

CHINOOK = os.path.join(os.path.dirname(__file__), "..", "SectileCLITests", "Fixtures", "chinook.sql")


class RowTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()

    def open(self, query):
        page = self.page(self.serve().origin + "/" + query)
        self.settle(page)
        return page

    def fields(self, page):
        names = page.locator(".row-fields dt").all_inner_texts()
        return list(zip(names, page.locator(".row-fields dd").all_inner_texts()))

    def test_keys_lead_from_row_to_row(self):
        with open(CHINOOK, encoding="utf-8") as script:
            self.connection.executescript(script.read())
        page = self.open("?table=Album")
        page.keyboard.press("r")
        page.keyboard.press("ArrowDown")
        self.until(lambda: self.fields(page)[:2] == [("AlbumIdkey", "2"), ("Title", "Album 2")], lambda: self.fields(page))
        links = page.locator(".links li")
        self.until(lambda: links.all_inner_texts() == ["ArtistId → Artist Artist 3", "Track · AlbumId 7"], links.all_inner_texts)
        links.nth(1).locator("a").click()
        self.until(lambda: page.evaluate("sectile.state.table") == "Track" and page.evaluate("sectile.view?.isSettled"), "the tracks")
        self.assertEqual(page.evaluate("[sectile.state.where, sectile.view.total]"), ["AlbumId = 2", 7])
        self.until(lambda: len(links.all_inner_texts()) == 5 and links.all_inner_texts()[0] == "AlbumId → Album Album 2", links.all_inner_texts)
        # The row is the one at the cursor, as it is.
        self.connection.execute("UPDATE Track SET Name = 'renamed', Composer = 'x' WHERE AlbumId = 2")
        self.until(lambda: ("Name", "renamed") in self.fields(page) and ("Composer", "x") in self.fields(page), lambda: self.fields(page))
        self.connection.execute("UPDATE Album SET Title = 'also renamed' WHERE AlbumId = 2")
        page.keyboard.press("ArrowDown")
        self.until(lambda: links.all_inner_texts()[0] == "AlbumId → Album also renamed", links.all_inner_texts)
        page.go_back()
        self.until(lambda: page.evaluate("sectile.state.table") == "Album" and page.evaluate("sectile.view?.isSettled"), "back")
        # A click looks at the cell.
        page.locator(".row-fields dd").nth(1).click()
        self.until(lambda: page.inner_text("#panel h2") == "Cell", lambda: page.inner_text("#panel"))

    def test_what_leads_nowhere_is_no_link(self):
        self.connection.executescript("""
          CREATE TABLE target (a INTEGER, b BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID;
          CREATE TABLE named ("na""me" TEXT PRIMARY KEY);
          CREATE TABLE source (id INTEGER PRIMARY KEY, x INTEGER, y BLOB, z TEXT REFERENCES named, w INTEGER REFERENCES nowhere (w),
            FOREIGN KEY (x, y) REFERENCES target);
          INSERT INTO target VALUES (1, x'00ff'); INSERT INTO named VALUES ('it''s <b>'), ('x');
          INSERT INTO source VALUES (1, 1, x'00ff', 'it''s <b>', 5), (2, 1, NULL, 'gone', NULL), (3, 9007199254740993, x'', NULL, NULL);""")
        page = self.open("?table=source&panel=row")
        links = page.locator(".links li")
        self.until(lambda: links.all_inner_texts() == ["x, y → target", "z → named"], links.all_inner_texts)
        links.nth(1).locator("a").click()
        self.until(lambda: page.evaluate("sectile.state.table") == "named" and page.evaluate("sectile.view?.isSettled && sectile.view.total") == 1, "the named one")
        self.until(lambda: links.all_inner_texts() == ["source · z 1"], links.all_inner_texts)
        self.assertEqual(page.locator("#panel b").count(), 0)
        page.go_back()
        self.until(lambda: page.evaluate("sectile.state.table") == "source" and page.evaluate("sectile.view?.isSettled"), "back")
        page.evaluate("sectile.grid.moveTo(1)")
        self.until(lambda: links.all_inner_texts() == ["z → named there is no such row"], links.all_inner_texts)
        page.evaluate("sectile.grid.moveTo(2)")
        self.until(lambda: links.all_inner_texts() == ["x, y → target there is no such row"], links.all_inner_texts)
        self.assertIn("9007199254740993", links.first.locator("a").get_attribute("href"))

    def test_a_row_is_copied(self):
        self.connection.executescript("""
          CREATE TABLE "odd ""table" (id INTEGER PRIMARY KEY, t TEXT, r REAL, b BLOB, n, big INTEGER, bad TEXT);
          INSERT INTO "odd ""table" VALUES (1, 'it''s', 1.5, x'00ff', NULL, 9007199254740993, CAST(x'ff41' AS TEXT));""")
        server = self.serve()
        context = self.context()
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = self.page(server.origin + "/?panel=row", context=context)
        self.settle(page)
        page.get_by_role("button", name="Copy as SQL").click()
        self.until(lambda: page.get_by_role("button", name="Copied").count() == 1, "it is copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        self.connection.text_factory = bytes
        stored = lambda: self.connection.execute('SELECT *, typeof(t), typeof(r), typeof(b), typeof(big), hex(bad) FROM "odd ""table"').fetchall()
        row = stored()
        self.connection.execute('DELETE FROM "odd ""table"')
        self.connection.execute(copied)
        self.assertEqual(stored(), row)
        self.settle(page)
        page.get_by_role("button", name="Copy as JSON").click()
        self.until(lambda: page.evaluate("navigator.clipboard.readText()").startswith("{"), "the JSON is copied")
        self.assertEqual(json.loads(page.evaluate("navigator.clipboard.readText()"))["t"], "it's")

    def test_a_query_has_rows_too(self):
        self.expected_messages = re.compile("^$")
        self.connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT)")
        self.connection.execute("INSERT INTO item VALUES (1, 'a')")
        page = self.open("?sql=SELECT+part,+count(*)+AS+n+FROM+item+GROUP+BY+part&panel=row")
        self.until(lambda: self.fields(page) == [("part", "a"), ("n", "1")], lambda: self.fields(page))
        self.assertEqual(page.locator(".links li").count(), 0)
        self.connection.execute("INSERT INTO item VALUES (2, 'a')")
        self.until(lambda: self.fields(page) == [("part", "a"), ("n", "2")], lambda: self.fields(page))
        self.connection.execute("DELETE FROM item")
        self.until(lambda: "No rows." in page.inner_text("#grid"), lambda: page.inner_text("#grid"))
