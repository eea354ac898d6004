"""Contents that are higher than a browser's elements may be."""

from support import BrowserCase

ROWS = 600_000


class ScrollTests(BrowserCase):
    def test_more_rows_than_pixels(self):
        connection = self.database()
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO item SELECT i * 2, 'name ' || i FROM n", (ROWS,))
        server = self.serve("--query-timeout", "120")
        page = self.page(f"{server.origin}/?table=item")
        page.wait_for_function("() => document.querySelectorAll('.row .cell').length > 20", timeout=120000)
        self.settle(page)
        self.assertLess(page.evaluate("sectile.grid.canvas.offsetHeight"), 8_000_001)
        self.assertTrue(page.evaluate("sectile.grid.scroll.isScaled"))
        # The last row, at the lower edge.
        page.keyboard.press("End")
        self.settle(page)
        self.assertEqual(self.in_sight(page)[-1], ROWS * 2)
        page.keyboard.press("Home")
        self.settle(page)
        self.assertEqual(self.in_sight(page)[0], 2)
        # The middle of the bar is the middle of the rows.
        page.evaluate("() => { const e = sectile.grid.element; e.scrollTop = (e.scrollHeight - e.clientHeight) / 2 }")
        page.wait_for_timeout(400)
        self.settle(page)
        self.assertAlmostEqual(self.in_sight(page)[0], ROWS, delta=ROWS / 200)
        # A small step of the bar is as long as it is seen, and none is left out, though the bar is put right in between.
        for _ in range(6):
            before = self.in_sight(page)
            page.mouse.move(600, 400)
            page.mouse.wheel(0, 280)
            page.wait_for_timeout(500)
            self.settle(page)
            self.assertEqual(self.in_sight(page)[0], before[0] + 20)
        # Rows that come and go above do not move what is seen.
        before = self.in_sight(page), page.evaluate("sectile.grid.scroll.top")
        connection.execute("BEGIN")
        connection.execute("INSERT INTO item SELECT id + 1, 'new' FROM item WHERE id < 2000")
        connection.execute("DELETE FROM item WHERE id BETWEEN 4000 AND 4100")
        connection.execute("COMMIT")
        total = connection.execute("SELECT count(*) FROM item").fetchone()[0]
        self.until(lambda: page.evaluate("sectile.view.total") == total, "the change", timeout=120)
        self.settle(page)
        self.assertEqual(self.in_sight(page), before[0])
        self.assertAlmostEqual(page.evaluate("sectile.grid.scroll.top"), before[1] + (total - ROWS) * 28, delta=1)
        page.close()

    def in_sight(self, page):
        """The ids of the rows that are seen as a whole."""
        return page.evaluate("""() => {
          const box = sectile.grid.element.getBoundingClientRect()
          const upper = box.top + sectile.grid.canvas.offsetTop
          return [...document.querySelectorAll('.canvas > .row:not(.gone)')].filter(e => {
            const { top, bottom } = e.getBoundingClientRect()
            return top >= upper - 1 && bottom <= box.bottom + 1
          }).map(e => JSON.parse(e.dataset.id)[0])
        }""")
