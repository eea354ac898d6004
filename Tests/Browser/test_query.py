"""A SELECT in the place of a table, and the views of a shop: live, with its key found."""

import os
import re

from support import SNAPSHOT, BrowserCase

CHINOOK = os.path.join(os.path.dirname(__file__), "..", "SectileCLITests", "Fixtures", "chinook.sql")


class QueryTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        with open(CHINOOK, encoding="utf-8") as script:
            self.connection.executescript(script.read())

    def open(self, query):
        page = self.page(self.serve().origin + "/" + query)
        self.settle(page)
        return page

    def cells(self, page):
        return [row["cells"] for row in page.evaluate(SNAPSHOT)["rows"]]

    def held(self, page):
        """What the page holds of the first rows, as SQLite has it."""
        rows = page.evaluate("[...sectile.view.rows()].sort(([a], [b]) => a - b).map(([, row]) => row.cells)")
        return [tuple(row) for row in rows]

    def check(self, page, sql):
        """Waits until the page shows what a SELECT yields."""
        def is_shown():
            expected = self.connection.execute(sql).fetchall()
            held = self.held(page)
            return page.evaluate("sectile.view?.isSettled && sectile.view.total") == len(expected) and held and held == expected[:len(held)]
        self.until(is_shown, lambda: f"{sql}: {self.held(page)} instead of {self.connection.execute(sql).fetchall()}, {page.evaluate('[sectile.view?.isSettled, sectile.view?.isLoaded, sectile.view?.total, sectile.view?.state, sectile.view?.version, sectile.view?.statistics]')} {page.inner_text('#query .error')}")

    def write(self, page, sql):
        area = page.locator("#sql")
        area.fill(sql)
        area.press("Control+Enter")
        self.until(lambda: page.evaluate("sectile.state.sql") == sql and page.evaluate("sectile.view?.isSettled && sectile.grid.isDrawn"), lambda: page.inner_text("#query .error"))

    def test_a_select_is_live(self):
        page = self.open("?table=Genre")
        page.keyboard.press("q")
        self.until(lambda: page.evaluate("document.activeElement.id") == "sql", "the editor has the focus")
        self.assertEqual(page.input_value("#sql"), "SELECT * FROM Genre")
        self.settle(page)
        self.check(page, "SELECT * FROM Genre ORDER BY GenreId")
        self.write(page, "SELECT * FROM MediaType")
        self.check(page, "SELECT * FROM MediaType ORDER BY MediaTypeId")
        sql = "SELECT ar.ArtistId, ar.Name, count(t.TrackId) AS Tracks\nFROM Artist ar LEFT JOIN Album al USING (ArtistId) LEFT JOIN Track t ON t.AlbumId = al.AlbumId\nGROUP BY ar.ArtistId"
        self.write(page, sql)
        self.check(page, sql + " ORDER BY ar.ArtistId")
        self.assertIn("sql=SELECT", page.url)
        self.assertEqual(page.title(), "Query · app.db")
        self.assertEqual(page.locator("#tables [aria-current]").inner_text(), "Query …")
        # Its key is found in its text, so a change of a row of another table marks its row.
        self.connection.execute("UPDATE Artist SET Name = 'Renamed' WHERE ArtistId = 4")
        page.wait_for_selector(".row[data-id='[4]'] .cell.changed")
        self.connection.execute("UPDATE Track SET AlbumId = 1 WHERE AlbumId = 2")
        self.check(page, sql + " ORDER BY ar.ArtistId")
        # It is refined from outside.
        page.evaluate("sectile.change({ sort: ['Tracks DESC'], where: 'Tracks > 10', 'section-by': 'Tracks % 2', aggregate: ['sum(Tracks)'] })")
        self.settle(page)
        self.check(page, f"SELECT * FROM ({sql}) WHERE Tracks > 10 ORDER BY Tracks % 2, Tracks DESC, ArtistId")
        page.evaluate("sectile.change({ where: '', search: 'renamed', 'section-by': '', sort: [] })")
        self.settle(page)
        self.until(lambda: [row[1] for row in self.cells(page)] == ["Renamed"], lambda: self.cells(page))
        # The address holds it.
        page.reload()
        self.settle(page)
        self.until(lambda: [row[1] for row in self.cells(page)] == ["Renamed"], lambda: self.cells(page))
        self.assertEqual(page.input_value("#sql"), sql)
        # What was run is remembered, and nothing else.
        page.get_by_role("button", name="Recent").click()
        self.assertEqual(page.locator(".menu [role=menuitem]").count(), 2)
        page.get_by_role("menuitem", name="SELECT * FROM MediaType").click()
        self.until(lambda: page.evaluate("sectile.state.sql") == "SELECT * FROM MediaType", "the other query")
        self.settle(page)
        self.check(page, "SELECT * FROM MediaType ORDER BY MediaTypeId")
        page.go_back()
        self.until(lambda: page.input_value("#sql") == sql, "the query before")
        page.locator("#tables a", has_text="Playlist").first.click()
        self.settle(page)
        self.assertFalse(page.locator("#editor").is_visible())
        self.check(page, "SELECT * FROM Playlist ORDER BY PlaylistId")

    def test_what_is_wrong_is_said_and_mended(self):
        self.expected_messages = re.compile("status of 4")
        page = self.open("?sql=SELECT+*+FROM+Genre")
        area = page.locator("#sql")
        for sql, said in (("SELECT nope FROM Genre", "no such column: nope"), ("DELETE FROM Genre", "SELECT"), ("SELECT 1; SELECT 2", "one"), ("SELECT GenreId, GenreId FROM Genre", "GenreId")):
            area.fill(sql)
            page.get_by_role("button", name="Run").click()
            self.until(lambda: said in page.inner_text("#query .error"), lambda: f"{sql}: {page.inner_text('#query .error')}")
            self.assertEqual(page.locator(".row").count(), 0)
        self.assertEqual(self.connection.execute("SELECT count(*) FROM Genre").fetchone(), (5,))
        self.write(page, "SELECT Name FROM Genre")
        self.until(lambda: not page.locator("#query .error").is_visible(), "the error is gone")
        # Nothing tells these rows apart: they are shown by their places, and none is marked.
        self.check(page, "SELECT Name FROM Genre")
        self.connection.execute("INSERT INTO Genre VALUES (0, 'Folk')")
        self.check(page, "SELECT Name FROM Genre")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('.row, .cell')].filter(e => getComputedStyle(e).animationName !== 'none').length"), 0)
        page.get_by_role("button", name="Key", exact=True).click()
        page.get_by_role("menuitemcheckbox", name="Name").click()
        self.settle(page)
        self.connection.execute("INSERT INTO Genre VALUES (10, 'Blues')")
        page.wait_for_selector(".row.inserted[data-id='[\"Blues\"]']")
        # A table that goes takes the query with it, and brings it back.
        self.connection.execute("ALTER TABLE Genre RENAME TO Kind")
        self.until(lambda: "Genre" in page.inner_text("#query .error"), lambda: page.inner_text("#query .error"))
        self.connection.execute("ALTER TABLE Kind RENAME TO Genre")
        self.until(lambda: not page.locator("#query .error").is_visible(), lambda: page.inner_text("#query .error"))
        self.check(page, "SELECT Name FROM Genre ORDER BY Name")

    def test_the_views_of_a_shop(self):
        keys = {
            "TrackDetails": "TrackId", "InvoiceTotals": "InvoiceId", "GenreSales": "GenreId", "SupportOfCustomers": "CustomerId", "PlaylistSizes": "PlaylistId",
            "BestSellers": "ArtistId", "NeverSold": "TrackId", "LongestOfAlbums": "TrackId", "Spenders": "CustomerId"}
        page = self.open("?table=Genre")
        views = [name for name, in self.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
        self.assertEqual(len(views), 13)
        for view in views:
            page.locator("#tables a", has_text=view).click()
            self.until(lambda: page.evaluate("sectile.state.table") == view and page.evaluate("sectile.view?.isSettled"), lambda: page.inner_text("#query .error"))
            order = f"SELECT * FROM {view}" + (f" ORDER BY {keys[view]}" if view in keys else "")
            self.check(page, order)
            self.connection.executescript("""
              BEGIN; UPDATE Track SET UnitPrice = UnitPrice + 1, GenreId = 3 WHERE TrackId IN (2, 8, 60); DELETE FROM InvoiceLine WHERE TrackId % 50 = 1;
              UPDATE Invoice SET Total = Total + 1, BillingCountry = 'Country 4' WHERE InvoiceId = 9; UPDATE Customer SET LastName = LastName || '!' WHERE CustomerId = 4;
              UPDATE Employee SET FirstName = FirstName || '!' WHERE EmployeeId = 3; DELETE FROM PlaylistTrack WHERE TrackId % 3 = 0; UPDATE Track SET Milliseconds = Milliseconds + 9 WHERE TrackId = 5; COMMIT""")
            self.check(page, order)
            self.assertEqual(page.evaluate("sectile.isByPlace"), view not in keys, view)
            self.assertEqual(page.evaluate("sectile.view.verify()"), [])
