"""What is shown is copied, and saved as a file."""

import csv
import io
import json
import re
import sqlite3

from support import BrowserCase


class CopyTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, t TEXT, part TEXT, r REAL, b BLOB)")
        self.connection.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?)", [
            (id, ["it's", 'say "hi",\nx', "", None, "007", "tab\there", "|<b>*", "x" * 3000][id % 8], f"p{id % 3}", id + 0.5,
             None if id % 4 else bytes([id % 256]) * (2000 if id == 8 else 3)) for id in range(1, 3001)])
        self.server = self.serve()

    def open(self, query="?table=item", **options):
        context = self.context(**options)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = self.page(f"{self.server.origin}/{query}", context=context)
        self.settle(page)
        return page

    def copied(self, page, run):
        """What is copied by a closure."""
        page.evaluate("navigator.clipboard.writeText('nothing yet')")
        run()
        self.until(lambda: page.locator("#told").is_visible(), "something is told")
        told = page.inner_text("#told")
        text = page.evaluate("navigator.clipboard.readText()")
        page.evaluate("document.getElementById('told').hidden = true")
        return text, told

    def menu(self, page, scope, format, button="Copy"):
        page.focus("#grid")
        page.keyboard.press("c")
        page.get_by_label("What").select_option(scope)
        page.get_by_label("Format").select_option(format)
        page.locator(".menu").get_by_role("button", name=button).click()

    def copy(self, page, scope, format):
        return self.copied(page, lambda: self.menu(page, scope, format))

    def test_the_cell_and_selected_rows(self):
        page = self.open()
        page.evaluate("sectile.grid.moveTo(0, 1)")
        self.assertEqual(self.copied(page, lambda: page.keyboard.press("Control+c")), ('say "hi",\nx', "Copied: the cell."))
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Shift+ArrowDown")
        self.assertEqual(page.locator('.row[aria-selected="true"]').count(), 3)
        text, told = self.copied(page, lambda: page.keyboard.press("Control+c"))
        self.assertEqual(text, '1\t"say ""hi"",\nx"\tp1\t1.5\t\n2\t\tp2\t2.5\t\n3\t\tp0\t3.5\t')
        self.assertEqual(told, "Copied: 3 rows.")
        # Rows that come above do not change what is selected.
        self.connection.execute("INSERT INTO item (id, t) VALUES (-1, 'above'), (-2, 'above')")
        self.until(lambda: page.evaluate("sectile.grid.selection.from") == 2, lambda: page.evaluate("sectile.grid.selection"))
        self.settle(page)
        self.assertEqual(self.copied(page, lambda: page.keyboard.press("Control+c"))[0], text)
        page.keyboard.press("Escape")
        self.until(lambda: page.locator('.row[aria-selected="true"]').count() == 0, "nothing is selected")
        # So does a click with Shift, and no text of the page.
        page.locator(".row").nth(1).click()
        page.locator(".row").nth(4).click(modifiers=["Shift"])
        self.assertEqual(page.evaluate("[sectile.grid.selection.count, getSelection().toString()]"), [4, ""])

    def test_all_rows_in_each_format(self):
        page = self.open("?table=item&where=id+<%3D+1200")
        stored = self.connection.execute("SELECT * FROM item WHERE id <= 1200").fetchall()
        # More than are held, and values that the server cuts: read for it.
        text, told = self.copy(page, "all", "csv")
        self.assertEqual(told, "Copied: 1,200 rows.")
        rows = list(csv.reader(io.StringIO(text, newline="")))
        self.assertEqual(rows[0], ["id", "t", "part", "r", "b"])
        self.assertEqual([[row[0], row[1]] for row in rows[1:]], [[str(row[0]), row[1] or ""] for row in stored])
        self.assertEqual(rows[8][4], "x'" + "08" * 2000 + "'")
        objects = json.loads(self.copy(page, "all", "json")[0])
        self.assertEqual([each["t"] for each in objects], [row[1] for row in stored])
        self.assertEqual(objects[3]["b"], {"$blob": "040404"})
        lines = self.copy(page, "all", "ndjson")[0].splitlines()
        self.assertEqual([json.loads(line) for line in lines], objects)
        other = sqlite3.connect(":memory:")
        other.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, t TEXT, part TEXT, r REAL, b BLOB)")
        other.executescript(self.copy(page, "all", "sql")[0])
        self.assertEqual(other.execute("SELECT * FROM item ORDER BY id").fetchall(), stored)
        lines = self.copy(page, "all", "markdown")[0].splitlines()
        self.assertEqual(len(lines), 1202)
        self.assertEqual(lines[1], "| --: | --- | --- | --: | --- |")
        self.assertTrue(lines[7].startswith("| 6 | \\|&lt;b>\\* |"), lines[7])

    def test_a_section_and_columns_as_they_are_shown(self):
        page = self.open("?table=item&section-by=part&column=r&column=id&where=id+<+20")
        page.evaluate("sectile.grid.moveTo(sectile.view.structure.start(1))")
        text, _ = self.copy(page, "section", "csv")
        expected = self.connection.execute("SELECT r, id FROM item WHERE part = 'p1' AND id < 20 ORDER BY id").fetchall()
        self.assertEqual(list(csv.reader(io.StringIO(text)))[1:], [[str(r), str(id)] for r, id in expected])

    def test_what_is_too_much_is_said(self):
        self.connection.execute("CREATE TABLE many (id INTEGER PRIMARY KEY)")
        self.connection.executemany("INSERT INTO many VALUES (?)", [(id,) for id in range(12000)])
        page = self.open("?table=many")
        text, told = self.copy(page, "all", "text")
        self.assertEqual(text, "nothing yet")
        self.assertIn("Save them", told)

    def test_a_pause_is_copied_as_it_was(self):
        page = self.open("?table=item&where=id+<+600&column=id&column=part")
        page.keyboard.press("p")
        self.connection.execute("UPDATE item SET part = 'new' WHERE id IN (2, 590)")
        self.connection.execute("DELETE FROM item WHERE id IN (3, 591)")
        self.until(lambda: page.evaluate("sectile.view.pending?.deleted") == 2, "it waits")
        text, told = self.copy(page, "all", "csv")
        rows = dict(csv.reader(io.StringIO(text)))
        self.assertEqual((rows["2"], rows["3"]), ("p2", "p0"))
        # What was overwritten before it was read is nowhere any more.
        self.assertEqual([id for id in ("590", "591") if id in rows], [])
        self.assertEqual(told, "Copied: 597 rows; 2 changed since the pause, and are left out.")

    def test_the_server_saves_all_rows(self):
        page = self.open("?table=item&section-by=part&sort=r+DESC&filter=[\"id\",\">\",\"10\"]&column=t&column=id")
        for format, name in (("csv", "item.csv"), ("ndjson", "item.ndjson"), ("text", "item.tsv"), ("sql", "item.sql")):
            with page.expect_download() as download:
                self.menu(page, "all", format, "Save")
            self.assertEqual(download.value.suggested_filename, name)
            with open(download.value.path(), encoding="utf-8", newline="") as file:
                text = file.read()
            if format == "csv":
                found = [int(row[1]) for row in list(csv.reader(io.StringIO(text, newline="")))[1:]]
                expected = [row[0] for row in self.connection.execute("SELECT id FROM item WHERE id > 10 ORDER BY part, r DESC")]
                self.assertEqual(found, expected)
            if format == "ndjson":
                self.assertEqual(len(text.splitlines()), 2990)
        page.evaluate("sectile.grid.moveTo(sectile.view.structure.start(2))")
        with page.expect_download() as download:
            self.menu(page, "section", "csv", "Save")
        with open(download.value.path(), encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        self.assertEqual({int(row[1]) % 3 for row in rows}, {2})
        self.assertEqual(len(rows), self.connection.execute("SELECT count(*) FROM item WHERE part = 'p2' AND id > 10").fetchone()[0])

    def test_selected_rows_are_saved_by_the_page(self):
        page = self.open()
        page.keyboard.press("Shift+ArrowDown")
        with page.expect_download() as download:
            self.menu(page, "rows", "markdown", "Save")
        self.assertEqual(download.value.suggested_filename, "item.md")
        with open(download.value.path(), encoding="utf-8") as file:
            self.assertEqual(len(re.findall("^\\|", file.read(), re.M)), 4)
