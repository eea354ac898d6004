"""The palette of commands: everything by words and by the keyboard alone."""

from support import BrowserCase

HOSTILE = '<img src=x onerror="alert(1)">\u202eevil'


class PaletteTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute("CREATE TABLE package (id INTEGER PRIMARY KEY, name TEXT, section TEXT, size INTEGER)")
        self.connection.executemany("INSERT INTO package VALUES (?, ?, ?, ?)", [(id, f"name {id}", f"s{id % 4}", id * 7 % 100) for id in range(1, 201)])
        self.connection.execute("CREATE TABLE pause_log (id INTEGER PRIMARY KEY)")
        self.connection.execute("CREATE VIEW small AS SELECT * FROM package WHERE size < 10")
        quoted = HOSTILE.replace('"', '""')
        self.connection.execute(f'CREATE TABLE "{quoted}" (id INTEGER PRIMARY KEY, "{quoted}" TEXT)')
        self.server = self.serve()

    def open(self, query="?table=package", **options):
        page = self.page(f"{self.server.origin}/{query}", **options)
        self.settle(page)
        return page

    def find(self, page, text):
        page.keyboard.press("Control+k")
        page.wait_for_selector("dialog.palette[open]")
        page.keyboard.type(text)
        return page.locator(".palette li .palette-title").all_inner_texts()

    def chosen(self, page):
        return page.locator('.palette li[aria-selected="true"] .palette-title').all_inner_texts()

    def test_tables_are_found_and_chosen(self):
        page = self.open()
        self.assertEqual(self.find(page, "pause")[:2], ["Pause", "pause_log"])
        page.keyboard.press("ArrowDown")
        self.assertEqual(self.chosen(page), ["pause_log"])
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.state.table") == "pause_log", "the table")
        self.until(lambda: page.locator("dialog").count() == 0, "it is closed")
        self.assertEqual(page.evaluate("document.activeElement.id"), "grid")
        # By its letters in their order, and a view as well.
        self.assertIn("small", self.find(page, "sml"))
        page.keyboard.press("Escape")
        self.until(lambda: page.locator("dialog").count() == 0, "it is closed")
        self.assertEqual(page.evaluate("document.activeElement.id"), "grid")

    def test_it_is_a_combobox(self):
        page = self.open()
        page.focus("#search")
        self.find(page, "sort")
        field = page.locator(".palette input")
        self.assertEqual(field.get_attribute("role"), "combobox")
        self.assertEqual(field.get_attribute("aria-expanded"), "true")
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('role')"), "combobox")
        self.assertEqual(page.locator("#" + field.get_attribute("aria-controls")).get_attribute("role"), "listbox")
        active = lambda: page.evaluate("document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.getAttribute('aria-selected')")
        count = page.locator(".palette li").count()
        self.assertGreater(count, 4)
        for key in ["ArrowDown", "PageDown", "ArrowUp", "PageUp", "ArrowUp"]:
            page.keyboard.press(key)
            self.assertEqual(active(), "true", key)
            self.assertEqual(len(self.chosen(page)), 1)
        # Up from the first is the last.
        self.assertEqual(page.locator(".palette li").last.get_attribute("aria-selected"), "true")
        page.keyboard.type(" zzzz")
        self.assertEqual(page.locator(".palette li").count(), 0)
        self.assertIsNone(field.get_attribute("aria-activedescendant"))
        self.assertIn("Nothing", page.inner_text(".palette-status"))
        page.keyboard.press("Enter")
        self.assertEqual(page.locator("dialog").count(), 1)
        # The same key closes it, and the focus is where it was.
        page.keyboard.press("Control+k")
        self.until(lambda: page.locator("dialog").count() == 0, "it is closed")
        self.assertEqual(page.evaluate("document.activeElement.id"), "search")

    def test_columns_are_sorted_grouped_hidden_and_filtered(self):
        page = self.open()
        for text, expression, value in [
            ("descending size", "sectile.state.sort[0]", "size DESC"),
            ("group section", "sectile.state['section-by']", "section"),
            ("hide name", "sectile.columnNames.includes('name')", False),
            ("show name", "sectile.columnNames.includes('name')", True),
        ]:
            self.find(page, text)
            page.keyboard.press("Enter")
            self.until(lambda: page.evaluate(expression) == value, lambda: f"{text}: {page.evaluate(expression)}")
            self.settle(page)
        self.find(page, "fold all")
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.grid.folds.isEach"), "all are folded")
        self.find(page, "unfold all")
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.grid.folds.isEmpty"), "none is folded")
        self.find(page, "filter size")
        page.keyboard.press("Enter")
        page.get_by_label("Comparison").select_option(">")
        page.get_by_label("Value").fill("90")
        page.keyboard.press("Enter")
        expected = self.connection.execute("SELECT count(*) FROM package WHERE size > 90").fetchone()[0]
        self.until(lambda: page.evaluate("sectile.view.total") == expected, lambda: page.evaluate("sectile.view.total"))
        self.find(page, "go to row")
        page.keyboard.press("Enter")
        page.keyboard.type("3")
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.grid.cursor.rank") == 2, lambda: page.evaluate("sectile.grid.cursor.rank"))

    def test_names_are_text(self):
        page = self.open()
        shown = self.find(page, "onerror")
        self.assertTrue(any("<img src=x" in title for title in shown), shown)
        self.assertEqual(page.locator(".palette img").count(), 0)
        self.assertGreater(page.locator(".palette .escape").count(), 0)
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.state.table").startswith("<img"), "the hostile table")
        self.settle(page)
        self.find(page, "sort by evil")
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.state.sort.length") == 1, "it is sorted")
        self.settle(page)
        self.assertEqual(page.locator("img:not([src='/icon.svg'])").count(), 0)

    def test_a_theme_is_kept(self):
        page = self.open(color_scheme="light")
        scheme = lambda: page.evaluate("getComputedStyle(document.documentElement).colorScheme")
        self.find(page, "theme dark")
        page.keyboard.press("Enter")
        self.until(lambda: scheme() == "dark", scheme)
        page.reload()
        self.settle(page)
        self.assertEqual(scheme(), "dark")
        self.find(page, "theme system")
        page.keyboard.press("Enter")
        self.until(lambda: scheme() == "light dark", scheme)

    def test_narrow(self):
        page = self.open(viewport={"width": 390, "height": 700}, color_scheme="dark", reduced_motion="reduce")
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        bar = page.locator("#commands").bounding_box()
        self.assertLessEqual(bar["x"] + bar["width"], 390)
        page.click("#commands")
        box = page.locator("dialog.palette").bounding_box()
        self.assertTrue(box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 700, box)
        page.fill(".palette input", "explain")
        page.locator(".palette li").first.click()
        page.wait_for_selector("#panel .panel-body")
        self.assertEqual(page.inner_text("#panel h2"), "Explain")
        # A click beside it closes it.
        page.evaluate("sectile.closePanel()")
        page.click("#commands")
        page.mouse.click(5, 690)
        self.until(lambda: page.locator("dialog").count() == 0, "it is closed")

    def test_the_tables_come_behind_the_rows(self):
        page = self.open()
        order = page.evaluate("['skip', 'grid', 'tables'].map(id => document.getElementById(id)).every((e, i, all) => !i || all[i - 1].compareDocumentPosition(e) & 4)")
        self.assertTrue(order)
        page.focus("#grid")
        page.keyboard.press("Tab")
        self.assertTrue(page.evaluate("document.getElementById('tables').contains(document.activeElement)"))
        # They stand at the left all the same.
        self.assertLess(page.locator("#tables").bounding_box()["x"], page.locator("#grid").bounding_box()["x"])
