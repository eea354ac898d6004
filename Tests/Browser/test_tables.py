"""Tables and views of any kind: without a key, with many columns, with numbers of all sizes, with letters of all scripts."""

import json
import re

from support import SNAPSHOT, BrowserCase


class TableTests(BrowserCase):
    def open(self, server, query):
        page = self.page(server.origin + "/" + query)
        self.settle(page)
        return page

    def cells(self, page):
        return [row["cells"] for row in page.evaluate(SNAPSHOT)["rows"]]

    def test_totals_are_exact_or_say_that_they_are_not(self):
        connection = self.database()
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, v REAL, big REAL, whole INTEGER)")
        connection.execute("INSERT INTO item VALUES (1, 0, 1e308, 9007199254740993), (2, 0.001, 0, 0), (3, 0.002, 0, 0), (4, 0.003, 0, 1)")
        page = self.open(self.serve(), "?table=item&aggregate=avg(v)&aggregate=max(v)&aggregate=sum(v)&aggregate=max(big)&aggregate=sum(whole)&aggregate=avg(big)&aggregate=avg(id)")
        shown = page.locator(".totals .aggregate").all_inner_texts()
        self.assertEqual(shown, ["avg(v) 0.0015", "max(v) 0.003", "sum(v) 0.006", "max(big) 1e308", "sum(whole) 9,007,199,254,740,994", "avg(big) 2.5e307", "avg(id) 2.5"])
        connection.execute("UPDATE item SET v = iif(id = 1, 1234.56789, 0)")
        total = page.locator(".totals .aggregate").nth(2)
        self.until(lambda: total.inner_text() == "sum(v) ≈ 1,234.57", total.inner_text)
        self.assertEqual(total.get_attribute("title"), "sum(v) = 1234.56789")

    def test_all_columns_of_a_wide_table(self):
        connection = self.database()
        columns = ", ".join(f"a_rather_long_name_{i}" for i in range(900))
        connection.execute(f"CREATE TABLE wide (id INTEGER PRIMARY KEY, {columns})")
        connection.execute("INSERT INTO wide (id, a_rather_long_name_899) VALUES (1, 'the last')")
        page = self.open(self.serve(), "?table=wide")
        self.assertEqual(page.evaluate("sectile.grid.heads.names.length"), 60)
        page.locator("[data-column=a_rather_long_name_0] .more").click()
        page.get_by_role("menuitem", name="Show all columns").click()
        self.until(lambda: page.evaluate("sectile.grid.heads.names.length") == 901, "all columns")
        self.settle(page)
        self.assertEqual(page.locator(".row .cell").last.inner_text(), "the last")
        self.assertIn("column=*", page.url)
        page.reload()
        self.settle(page)
        self.assertEqual(page.evaluate("sectile.grid.heads.names.length"), 901)
        page.get_by_role("button", name="Remove: Columns all").click()
        self.until(lambda: page.evaluate("sectile.grid.heads.names.length") == 60, "the first ones")
        # What is searched for in so many columns is one expression all the same.
        page.fill("#search", "the last")
        self.until(lambda: page.evaluate("sectile.view.isLoaded") and not page.locator("#query .error").is_visible(), lambda: page.inner_text("#query .error"))

    def test_views_are_shown_by_the_place_of_their_rows(self):
        connection = self.database()
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT, size INTEGER)")
        connection.executemany("INSERT INTO item VALUES (?, ?, ?)", [(id, "abc"[id % 3], id) for id in range(1, 301)])
        connection.execute("CREATE VIEW parts AS SELECT part, size / 100 AS class FROM item ORDER BY size DESC")
        page = self.open(self.serve(), "?table=parts")
        expected = lambda sql="SELECT * FROM parts": [[str(value) for value in row] for row in connection.execute(sql)]
        self.until(lambda: self.cells(page)[:10] == expected()[:10], lambda: self.cells(page)[:10])
        self.assertEqual(page.evaluate("sectile.view.total"), 300)
        self.assertFalse(page.locator("#query .error").is_visible())
        self.assertEqual(page.locator("#tables a:has-text('parts')").get_attribute("title") or "", "")
        # It follows, and marks nothing: a row's place says nothing of it.
        connection.execute("INSERT INTO item VALUES (1000, 'new', 1000)")
        self.until(lambda: self.cells(page)[:10] == expected()[:10], lambda: self.cells(page)[:10])
        self.assertEqual(page.evaluate("[...document.querySelectorAll('.row, .cell')].filter(e => getComputedStyle(e).animationName !== 'none').length"), 0)
        connection.execute("DELETE FROM item WHERE id BETWEEN 2 AND 11")
        self.until(lambda: page.evaluate("sectile.view.total") == 291, "the rows go")
        self.assertEqual(page.evaluate("sectile.view.verify()"), [])
        page.evaluate("sectile.change({ 'section-by': 'part', sort: ['class DESC'], where: 'class > 0', aggregate: ['count', 'sum(class)'] })")
        self.settle(page)
        self.until(lambda: self.cells(page)[:10] == expected("SELECT * FROM parts WHERE class > 0 ORDER BY part, class DESC")[:10], lambda: self.cells(page)[:10])
        page.evaluate("sectile.grid.moveTo(Infinity)")
        self.settle(page)
        page.locator(".row .cell.at").dblclick()
        self.until(lambda: page.locator("#panel .value pre").count() == 1, "the cell")
        # Who knows what tells them apart says so.
        connection.execute("CREATE VIEW named AS SELECT id + 0 AS id, part FROM item")
        page.evaluate("sectile.choose('named')")
        self.until(lambda: page.evaluate("sectile.state.table") == "named" and page.evaluate("sectile.view.isSettled"), "the other view")
        page.get_by_role("button", name="Key", exact=True).click()
        page.get_by_role("menuitemcheckbox", name="id").click()
        self.settle(page)
        self.assertIn("key=id", page.url)
        connection.execute("UPDATE item SET part = 'changed' WHERE id = 12")
        page.wait_for_selector(".row[data-id='[12]'] .cell.changed")

    def test_a_declared_key_that_tells_rows_not_apart(self):
        connection = self.database()
        connection.execute("CREATE TABLE loose (code TEXT PRIMARY KEY, name TEXT)")
        connection.execute("INSERT INTO loose VALUES (NULL, 'a'), (NULL, 'b'), (CAST(x'ff41' AS TEXT), 'c'), ('d', 'd')")
        connection.execute("CREATE TABLE sound (code TEXT PRIMARY KEY, name TEXT)")
        connection.execute("INSERT INTO sound VALUES ('x', 'y')")
        server = self.serve()
        for query in ("?table=loose", "?table=loose&sort=name+DESC", "?table=loose&section-by=name"):
            page = self.open(server, query)
            self.until(lambda: sorted(row[1] for row in self.cells(page)) == ["a", "b", "c", "d"], lambda: self.cells(page))
            self.assertFalse(page.locator("#query .error").is_visible())
            page.close()
        # One that comes later has the page go on by row ids.
        page = self.open(server, "?table=sound")
        self.assertEqual(page.evaluate("sectile.view.row(0).id"), ["x"])
        connection.execute("INSERT INTO sound VALUES (NULL, 'z')")
        self.until(lambda: sorted(row[1] for row in self.cells(page)) == ["y", "z"], lambda: f"{self.cells(page)} {page.inner_text('#query .error')}")
        self.until(lambda: not page.locator("#query .error").is_visible(), lambda: page.inner_text("#query .error"))
        connection.execute("DELETE FROM sound WHERE code = 'x'")
        self.until(lambda: [row[1] for row in self.cells(page)] == ["z"], lambda: self.cells(page))

    def test_scrolling_reads_ahead(self):
        connection = self.database()
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO item SELECT i, 'name ' || i FROM n")
        page = self.open(self.serve(), "?table=item")
        before = page.evaluate("sectile.view.statistics.reads")
        page.evaluate("""async () => {
          globalThis.blank = 0
          for (let top = 60; top <= 6000; top += 60) {
            sectile.grid.element.scrollTop = top
            await new Promise(requestAnimationFrame)
            await new Promise(requestAnimationFrame)
            blank += document.querySelectorAll(".row[aria-busy=true]").length
          }
        }""")
        self.settle(page)
        # 215 rows, by 200 at a time.
        self.assertLessEqual(page.evaluate("sectile.view.statistics.reads") - before, 6)
        shown = json.loads(page.evaluate(SNAPSHOT)["rows"][0]["id"])[0]
        self.assertGreater(shown, 190)
        # Upwards as well.
        page.evaluate("sectile.grid.moveTo(2999)")
        self.settle(page)
        before = page.evaluate("sectile.view.statistics.reads")
        for _ in range(40):
            page.evaluate("sectile.grid.element.scrollTop -= 60")
            page.evaluate("new Promise(requestAnimationFrame)")
        self.settle(page)
        self.assertLessEqual(page.evaluate("sectile.view.statistics.reads") - before, 4)

    def test_searches_letters_beyond_ascii(self):
        connection = self.database()
        connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
        connection.execute("INSERT INTO person VALUES (1, 'Maria García'), (2, 'MARIA GARCÍA'), (3, 'Garcia'), (4, 'Ólafur'), (5, 'ÓLAFUR'), (6, 'Жанна')")
        page = self.open(self.serve(), "?table=person")
        for text, ids in (("garcía", [1, 2]), ("GARCÍA", [1, 2]), ("ólafur", [4, 5]), ("жанна", [6]), ("garcia", [3])):
            page.fill("#search", text)
            self.until(lambda: page.evaluate("[...sectile.view.rows()].map(([, row]) => row.id[0])") == ids, lambda: f"{text}: {page.evaluate('[...sectile.view.rows()].map(([, row]) => row.id[0])')}")
        page.fill("#search", "")
        self.until(lambda: page.evaluate("sectile.view.isSettled && sectile.view.total") == 6, "all of them")
        page.locator("[data-column=name] .more").click()
        page.get_by_label("Value").fill("ÓLA")
        page.get_by_role("button", name="Add", exact=True).click()
        self.until(lambda: page.evaluate("sectile.view.total") == 2, lambda: page.input_value("#where"))

    def test_joined_letters_and_pictures_stay_whole(self):
        connection = self.database()
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        whole = ["👨‍👩‍👧‍👦", "👩🏽‍🚀", "🏳️‍🌈", "می‌خواهم", "क्‍ष", "❤️‍🔥"]
        torn = ["a\u200db", "\u200dx", "x\u200c"]
        connection.executemany("INSERT INTO item (name) VALUES (?)", [(name,) for name in whole + torn])
        page = self.open(self.serve(), "?table=item")
        shown = [row[1] for row in self.cells(page)]
        self.assertEqual(shown, whole + ["a\\u{200D}b", "\\u{200D}x", "x\\u{200C}"])

    def test_small_things_of_the_page(self):
        connection = self.database()
        columns = ", ".join(f"column_number_{i} TEXT DEFAULT 'some text that is wide'" for i in range(20))
        connection.execute(f"CREATE TABLE item (id INTEGER PRIMARY KEY, size INTEGER, {columns}, last TEXT)")
        connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) INSERT INTO item (id, size, last) SELECT i, i * 7, 'the last' FROM n")
        server = self.serve()
        page = self.open(server, "?table=item&inspect=last&item=3&panel=inspector")
        # The cell that is looked at is in sight.
        self.until(lambda: page.evaluate("""() => {
          const cell = document.querySelector(".cell.at"), grid = document.getElementById("grid")
          if (!cell) return false
          const a = cell.getBoundingClientRect(), b = grid.getBoundingClientRect()
          return cell.textContent === "the last" && a.left >= b.left - 1 && a.right <= b.right + 1
        }"""), "the cell is in sight")
        # Names of numbers stand where the numbers do.
        self.assertEqual(page.locator("[data-column=size] .head").evaluate("e => getComputedStyle(e).justifyContent"), "flex-end")
        self.assertNotEqual(page.locator("[data-column=last] .head").evaluate("e => getComputedStyle(e).justifyContent"), "flex-end")
        # A large file without a change log says what would make it fast.
        self.assertIn("sectile log app.db enable", page.locator("#facts .no-log").get_attribute("title"))
        page.click("#facts .no-log")
        page.wait_for_selector("#panel .plan")
        self.assertIn("sectile log app.db enable", page.inner_text("#panel"))
        self.assertNotIn("store.changeLog", page.inner_text("#panel"))
        self.assertNotIn("version", page.inner_text("#facts"))
        # The first stop of Tab leads past the tables.
        self.assertEqual(page.evaluate("document.querySelector('a, button, input').id"), "skip")
        page.focus("#skip")
        self.assertTrue(page.locator("#skip").bounding_box()["width"] > 50)
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "grid")
        page.evaluate("sectile.grid.element.scrollLeft = 0")
        page.locator("[data-column=size] .more").click()
        self.assertEqual(page.get_by_role("menuitemcheckbox", name="count of different values").count(), 1)
        page.keyboard.press("Escape")
        # Nobody is told where the file is.
        page.fill("#where", "nonsense > 1")
        page.press("#where", "Enter")
        self.until(lambda: "app.db: no such column: nonsense" in page.inner_text("#query .error"), lambda: page.inner_text("#query .error"))
        self.assertNotIn(self.folder.name, page.inner_text("#query .error"))
        self.expected_messages = re.compile("status of 422")
