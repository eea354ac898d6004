"""Charts of sections: live, seldom redrawn, reached by the keyboard, kept in the address."""

from support import BrowserCase

HOSTILE = '<img src=x onerror="alert(1)">\u202eevil'


class ChartTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute("CREATE TABLE sale (id INTEGER PRIMARY KEY, place TEXT, amount REAL)")
        self.connection.executemany("INSERT INTO sale VALUES (?, ?, ?)", [(id, f"place {id % 5}", id) for id in range(1, 101)])
        self.server = self.serve()

    def open(self, query="?table=sale&section-by=place&aggregate=sum(amount)&panel=chart", **options):
        page = self.page(f"{self.server.origin}/{query}", **options)
        self.settle(page)
        return page

    def bars(self, page):
        return page.evaluate("[...document.querySelectorAll('.chart-bar')].map(e => e.getBoundingClientRect().height)")

    def look(self, page, i):
        """What is said of a section when the mouse points at it."""
        box = page.locator(".chart").bounding_box()
        count = page.evaluate("sectile.panels.chart.surface.ariaValueMax ?? Number(sectile.panels.chart.surface.getAttribute('aria-valuemax'))")
        page.mouse.move(box["x"] + 64 + (box["width"] - 76) * (i + 0.5) / int(count), box["y"] + 80)
        return page.inner_text(".chart-readout")

    def test_bars_follow_the_sections(self):
        page = self.open()
        self.until(lambda: len(self.bars(page)) == 5, lambda: self.bars(page))
        sums = [row[0] for row in self.connection.execute("SELECT sum(amount) FROM sale GROUP BY place ORDER BY place")]
        heights = self.bars(page)
        for height, value in zip(heights, sums):
            self.assertAlmostEqual(height / max(heights), value / max(sums), delta=0.02)
        self.until(lambda: "place 2" in self.look(page, 2) and "990" in self.look(page, 2), lambda: page.inner_text(".chart-readout"))
        # A commit is drawn, and what is looked at stays.
        self.connection.execute("UPDATE sale SET amount = amount + 1000 WHERE place = 'place 2'")
        self.until(lambda: "20,990" in page.inner_text(".chart-readout"), lambda: page.inner_text(".chart-readout"))
        self.connection.execute("INSERT INTO sale VALUES (1000, 'place 0a', -500)")
        self.until(lambda: len(self.bars(page)) == 6, lambda: self.bars(page))
        self.assertIn("place 2", page.inner_text(".chart-readout"))
        # One below zero hangs from it.
        zero = page.locator(".chart-zero").bounding_box()["y"]
        self.assertGreaterEqual(page.locator(".chart-bar").nth(1).bounding_box()["y"], zero - 1)
        # Values of sections that have none are said, and not drawn.
        self.connection.execute("UPDATE sale SET amount = 'much' WHERE id = 1000")
        self.connection.execute("INSERT INTO sale VALUES (1001, 'void', NULL)")
        page.wait_for_function("() => document.querySelectorAll('.chart-bar').length < sectile.view.sections.length")
        self.until(lambda: "no number to draw" in page.inner_text("#panel"), lambda: page.inner_text("#panel"))

    def test_it_is_drawn_four_times_a_second_at_most(self):
        page = self.open()
        self.until(lambda: len(self.bars(page)) == 5, lambda: self.bars(page))
        page.evaluate("""() => {
          globalThis.drawn = []
          new MutationObserver(() => drawn.push(performance.now())).observe(document.querySelector('.chart'), { childList: true })
        }""")
        version = page.evaluate("sectile.view.version")
        for i in range(60):
            self.connection.execute("UPDATE sale SET amount = amount + 1 WHERE id = ?", (i + 1,))
        total = self.connection.execute("SELECT sum(amount) FROM sale").fetchone()[0]
        self.until(lambda: page.evaluate("sectile.view.sections.reduce((sum, s) => sum + Number(s.header.aggregates['sum(amount)']?.$real ?? s.header.aggregates['sum(amount)']), 0)") == total, "all are here")
        self.assertGreater(page.evaluate("sectile.view.version"), version)
        page.wait_for_function("() => drawn.length > 0")
        gaps = page.evaluate("drawn.slice(1).map((at, i) => at - drawn[i])")
        # Each is at least so long after the one before, however slow the machine is.
        self.assertTrue(all(gap >= 240 for gap in gaps), gaps)

    def test_the_address_keeps_it_and_keys_reach_it(self):
        page = self.open("?table=sale&section-by=place&aggregate=sum(amount)&aggregate=max(amount)")
        page.get_by_role("button", name="Chart", exact=True).click()
        page.wait_for_selector(".chart-bar")
        self.assertEqual(page.get_attribute("#show-chart", "aria-pressed"), "true")
        page.get_by_label("Value", exact=True).select_option("max(amount)")
        page.get_by_role("button", name="Line", exact=True).click()
        page.wait_for_selector(".chart-point")
        self.assertIn("panel=chart&chart=line%3Amax%28amount%29", page.url)
        page.reload()
        self.settle(page)
        page.wait_for_selector(".chart-point")
        self.assertEqual(page.locator(".chart-line").count(), 1)
        self.assertEqual(page.get_by_label("Value", exact=True).input_value(), "max(amount)")
        page.focus(".chart")
        page.keyboard.press("End")
        self.assertEqual(page.get_attribute(".chart", "aria-valuetext"), "place 4: max(amount) 99")
        page.keyboard.press("ArrowLeft")
        self.assertEqual(page.get_attribute(".chart", "aria-valuenow"), "4")
        self.assertEqual(page.get_attribute(".chart", "aria-valuetext"), "place 3: max(amount) 98")
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.grid.cursor.rank") == 60, lambda: page.evaluate("sectile.grid.cursor.rank"))
        page.keyboard.press("Escape")
        self.until(lambda: page.locator("#panel").is_hidden(), "it is closed")
        self.assertNotIn("chart", page.url)

    def test_two_hundred_sections_are_drawn(self):
        self.connection.execute("DELETE FROM sale")
        self.connection.executemany("INSERT INTO sale VALUES (?, ?, ?)", [(id, f"{HOSTILE} {id:04}", id) for id in range(1, 252)])
        page = self.open("?table=sale&section-by=place&panel=chart", color_scheme="dark")
        self.until(lambda: len(self.bars(page)) == 200, lambda: len(self.bars(page)))
        self.assertIn("The first 200 of 251 sections", page.inner_text("#panel"))
        self.assertEqual(page.locator("img:not([src='/icon.svg'])").count(), 0)
        # Without totals it counts rows. Labels are in nobody's way.
        self.assertIn("add a total", page.inner_text("#panel"))
        overlaps = page.evaluate("""() => {
          const all = [...document.querySelectorAll('.chart-label')].map(e => e.getBoundingClientRect())
          return all.filter((a, i) => all.some((b, j) => j < i && a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length }""")
        self.assertEqual(overlaps, 0)
        box = page.locator(".chart").bounding_box()
        outside = page.evaluate("""() => { const s = document.querySelector('.chart').getBoundingClientRect()
          return [...document.querySelectorAll('.chart *')].filter(e => { const b = e.getBoundingClientRect(); return b.left < s.left - 1 || b.right > s.right + 1 || b.bottom > s.bottom + 1 }).length }""")
        self.assertEqual(outside, 0, box)

    def test_without_sections_it_says_what_to_do(self):
        page = self.open("?table=sale&panel=chart")
        page.locator("#panel").get_by_role("button", name="place", exact=True).click()
        page.wait_for_selector(".chart-bar")
        self.assertEqual(page.evaluate("sectile.state['section-by']"), "place")
        page.evaluate("sectile.change({ 'section-by': '' })")
        self.until(lambda: "Group the rows" in page.inner_text("#panel"), lambda: page.inner_text("#panel"))
        # Values that no chart can show are no error.
        self.connection.execute("UPDATE sale SET amount = 1.7e308 WHERE place = 'place 1'")
        self.connection.execute("UPDATE sale SET amount = -1.7e308 WHERE place = 'place 3'")
        page.evaluate("sectile.change({ 'section-by': 'place', aggregate: ['max(amount)', 'sum(amount)'], chart: 'bar:max(amount)' })")
        self.until(lambda: len(self.bars(page)) == 5, lambda: self.bars(page))
        self.assertTrue(page.evaluate("[...document.querySelectorAll('.chart rect')].every(e => Number(e.getAttribute('height')) >= 0 && Number.isFinite(Number(e.getAttribute('y'))))"))
