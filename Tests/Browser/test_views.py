"""Several views over one stream, several pages, and the example."""

from support import SNAPSHOT, BrowserCase

OPEN = """async requests => {
  const { connect } = await import("/sectile.js")
  globalThis.connection = connect("/api")
  globalThis.events = []
  globalThis.views = requests.map((request, i) => connection.open(request, {
    onReset: view => { events.push([i, "reset"]); view.want(0, 50) },
    onChanges: () => events.push([i, "changes"]), onError: (_, error) => events.push([i, error.code])
  }))
}"""
TOTALS = "views.map(view => view.total)"


class ViewTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT, size INTEGER)")
        self.connection.executemany("INSERT INTO item VALUES (?, ?, ?)", [(id, "abc"[id % 3], id) for id in range(1, 91)])
        self.server = self.serve()

    def test_several_views_over_one_stream(self):
        page = self.page(self.server.origin + "/example.html?table=item")
        self.until(lambda: page.evaluate("view.isSettled"), "the example is there")
        page.evaluate("view.close()")
        streams = []
        page.on("request", lambda request: streams.append(request.url) if request.url.endswith("/api/events") else None)
        page.evaluate(OPEN, [{"table": "item"}, {"table": "item", "section-by": "part"}, {"table": "item", "where": "size > 80"}])
        self.until(lambda: page.evaluate(TOTALS) == [90, 90, 10], lambda: page.evaluate(TOTALS))
        self.assertEqual(len(streams), 1)
        self.connection.execute("INSERT INTO item VALUES (91, 'd', 91)")
        self.until(lambda: page.evaluate(TOTALS) == [91, 91, 11], lambda: page.evaluate(TOTALS))
        self.connection.execute("DELETE FROM item WHERE id = 1")
        self.until(lambda: page.evaluate(TOTALS) == [90, 90, 11], lambda: page.evaluate(TOTALS))
        self.assertEqual(page.evaluate("views[1].sections.map(s => s.header.identity + s.count).join()"), "a30,b29,c30,d1")
        # One leaves; the others go on, and another one joins.
        page.evaluate("views[0].close()")
        self.connection.execute("DELETE FROM item WHERE id = 2")
        self.until(lambda: page.evaluate(TOTALS)[1:] == [89, 11], lambda: page.evaluate(TOTALS))
        self.assertEqual(page.evaluate(TOTALS)[0], 90)
        page.evaluate("views.push(connection.open({ table: 'item', limit: 5 }))")
        self.until(lambda: page.evaluate(TOTALS)[3] == 5, lambda: page.evaluate(TOTALS))
        self.assertEqual(page.evaluate("Promise.all(views.slice(1).map(view => view.verify()))"), [[], [], []])
        self.until(lambda: page.evaluate("views[1].isSettled"), "rows are read")
        self.assertEqual(page.evaluate("views[1].row(0).cells"), [3, "a", 3])
        self.assertEqual(page.evaluate("events.filter(([, kind]) => kind === 'reset').length"), 3)
        page.evaluate("connection.close()")
        self.until(lambda: b'"streams":0' in self.server.get("/api/stats"), "the stream ends")

    def test_two_pages(self):
        pages = [self.page(self.server.origin + "/?table=item&section-by=part"), self.page(self.server.origin + "/?table=item&sort=size+DESC")]
        for page in pages:
            self.settle(page)
        for step in range(20):
            self.connection.execute("UPDATE item SET part = ?, size = ? WHERE id = ?", ("abcde"[step % 5], 1000 - step, step + 1))
        for page, order in zip(pages, ("part, id", "size DESC, id")):
            expected = [list(row) for row in self.connection.execute(f"SELECT * FROM item ORDER BY {order}")]

            def shown():
                held = page.evaluate(SNAPSHOT)
                return held["settled"] and held["held"] and [cells for _, _, cells in held["held"]] == expected[:len(held["held"])]
            self.until(shown, "the page shows what SQL says")
        # Pages that ask for the same share a view.
        other = self.page(self.server.origin + "/?table=item&section-by=part")
        self.settle(other)
        stats = other.evaluate("fetch('/api/stats').then(answer => answer.json())")
        self.assertEqual(sorted(view["clients"] for view in stats["views"] if view["clients"]), [1, 2])

    def test_example(self):
        page = self.page(self.server.origin + "/example.html?table=item&section-by=part")
        self.until(lambda: "90 rows" in page.inner_text("#state"), lambda: page.inner_text("#state"))
        self.until(lambda: page.locator("#list > li").count() == 3 and "3, a, 3" in page.inner_text("#list"), lambda: page.inner_text("#list"))
        self.connection.execute("INSERT INTO item VALUES (91, '0', 91)")
        self.until(lambda: page.locator("#list > li").first.inner_text().startswith("0: 1"), lambda: page.inner_text("#list"))

    def test_pages_that_come_and_go_leave_nothing(self):
        for _ in range(8):
            page = self.page(self.server.origin + "/?table=item")
            self.settle(page)
            page.close()
        self.until(lambda: b'"streams":0' in self.server.get("/api/stats"), "no stream is left")
