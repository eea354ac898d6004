"""Foreign keys as links, the values of a column with counts, and values shown for what they are."""

import json

from support import BrowserCase

SCRIPT = "<img src=x onerror='globalThis.broken = 1'>"


class LinkTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.executescript("""
          CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
          CREATE TABLE pair (a INTEGER, b TEXT, title TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
          CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, artist INTEGER REFERENCES artist, x INTEGER, y TEXT,
            FOREIGN KEY (x, y) REFERENCES pair);
          INSERT INTO pair VALUES (1, 'it''s', 'the pair');""")
        self.connection.executemany("INSERT INTO artist VALUES (?, ?, ?)", [(1, "Ann", "FR"), (2, SCRIPT, "DE"), (3, None, "IT")])
        self.connection.executemany("INSERT INTO album VALUES (?, ?, ?, ?, ?)", [
            (1, "one", 1, 1, "it's"), (2, "two", 2, 1, None), (3, "three", 9, 1, "gone"), (4, "four", None, None, None), (5, "five", 3, 1, "it's")])
        self.server = self.serve()

    def open(self, query, **options):
        page = self.page(f"{self.server.origin}/{query}", **options)
        self.settle(page)
        return page

    def cell(self, page, id, column):
        place = page.evaluate("name => sectile.grid.heads.names.indexOf(name)", column)
        return page.locator(f".row[data-id='[{id}]'] .cell").nth(place)

    def shows(self, page, id, column, text):
        cell = self.cell(page, id, column)
        self.until(lambda: cell.text_content() == text, lambda: f"{cell.text_content()!r} instead of {text!r}")

    def test_keys_are_links_with_labels(self):
        page = self.open("?table=album")
        for id, text in ((1, "1Ann"), (2, f"2{SCRIPT}"), (3, "9 no such row"), (4, "NULL"), (5, "3")):
            self.shows(page, id, "artist", text)
        self.assertIsNone(page.evaluate("globalThis.broken ?? null"))
        self.assertEqual(self.cell(page, 3, "artist").locator("a").count(), 0)
        # Of several columns the first has the label, and all of them lead there.
        self.shows(page, 1, "x", "1the pair")
        self.shows(page, 1, "y", "it's")
        self.shows(page, 2, "x", "1")
        self.shows(page, 3, "x", "1 no such row")
        self.assertEqual(self.cell(page, 1, "y").locator("a").count(), 1)
        self.assertEqual(self.cell(page, 2, "x").locator("a").count(), 0)
        # Labels are read again.
        self.connection.execute("UPDATE artist SET name = 'Bob' WHERE id = 1")
        self.connection.execute("INSERT INTO artist VALUES (9, 'Nine', NULL)")
        self.shows(page, 1, "artist", "1Bob")
        self.shows(page, 3, "artist", "9Nine")
        # A click leads there, and Enter as well.
        self.cell(page, 1, "y").locator("a").click()
        self.until(lambda: page.evaluate("[sectile.state.table, sectile.state.where, sectile.view?.isSettled && sectile.view.total]") == ["pair", "a = 1 AND b = 'it''s'", 1], "the pair")
        links = page.locator(".links li")
        self.until(lambda: links.all_inner_texts() == ["album · x, y 2"], links.all_inner_texts)
        links.locator("a").click()
        self.until(lambda: page.evaluate("[sectile.state.table, sectile.view?.isSettled && sectile.view.total]") == ["album", 2], "the albums")
        page.evaluate("sectile.grid.moveTo(0, sectile.grid.heads.names.indexOf('artist'))")
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("[sectile.state.table, sectile.state.where, sectile.view?.isSettled]") == ["artist", "id = 1", True], "the artist")
        # Where a cell leads nowhere, Enter looks at it.
        page.keyboard.press("Enter")
        self.until(lambda: page.inner_text("#panel h2") == "Cell", lambda: page.inner_text("#panel"))

    def test_the_label_is_chosen_and_kept(self):
        page = self.open("?table=album")
        self.shows(page, 1, "artist", "1Ann")
        page.locator("[data-column=artist] .more").click()
        page.get_by_role("menuitem", name="Label …").click()
        page.get_by_role("menuitemcheckbox", name="country").click()
        self.shows(page, 1, "artist", "1FR")
        self.shows(page, 5, "artist", "3IT")
        page.reload()
        self.settle(page)
        self.shows(page, 1, "artist", "1FR")

    def test_values_are_chosen_by_their_counts(self):
        self.connection.executescript("""
          CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT, size INTEGER);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
          INSERT INTO item SELECT i, CASE WHEN i % 10 = 0 THEN NULL WHEN i % 3 = 0 THEN 'it''s' ELSE 'b' END, i FROM n;""")
        page = self.open("?table=item")
        count = lambda condition: self.connection.execute(f"SELECT count(*) FROM item WHERE {condition}").fetchone()[0]
        facets = page.locator(".facets button")
        counts = lambda: [tuple(text.split("\n")) for text in facets.all_inner_texts()]
        expected = lambda rest="1": [("b", str(count(f"part = 'b' AND {rest}"))), ("it's", str(count(f"part = 'it''s' AND {rest}"))), ("NULL", str(count(f"part IS NULL AND {rest}")))]
        shows = lambda condition: self.until(lambda: page.evaluate("sectile.view?.isSettled && sectile.view.total") == count(condition), condition)
        page.locator("[data-column=part] .more").click()
        page.get_by_role("menuitem", name="Values …").click()
        self.until(lambda: counts() == expected(), counts)
        facets.nth(1).click()
        shows("part = 'it''s'")
        facets.nth(2).click()
        shows("part = 'it''s' OR part IS NULL")
        self.assertEqual(page.locator(".chip-value").first.inner_text(), "part in it's, NULL")
        self.until(lambda: [each.get_attribute("aria-checked") for each in facets.all()] == ["false", "true", "true"], "two are chosen")
        # The other conditions hold for the counts, the choice itself does not.
        page.evaluate("sectile.change({ filter: [...sectile.state.filter, JSON.stringify(['size', 'between', ['20', '60']])] })")
        shows("(part = 'it''s' OR part IS NULL) AND size BETWEEN 20 AND 60")
        self.until(lambda: counts() == expected("size BETWEEN 20 AND 60"), counts)
        self.connection.execute("INSERT INTO item VALUES (200, NULL, 30), (201, 'b', 30)")
        self.until(lambda: counts() == expected("size BETWEEN 20 AND 60"), counts)
        page.reload()
        self.settle(page)
        shows("(part = 'it''s' OR part IS NULL) AND size BETWEEN 20 AND 60")
        self.until(lambda: counts() == expected("size BETWEEN 20 AND 60"), counts)
        page.get_by_role("button", name="All values").click()
        shows("size BETWEEN 20 AND 60")
        # One end of a range may be left out.
        page.locator(".chip-main:has-text('between')").click()
        page.get_by_label("Up to").fill("")
        page.keyboard.press("Enter")
        shows("size >= 20")

    def test_values_are_shown_for_what_they_are(self):
        big = 9007199254740993
        self.connection.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY, v)")
        values = [1714567890, 1714567890123, 700000000.5, "2024-05-01T12:00:00+02:00", 1, 123456789, -5, big, "https://example.com/a?b=<c>", "javascript:globalThis.broken=1",
                  "#ff8000", 90061, None, b"\x00", "mailto:a@example.com", "http://[", 5_000_000_000]
        self.connection.executemany("INSERT INTO thing (v) VALUES (?)", [(value,) for value in values])
        page = self.open("?table=thing")
        at = lambda value: values.index(value) + 1
        expected = {
            "Date: seconds since 1970": [(values[0], "2024-05-01 12:51:30Z"), (big, str(big)), ("#ff8000", "#ff8000"), (None, "NULL")],
            "Date: milliseconds since 1970": [(values[1], "2024-05-01 12:51:30.123Z"), (big, str(big))],
            "Date: seconds since 2001 (Core Data)": [(values[2], "2023-03-08 20:26:40.500Z")],
            "Date: text of ISO 8601": [(values[3], "2024-05-01 10:00:00Z"), (values[0], str(values[0]))],
            "Yes or no": [(1, "yes"), (-5, "-5")],
            "Money in hundredths": [(values[5], "1,234,567.89"), (-5, "−0.05"), (big, "90,071,992,547,409.93"), (700000000.5, "700000000.5")],
            "Duration in seconds": [(90061, "1 d 01:01:01"), (-5, "−0:00:05")],
            "Bytes": [(5_000_000_000, "5.0 GB"), (-5, "-5")],
            "Link": [(values[8], values[8]), (values[9], values[9]), ("http://[", "http://[")],
            "Colour": [("#ff8000", "#ff8000"), (1, "#000001"), ("javascript:globalThis.broken=1", "javascript:globalThis.broken=1")],
        }
        for title, cells in expected.items():
            page.locator("[data-column=v] .more").click()
            page.get_by_role("menuitem", name="Show as …").click()
            page.get_by_role("menuitemcheckbox", name=title).click()
            for value, text in cells:
                self.shows(page, at(value), "v", text)
                # What is shown otherwise is there as it is.
                stored = "NULL" if value is None else str(value)
                if text != stored:
                    self.assertEqual(self.cell(page, at(value), "v").get_attribute("title"), stored)
            if title == "Link":
                links = page.locator(".row a.link")
                self.assertEqual([(link.get_attribute("href"), link.get_attribute("rel")) for link in links.all()],
                                 [("https://example.com/a?b=%3Cc%3E", "noopener noreferrer"), ("mailto:a@example.com", "noopener noreferrer")])
        page.locator("[data-column=v] .more").click()
        page.get_by_role("menuitem", name="Show as …").click()
        page.get_by_role("menuitemcheckbox", name="Date: seconds since 1970").click()
        page.reload()
        self.settle(page)
        self.shows(page, 1, "v", "2024-05-01 12:51:30Z")
        # Dates are written in conditions, and looked at in the inspector.
        page.locator("[data-column=v] .more").click()
        page.get_by_label("Comparison").select_option("between")
        page.get_by_label("Value").fill("2024-05-01")
        page.get_by_label("Up to").fill("2024-05-01")
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.state.filter.map(JSON.parse)") == [["v", "between", ["1714521600", "1714607999.999"]]], lambda: json.dumps(page.evaluate("sectile.state.filter")))
        self.until(lambda: page.evaluate("sectile.view?.isSettled && sectile.view.total") == 1, "one is of that day")
        page.evaluate("sectile.change({ filter: [] })")
        self.until(lambda: page.evaluate("sectile.view?.isSettled && sectile.view.total") == len(values), "all of them")
        page.evaluate("sectile.grid.moveTo(0, 1); sectile.inspect()")
        self.until(lambda: page.locator("#panel .value pre").count() and page.inner_text("#panel .value pre") == str(values[0]), lambda: page.inner_text("#panel"))
        self.assertIn("2024-05-01 12:51:30Z", page.inner_text("#panel dl"))
        self.assertIsNone(page.evaluate("globalThis.broken ?? null"))
