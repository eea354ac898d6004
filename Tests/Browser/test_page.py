"""The page: what people do with it."""

import json
import re
import subprocess

import demo
from support import PROGRAM, SNAPSHOT, BrowserCase


class PageTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        demo.fill(self.connection)
        self.server = self.serve()

    def open(self, query="", **options):
        page = self.page(f"{self.server.origin}/{query}", **options)
        self.settle(page)
        return page

    def ids(self, page):
        rows = page.evaluate(SNAPSHOT)["rows"]
        return [] if any(row["busy"] == "true" for row in rows) else [json.loads(row["id"])[0] for row in rows]

    def shows(self, page, sql, *values):
        """Whether the first rows that are shown are those of SQL."""
        expected = [row[0] for row in self.connection.execute(sql, values)]

        def is_equal():
            shown = self.ids(page)
            return bool(shown or not expected) and shown == expected[:len(shown)] and page.evaluate("sectile.view.total") == len(expected)
        self.until(is_equal, lambda: f"{self.ids(page)[:5]} instead of {expected[:5]}, {page.evaluate('sectile.view.total')} of {len(expected)}")

    def test_opens_the_first_table(self):
        page = self.open()
        self.assertEqual(page.locator("#tables li").count(), 4)
        self.assertEqual(page.locator("#tables a[aria-current]").inner_text().split("\n")[0], "job")
        self.assertIn("Live", page.locator("#facts").inner_text())
        self.assertEqual(page.title(), "job · app.db")
        page.click("#tables a:has-text('package')")
        self.shows(page, "SELECT id FROM package ORDER BY id")
        self.assertIn("table=package", page.url)
        page.go_back()
        self.shows(page, "SELECT id FROM job ORDER BY id")

    def test_sorts_by_clicking(self):
        page = self.open("?table=package")
        head = page.locator("[data-column=size]")
        head.locator(".head").click()
        self.shows(page, "SELECT id FROM package ORDER BY size, id")
        self.assertEqual(head.get_attribute("aria-sort"), "ascending")
        head.locator(".head").click()
        self.shows(page, "SELECT id FROM package ORDER BY size DESC, id")
        self.assertEqual(head.get_attribute("aria-sort"), "descending")
        head.locator(".head").click()
        self.shows(page, "SELECT id FROM package ORDER BY id")
        page.locator("[data-column=section] .head").click()
        page.locator("[data-column=size] .head").click(modifiers=["Shift"])
        self.shows(page, "SELECT id FROM package ORDER BY section, size, id")

    def test_groups_filters_and_totals_by_the_menu(self):
        page = self.open("?table=package")
        page.locator("[data-column=section] .more").click()
        page.get_by_role("menuitemcheckbox", name="Group by this column").click()
        self.shows(page, "SELECT id FROM package ORDER BY section, id")
        first = page.locator(".canvas > .section").first
        expected = self.connection.execute("SELECT section, count(*) FROM package GROUP BY 1 ORDER BY 1").fetchone()
        self.assertEqual(first.locator(".title").inner_text(), expected[0])
        self.assertEqual(first.locator(".count").inner_text(), str(expected[1]))
        page.locator("[data-column=size] .more").click()
        page.get_by_role("menuitemcheckbox", name="sum").click()
        self.until(lambda: page.locator(".totals .aggregate").count() == 1, "a total")
        total = self.connection.execute("SELECT sum(size) FROM package").fetchone()[0]
        self.assertEqual(page.locator(".totals .aggregate").inner_text(), f"sum(size) {total:,}")
        page.locator("[data-column=size] .more").click()
        page.get_by_label("Comparison").select_option(">")
        page.get_by_label("Value").fill("100000")
        page.get_by_role("button", name="Add", exact=True).click()
        self.shows(page, "SELECT id FROM package WHERE size > 100000 ORDER BY section, id")
        self.assertEqual(page.locator(".chip:has-text('Where') .chip-value").all_inner_texts(), ["size > 100000"])
        page.get_by_role("button", name="Remove: Group section").click()
        self.shows(page, "SELECT id FROM package WHERE size > 100000 ORDER BY id")
        page.locator("[data-column=tags] .more").click()
        page.get_by_role("menuitem", name="Hide this column").click()
        self.until(lambda: page.locator("[data-column=tags]").count() == 0, "the column is hidden")

    def test_searches(self):
        page = self.open("?table=package&section-by=section")
        page.keyboard.press("/")
        page.keyboard.type("AMBER-%")
        self.shows(page, "SELECT id FROM package WHERE 0")
        page.fill("#search", "amber-")
        self.shows(page, "SELECT id FROM package WHERE name LIKE '%amber-%' ORDER BY section, id")
        page.fill("#where", "size > 50000")
        page.press("#where", "Enter")
        self.shows(page, "SELECT id FROM package WHERE name LIKE '%amber-%' AND size > 50000 ORDER BY section, id")

    def test_permalink_holds_all(self):
        query = "?table=package&section-by=section&sort=size+DESC&aggregate=sum%28size%29&where=size+%3E+1000"
        page = self.open(query)
        page.evaluate("sectile.grid.moveTo(400, 1)")
        self.settle(page)
        page.keyboard.press("Enter")
        self.until(lambda: page.locator("#panel h2").count() == 1, "the inspector")
        self.until(lambda: all(part in page.evaluate("location.search") for part in ("at=", "inspect=name")), "the address")
        before = page.evaluate(SNAPSHOT)
        cell = page.locator("#panel .value").inner_text()
        other = self.page(page.url)
        self.settle(other)
        after = other.evaluate(SNAPSHOT)
        for part in ["total", "sections", "aggregates", "firstRow"]:
            self.assertEqual(before[part], after[part])
        self.until(lambda: other.locator("#panel .value").count() == 1 and other.locator("#panel .value").inner_text() == cell, "the same cell")
        page.reload()
        self.settle(page)
        self.assertEqual(page.evaluate(SNAPSHOT)["firstRow"], before["firstRow"])

    def test_pause_and_resume(self):
        page = self.open("?table=package&sort=size+DESC")
        page.click("#pause")
        before = self.ids(page)
        with self.connection:
            self.connection.execute("DELETE FROM package WHERE id IN (SELECT id FROM package ORDER BY size DESC LIMIT 2)")
        self.connection.execute("UPDATE package SET size = 1 WHERE id = (SELECT id FROM package ORDER BY size DESC LIMIT 1)")
        self.until(lambda: "1 changed, 2 gone; 3 in sight" in page.locator("#facts").inner_text(), lambda: page.locator("#facts").inner_text())
        self.assertEqual(self.ids(page), before)
        self.assertEqual(page.locator("#pause").get_attribute("aria-pressed"), "true")
        page.click("#pause")
        self.shows(page, "SELECT id FROM package ORDER BY size DESC, id")
        self.assertEqual(page.evaluate("sectile.view.statistics.misfits"), 0)

    def test_pause_shows_rows_that_are_read_later(self):
        page = self.open("?table=package")
        names = [row for row in self.connection.execute("SELECT id, name FROM package ORDER BY id")]
        page.click("#pause")
        self.settle(page)
        self.connection.execute("INSERT INTO package VALUES (-1, 'first', 'web', '1', 1, NULL, NULL, NULL)")
        self.connection.execute("UPDATE package SET name = 'another' WHERE id = 700")
        self.connection.execute("DELETE FROM package WHERE id = 701")
        # More than there are versions that the server can read.
        for number in range(40):
            self.connection.execute("UPDATE package SET version = ? WHERE id = 1100", (str(number),))
        facts = page.locator("#facts")
        self.until(lambda: "1 new, 2 changed, 1 gone; 1 in sight" in facts.inner_text() and page.evaluate("sectile.view.waiting") > 0, lambda: facts.inner_text())
        self.until(lambda: page.evaluate("sectile.view.placeOf(800).version") == self.version(page), "all commits are told")
        page.evaluate("sectile.grid.moveTo(699, 1)")
        self.settle(page)
        page.evaluate("sectile.grid.moveTo(705, 1)")
        self.settle(page)
        rows = page.evaluate(SNAPSHOT)["rows"]
        self.assertTrue({699, 700, 705} <= {row["rank"] for row in rows})
        for row in rows:
            if row["rank"] in (699, 700):
                self.assertIn({699: "changed since", 700: "deleted since"}[row["rank"]], row["lost"])
                self.assertEqual([row["busy"], "".join(row["cells"])], ["false", ""])
            else:
                self.assertEqual([json.loads(row["id"])[0], row["cells"][1]], list(names[row["rank"]]))
        self.assertEqual(page.evaluate("sectile.view.total"), 1200)
        self.until(lambda: "2 in sight" in facts.inner_text(), lambda: facts.inner_text())
        # A cell is that of the row, wherever it stands by now; of one that is not shown there is none.
        cell = page.evaluate("async () => (await fetch(`${sectile.view.url('cell', sectile.view.placeOf(800))}&column=name`)).text()")
        self.assertEqual(cell, names[800][1])
        self.assertIsNone(page.evaluate("sectile.view.placeOf(699)"))
        page.evaluate("sectile.grid.moveTo(699, 1)")
        page.evaluate("sectile.inspect()")
        self.until(lambda: "changed since the pause" in page.locator("#panel").inner_text(), "the panel says why there is no cell")
        page.evaluate("sectile.closePanel()")
        page.click("#pause")
        self.until(lambda: page.locator(".row.lost").count() == 0, "all rows are shown again")
        page.evaluate("sectile.grid.moveTo(0, 0)")
        self.shows(page, "SELECT id FROM package ORDER BY id")
        self.assertEqual(page.evaluate("sectile.view.verify()"), [])
        statistics = page.evaluate("sectile.view.statistics")
        self.assertEqual([statistics[name] for name in ("resets", "gone", "misfits")], [1, 0, 0])

    def version(self, page):
        """The version that the server has of what the page shows."""
        return page.evaluate("async () => (await (await fetch(sectile.view.url('sections'))).json()).version")

    def test_pause_is_of_this_view_of_this_page(self):
        page, other = self.open("?table=package"), self.open("?table=package")
        page.keyboard.press("p")
        self.connection.execute("DELETE FROM package WHERE id = 1")
        self.shows(other, "SELECT id FROM package ORDER BY id")
        self.until(lambda: "1 gone; 1 in sight" in page.locator("#facts").inner_text(), lambda: page.locator("#facts").inner_text())
        self.assertEqual(self.ids(page)[0], 1)
        # Another request is shown as it is.
        page.locator("[data-column=size] .head").click()
        self.shows(page, "SELECT id FROM package ORDER BY size, id")
        self.assertEqual(page.inner_text("#pause"), "Pause")
        page.keyboard.press("p")
        self.connection.execute("DELETE FROM package WHERE id = 2")
        page.reload()
        self.settle(page)
        self.assertEqual(page.inner_text("#pause"), "Pause")
        self.shows(page, "SELECT id FROM package ORDER BY size, id")

    def test_marks_what_changed(self):
        page = self.open("?table=package")
        self.connection.execute("UPDATE package SET version = 'new one' WHERE id = 3")
        page.wait_for_selector(".row[data-id='[3]'] .cell.changed")
        self.assertEqual(page.locator(".cell.changed").count(), 1)
        self.connection.execute("INSERT INTO package VALUES (-1, 'first', 'web', '1', 1, NULL, NULL, NULL)")
        page.wait_for_selector(".row.inserted[data-id='[-1]']")
        self.connection.execute("DELETE FROM package WHERE id = 4")
        page.wait_for_selector(".row[data-id='[4]']", state="detached")
        self.shows(page, "SELECT id FROM package ORDER BY id")
        self.until(lambda: "inserted" in page.locator("#announcer").inner_text(), lambda: page.locator("#announcer").inner_text())

    def test_moves_glide_unless_calm(self):
        for calm, most in (("no-preference", 99), ("reduce", 0)):
            page = self.open("?table=package&sort=size+DESC", reduced_motion=calm)
            page.evaluate("""() => {
              globalThis.glides = 0
              const animate = Element.prototype.animate
              Element.prototype.animate = function (...all) { globalThis.glides += 1; return animate.apply(this, all) }
            }""")
            self.connection.execute("UPDATE package SET size = size + 1 + (SELECT max(size) FROM package) WHERE id = (SELECT id FROM package ORDER BY size DESC LIMIT 1 OFFSET 5)")
            self.shows(page, "SELECT id FROM package ORDER BY size DESC, id")
            glides = page.evaluate("globalThis.glides")
            self.assertTrue(6 <= glides <= most if most else glides == 0, f"{glides} glides with {calm}")
            page.close()

    def test_inspects_cells(self):
        self.connection.execute("UPDATE package SET tags = ?, version = ? WHERE id = 3", ('{"a": [1, {"b": null}], "n": 1.50}', "long " * 30000))
        page = self.open("?table=package")
        columns = page.evaluate("sectile.grid.heads.names")

        def inspect(name, rank=2):
            page.evaluate("([rank, column]) => { sectile.grid.moveTo(rank, column); sectile.inspect() }", [rank, columns.index(name)])
            self.until(lambda: page.locator("#panel dd").first.inner_text() == name and page.locator("#panel .value > *").count() > 0
                       and "Reading" not in page.locator("#panel .value").inner_text(), f"the inspector shows {name}")
            return page.locator("#panel .value")
        tree = inspect("tags")
        self.assertEqual(tree.locator("details").count(), 3)
        self.assertEqual(tree.locator(".json-number").all_inner_texts(), ["1", "1.50"])
        self.assertEqual(inspect("name").locator("pre").count(), 1)
        self.assertIn("text, 150 kB", page.locator("#panel").inner_text() if inspect("version") else "")
        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="More").click()
        self.assertEqual(page.locator("#panel .value pre").inner_text(), "long " * 30000)
        picture = inspect("icon")
        self.until(lambda: picture.locator("img").evaluate("image => image.complete && image.naturalWidth") == 48, "the picture")
        self.assertIn("89 50 4e 47", picture.locator(".hex").inner_text())
        self.assertEqual(inspect("icon", 0).inner_text().split()[0], "NULL")
        # It follows what happens to the row.
        inspect("name", 4)
        self.connection.execute("UPDATE package SET name = 'renamed' WHERE id = 5")
        self.until(lambda: "renamed" in page.locator("#panel .value").inner_text(), "the new name")

    def test_panels(self):
        page = self.open("?table=package&section-by=section")
        page.click("[data-panel=schema]")
        page.wait_for_selector("#panel details")
        self.assertIn("package_in_section", page.locator("#panel").inner_text())
        self.assertIn("→ section.name", page.locator("#panel").inner_text())
        page.click("[data-panel=explain]")
        page.wait_for_selector("#panel .plan")
        self.assertIn("SELECT", page.locator("#panel").inner_text())
        page.click("[data-panel=stats]")
        page.wait_for_selector("#panel dl")
        self.assertIn("Memory of the server", page.locator("#panel").inner_text())
        page.keyboard.press("Escape")
        self.assertTrue(page.locator("#panel").is_hidden())
        page.keyboard.press("?")
        page.wait_for_selector("#panel kbd")
        self.assertFalse(page.locator("[data-panel=history]").is_visible())

    def test_history(self):
        self.connection.execute("CREATE TABLE other (id INTEGER PRIMARY KEY, name TEXT)")
        self.server.stop()
        subprocess.run([PROGRAM, "log", self.server.path, "enable"], check=True, capture_output=True)
        self.server.start()
        page = self.open("?table=package&panel=history")
        self.assertTrue(page.locator("[data-panel=history]").is_visible())
        self.connection.execute("UPDATE package SET size = 7 WHERE id IN (3, 4)")
        self.connection.execute("INSERT INTO other VALUES (12, 'twelve')")
        shown = lambda: page.locator("#panel .transactions li").all_inner_texts()
        self.until(lambda: len(shown()) == 3, shown)
        self.assertEqual([" ".join(line.split()) for line in shown()], ["update package 3", "update package 4", "insert other 12"])
        page.get_by_label("this table alone").check()
        self.until(lambda: len(shown()) == 2, shown)
        # What the log tells row by row is followed, too.
        self.shows(page, "SELECT id FROM package ORDER BY id")
        self.assertEqual(page.evaluate("sectile.view.verify()"), [])

    def test_says_what_sqlite_refuses(self):
        page = self.open("?table=package")
        page.fill("#where", "sise > 4")
        page.press("#where", "Enter")
        self.until(lambda: "no such column: sise" in page.locator("#query .error").inner_text(), "the error")
        page.fill("#where", "")
        page.press("#where", "Enter")
        self.shows(page, "SELECT id FROM package ORDER BY id")
        self.assertTrue(page.locator("#query .error").is_hidden())
        # The browser notes every answer that is no success.
        self.expected_messages = re.compile("status of 422")

    def test_keyboard(self):
        page = self.open("?table=package&section-by=section")
        cursor = lambda: page.evaluate("[sectile.grid.cursor.rank, sectile.grid.cursor.column]")
        press = page.keyboard.press
        press("ArrowDown"), press("ArrowDown"), press("ArrowRight")
        self.assertEqual(cursor(), [2, 1])
        active = page.get_attribute("#grid", "aria-activedescendant")
        self.assertEqual(page.inner_text(f"#{active}"), page.evaluate("sectile.view.row(2).cells[1]"))
        press("End")
        self.assertEqual(cursor()[0], 1199)
        self.settle(page)
        self.assertTrue(page.locator(".row.here .cell.at").is_visible())
        press("PageUp")
        self.assertEqual(cursor()[0], 1199 - page.evaluate("sectile.grid.pageSize"))
        press("Home"), press("n"), press("n")
        self.assertEqual(page.evaluate("sectile.view.structure.path(sectile.grid.cursor.rank)"), {"section": 2, "item": 0})
        press("s")
        self.until(lambda: "sort=name" in page.evaluate("location.search"), "sorted by the column of the cursor")
        self.settle(page)
        press("Enter")
        page.wait_for_selector("#panel .value")
        press("Escape")
        press("/")
        self.assertEqual(page.evaluate("document.activeElement.id"), "search")
        press("Escape")
        self.assertEqual(page.evaluate("document.activeElement.id"), "grid")
        press("p")
        self.assertEqual(page.inner_text("#pause"), "Resume")
        press("p")
        press("m")
        page.wait_for_selector("[role=menu]")
        press("Escape")
        self.assertEqual(page.locator("[role=menu]").count(), 0)

    def test_roles(self):
        page = self.open("?table=package&section-by=section")
        grid = page.get_by_role("grid")
        self.assertEqual(grid.get_attribute("aria-rowcount"), str(1200 + len(demo.SECTIONS) + 1))
        self.assertEqual(grid.get_attribute("aria-colcount"), "8")
        self.assertEqual(page.get_by_role("columnheader").count(), 8)
        self.assertGreater(page.get_by_role("row").count(), 15)
        self.assertEqual(page.locator(".row .cell:not([role=gridcell])").count(), 0)
        # The order of the elements is the order of the rows.
        indexes = page.evaluate("[...document.querySelectorAll('.canvas > :not(.gone)')].map(e => Number(e.getAttribute('aria-rowindex')))")
        self.assertEqual(indexes, list(range(indexes[0], indexes[0] + len(indexes))))
        self.assertEqual(page.locator("[role=status][aria-live=polite]").count(), 1)
        unnamed = page.evaluate("""[...document.querySelectorAll('button, input, select, img')].filter(e =>
            !(e.innerText?.trim() || e.getAttribute('aria-label') || e.title || e.alt !== undefined && e.tagName === 'IMG')).map(e => e.outerHTML)""")
        self.assertEqual(unnamed, [])

    def test_narrow(self):
        page = self.open("?table=package&section-by=section&sort=size+DESC", viewport={"width": 380, "height": 720})
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), 380)
        self.assertGreater(page.locator(".row").count(), 10)
        page.click("#tables-button")
        page.click("#tables a:has-text('job')")
        self.shows(page, "SELECT id FROM job ORDER BY id")
        self.assertFalse(page.locator("#tables").is_visible())
        page.locator(".row").nth(2).dblclick()
        page.wait_for_selector("#panel .value")
        box = page.locator("#panel").bounding_box()
        self.assertTrue(box["x"] >= 0 and box["x"] + box["width"] <= 380, str(box))
        for selector in ["#bar", "#query"]:
            box = page.locator(selector).bounding_box()
            self.assertLessEqual(box["x"] + box["width"], 380)

    def test_dark(self):
        for scheme, is_dark in (("light", False), ("dark", True)):
            page = self.open("?table=package", color_scheme=scheme)
            colours = page.evaluate("""() => ['body', '.row .cell', '#grid'].map(s => getComputedStyle(document.querySelector(s))).map(s => [s.color, s.backgroundColor])""")
            light = lambda colour: sum(map(int, colour[colour.index("(") + 1:-1].split(",")[:3])) > 380
            self.assertEqual(light(colours[0][1]), not is_dark, colours)
            self.assertEqual(light(colours[0][0]), is_dark, colours)
            page.close()

    def test_a_schema_that_changes(self):
        page = self.open("?table=package")
        self.connection.execute("CREATE TABLE later (id INTEGER PRIMARY KEY)")
        self.until(lambda: page.locator("#tables a:has-text('later')").count() == 1, "the new table")
