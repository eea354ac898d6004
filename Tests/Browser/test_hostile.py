"""Values and names that want to be more than text."""

import json

from support import SNAPSHOT, BrowserCase

SCRIPT = "<script>globalThis.broken = 1</script>"
IMAGE = "<img src=x onerror='globalThis.broken = 1'>"
VALUES = [
    SCRIPT, IMAGE, "javascript:globalThis.broken=1", "\u202egnp.exe", "a\u0000b", "\u200b\u2066\ufeff", "line\nline\r\ttab", "&lt;b&gt; &amp;",
    "${globalThis.broken = 1}", "]]>", "\U000e0041\U000e007f", "e" + "\u0301" * 400, "\u05d0\u05d1\u05d2 abc", "' OR 1=1 --", '"', "\\", "x" * 5_000_000, "a\u0085b\u2028c",
]


class HostileTests(BrowserCase):
    def open(self, server, query):
        page = self.page(server.origin + "/" + query)
        self.settle(page)
        return page

    def unbroken(self, page):
        self.assertIsNone(page.evaluate("globalThis.broken ?? null"))
        self.assertEqual(page.evaluate("document.querySelectorAll('#main script, #main img, #panel script, nav img, nav script').length"), 0)

    def test_values(self):
        connection = self.database()
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, value, part TEXT)")
        for id, value in enumerate(VALUES, 1):
            connection.execute("INSERT INTO item VALUES (?, ?, ?)", (id, value, SCRIPT if id % 2 else IMAGE))
        connection.execute("INSERT INTO item VALUES (100, CAST(x'ff3c7363726970743e' AS TEXT), NULL)")
        connection.execute("INSERT INTO item VALUES (101, ?, NULL)", (b"<svg onload=alert(1)>",))
        connection.execute("INSERT INTO item VALUES (102, 9007199254740993, NULL), (103, 9e999, NULL), (104, -0.0, NULL)")
        server = self.serve()
        for query, rows in (("?table=item", 5), ("?table=item&section-by=part", 5), ("?table=item&section-by=value&aggregate=max(value)&where=id%3C100", 0)):
            page = self.open(server, query)
            self.unbroken(page)
            self.assertEqual(page.evaluate("sectile.view.total"), len(VALUES) + rows)
            page.close()
        page = self.open(server, "?table=item")
        cell = lambda id: page.locator(f".row[data-id='[{id}]'] .cell").nth(1)
        self.assertEqual(cell(1).inner_text(), SCRIPT)
        self.assertEqual(cell(4).text_content(), "\\u{202E}gnp.exe")
        self.assertEqual(cell(4).locator(".escape").count(), 1)
        self.assertEqual(cell(5).text_content(), "a\\0b")
        self.assertEqual(cell(6).text_content(), "\\u{200B}\\u{2066}\\u{FEFF}")
        self.assertEqual(cell(7).text_content(), "line\\nline\\r\\ttab")
        self.assertEqual(cell(8).text_content(), "&lt;b&gt; &amp;")
        self.assertEqual(cell(11).text_content(), "\\u{E0041}\\u{E007F}")
        self.assertEqual(cell(18).text_content(), "a\\u{85}b\\u{2028}c")
        self.assertEqual(cell(102).text_content(), "9007199254740993")
        self.assertEqual(cell(103).text_content(), "∞")
        self.assertTrue(cell(100).text_content().startswith("not UTF-8"))
        self.assertEqual(cell(17).text_content(), "x" * 512 + "…5.0 MB")
        # No cell is higher than its row, whatever stands in it.
        heights = page.evaluate("[...document.querySelectorAll('.row, .cell')].map(e => e.offsetHeight)")
        self.assertLessEqual(max(heights), 28)
        # Whole in the inspector.
        for id, shown in ((1, SCRIPT), (2, IMAGE), (4, "\\u{202E}gnp.exe"), (5, "a\\0b")):
            page.evaluate("rank => { sectile.grid.moveTo(rank, 1); sectile.inspect() }", id - 1)
            self.until(lambda: page.locator("#panel .value pre").count() and page.locator("#panel .value pre").inner_text() == shown, shown)
        page.evaluate("sectile.grid.moveTo(16, 1)")
        self.until(lambda: "5.0 MB" in page.locator("#panel dl").inner_text() and page.locator("#panel .value pre").count() == 1
                   and len(page.locator("#panel .value pre").text_content()) == 65536, "the first part of five megabytes")
        page.evaluate("sectile.grid.moveTo(19, 1)")
        self.until(lambda: "3c 73 76 67" in page.locator("#panel .value").inner_text(), "bytes")
        # What is searched for is no pattern, and no SQL.
        page.fill("#search", "' OR 1=1 --")
        self.until(lambda: page.evaluate("sectile.view.total") == 1, "one row is found")
        self.unbroken(page)
        page.close()

    def test_names(self):
        connection = self.database()
        names = [SCRIPT, 'we"ird', "o'clock", "\u202eevil", "select", "a b; DROP TABLE x", "ä\u0301 ✓", "?x=1&y", "new\nline", "[x]", "`"]
        quote = lambda name: '"' + name.replace('"', '""') + '"'
        columns = ", ".join(map(quote, names))
        for name in names:
            quoted = quote(name)
            connection.execute(f"CREATE TABLE {quoted} (id INTEGER PRIMARY KEY, {columns})")
            connection.execute(f"INSERT INTO {quoted} VALUES ({', '.join(['?'] * (len(names) + 1))})", (1, *names))
        server = self.serve()
        page = self.open(server, "")
        listed = [table["name"] for table in json.loads(server.get("/api/schema"))["tables"]]
        self.assertEqual(page.locator("#tables li").count(), len(names))
        for name in names:
            page.locator("#tables a").nth(listed.index(name)).click()
            self.settle(page)
            self.assertEqual(page.evaluate("sectile.state.table"), name)
            self.until(lambda: page.locator(".row").count() == 1, f"the row of {name!r}")
            self.assertEqual(page.locator("#query .error").is_visible(), False, page.locator("#query .error").inner_text())
            # Sorted, grouped, totalled and filtered by a column of that name.
            page.evaluate("name => sectile.sortByCursor() ?? null", name)
            column = page.evaluate("async name => (await import('/state.js')).quoted(name)", name)
            page.evaluate("column => sectile.change({ sort: [column + ' DESC'], 'section-by': column, aggregate: [`min(${column})`], where: `${column} IS NOT NULL` })", column)
            self.settle(page)
            self.until(lambda: page.locator(".canvas > .section").count() == 1, lambda: f"{name!r}: " + page.locator("#query .error").inner_text())
            self.assertFalse(page.locator("#query .error").is_visible(), page.locator("#query .error").inner_text())
            self.assertEqual(page.evaluate("sectile.view.sections[0].header.identity"), name)
        page.click("[data-panel=schema]")
        page.wait_for_selector("#panel details")
        page.evaluate("document.querySelectorAll('#panel details').forEach(e => { e.open = true })")
        self.unbroken(page)
        page.close()

    def test_deep_and_wide(self):
        connection = self.database()
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, value TEXT)")
        connection.execute("INSERT INTO item VALUES (1, ?), (2, ?), (3, ?)", ("[" * 900 + "]" * 900, "[" * 200000, json.dumps(list(range(100000)))))
        columns = ", ".join(f"c{i}" for i in range(400))
        connection.execute(f"CREATE TABLE wide (id INTEGER PRIMARY KEY, {columns})")
        connection.execute("INSERT INTO wide (id, c0) VALUES (1, 'x')")
        page = self.open(self.serve(), "?table=item")
        for rank in range(3):
            page.evaluate("rank => { sectile.grid.moveTo(rank, 1); sectile.inspect() }", rank)
            self.until(lambda: page.locator("#panel .value > *").count() > 1 or page.locator("#panel .value pre").count() == 1, f"row {rank}")
        self.assertLess(page.evaluate("document.querySelectorAll('*').length"), 3000)
        page.evaluate("sectile.choose('wide')")
        self.settle(page)
        self.assertEqual(page.evaluate("sectile.grid.heads.names.length"), 60)
        self.assertEqual(page.evaluate(SNAPSHOT)["total"], 1)
        page.close()
