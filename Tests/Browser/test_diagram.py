"""The diagram of the schema: boxes and lines that are in nobody's way, moved and enlarged, and saved."""

import os
import random
import xml.etree.ElementTree

from support import BrowserCase

CHINOOK = os.path.join(os.path.dirname(__file__), "..", "SectileCLITests", "Fixtures", "chinook.sql")
HOSTILE = '<img src=x onerror="alert(1)">\u202eevil\ufffe'

# Pairs of boxes that overlap, texts that leave their boxes, and lines that run below a box that they do not end at.
TROUBLE = """() => {
  const box = e => { const { x, y, width, height } = e.getBBox(); return { x, y, right: x + width, bottom: y + height } }
  const boxes = [...document.querySelectorAll('.diagram-box')].map(box)
  const found = []
  boxes.forEach((a, i) => boxes.slice(0, i).forEach((b, j) => {
    if (a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom) found.push(['overlap', i, j])
  }))
  document.querySelectorAll('.diagram-table').forEach((table, i) => {
    for (const text of table.querySelectorAll('text')) {
      const { x, y, right, bottom } = box(text)
      if (x < boxes[i].x || right > boxes[i].right || y < boxes[i].y || bottom > boxes[i].bottom + 1) found.push(['text', text.textContent])
    }
  })
  for (const link of document.querySelectorAll('.diagram-link')) {
    if (link.dataset.from === link.dataset.to) continue
    const line = link.querySelector('.diagram-line')
    const length = line.getTotalLength()
    for (let at = 0; at <= length; at += 2) {
      const { x, y } = line.getPointAtLength(at)
      const i = boxes.findIndex(b => x > b.x + 1 && x < b.right - 1 && y > b.y + 1 && y < b.bottom - 1)
      if (i >= 0) { found.push(['line', link.textContent, i]); break }
    }
  }
  return found
}"""

SEED = int(os.environ.get("SECTILE_SEED", "0") or 0) or random.randrange(1, 10**6)

# What is wrong with the layouts of some graphs: boxes that overlap or are outside, lines through boxes or off their ends.
LAYOUTS = """async graphs => {
  const { layOut } = await import('/layering.js')
  const found = []
  graphs.forEach(({ boxes, links }, graph) => {
    const { width, height, boxes: placed, paths } = layOut(boxes, links)
    placed.forEach((a, i) => {
      if (!(a.x >= 0 && a.y > -1e-6 && a.x + a.width <= width + 1e-6 && a.y + a.height <= height + 1e-6)) found.push([graph, 'outside', i])
      placed.slice(0, i).forEach((b, j) => {
        if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height) found.push([graph, 'overlap', i, j])
      })
    })
    links.forEach(({ from, to, fromY, toY }, i) => {
      const points = paths[i]
      if (from === to) return
      if (!(Math.abs(points[0].y - placed[from].y - fromY) < 1e-6 && Math.abs(points.at(-1).y - placed[to].y - toY) < 1e-6)) found.push([graph, 'ends', i])
      for (let at = 1; at < points.length; at++) {
        const xs = [points[at - 1].x, points[at].x].sort((a, b) => a - b), ys = [points[at - 1].y, points[at].y].sort((a, b) => a - b)
        if (placed.some(b => b.x < xs[1] - 0.1 && xs[0] + 0.1 < b.x + b.width && b.y < ys[1] && ys[0] < b.y + b.height)) found.push([graph, 'through', i])
      }
    })
  })
  return found
}"""


class DiagramTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()

    def open(self, query="?panel=diagram", shown=".diagram .diagram-table", **options):
        page = self.page(f"{self.serve().origin}/{query}", **options)
        page.wait_for_selector(shown)
        return page

    def view(self, page):
        return page.evaluate("document.querySelector('.diagram > g').getAttribute('transform')")

    def test_tables_and_their_foreign_keys(self):
        with open(CHINOOK, encoding="utf-8") as script:
            self.connection.executescript(script.read())
        page = self.open("?table=Track&panel=schema", shown="details.table", color_scheme="light")
        page.get_by_role("button", name="Diagram", exact=True).click()
        page.wait_for_selector(".diagram .diagram-table")
        self.assertIn("panel=diagram", page.url)
        tables = [name for name, in self.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        self.assertEqual(sorted(page.locator(".diagram-name").all_text_contents()), sorted(tables))
        keys = sum(len({row[0] for row in self.connection.execute(f"PRAGMA foreign_key_list({name})")}) for name in tables)
        self.assertGreater(keys, 8)
        self.assertEqual(page.locator(".diagram-link").count(), keys)
        self.assertEqual(page.evaluate(TROUBLE), [])
        # Columns of keys, and no others.
        track = page.locator(".diagram-table", has=page.locator(".diagram-name", has_text="Track").first)
        self.assertEqual(page.locator('.diagram-table[aria-current="page"] .diagram-column').all_text_contents(), ["TrackId", "AlbumId", "MediaTypeId", "GenreId"])
        # The button of the schema is that of both; the list is still there.
        self.assertEqual(page.get_attribute("[data-panel=schema]", "aria-pressed"), "true")
        page.get_by_role("button", name="List", exact=True).click()
        page.wait_for_selector("#panel details.table")
        page.get_by_role("button", name="Diagram", exact=True).click()
        # A table that is pointed at lights its lines.
        track.first.wait_for()
        page.locator(".diagram-name", has_text="Genre").first.hover()
        self.until(lambda: page.locator(".diagram-link.lit").count() == 1, lambda: page.locator(".diagram-link.lit").count())
        # A click opens it.
        page.locator(".diagram-name", has_text="Genre").first.click()
        self.until(lambda: page.evaluate("sectile.state.table") == "Genre", lambda: page.evaluate("sectile.state.table"))
        self.assertIn("panel=diagram", page.url)
        self.until(lambda: page.locator('.diagram-table[aria-current="page"] .diagram-name').all_text_contents() == ["Genre"], "it is marked")

    def test_fifty_tables_with_circles_are_readable(self):
        for id in range(50):
            links = "".join(f", c{target} INTEGER REFERENCES t{target}" for target in {id * 7 % 50, id * 3 // 5, 0} if id % 9)
            self.connection.execute(f"CREATE TABLE t{id} (id INTEGER PRIMARY KEY{links}, note TEXT)")
        page = self.open()
        self.assertEqual(page.locator(".diagram-table").count(), 50)
        self.assertEqual(page.evaluate(TROUBLE), [])
        # What is around the open table is in sight at first, as large as it can be read.
        self.assertGreaterEqual(page.evaluate("document.querySelector('.diagram > g').getCTM().a"), 0.69)
        page.get_by_role("button", name="All of it (0)").click()
        inside = """() => { const s = document.querySelector('.diagram').getBoundingClientRect()
          return [...document.querySelectorAll('.diagram-box')].filter(e => { const b = e.getBoundingClientRect()
            return b.left >= s.left - 1 && b.top >= s.top - 1 && b.right <= s.right + 1 && b.bottom <= s.bottom + 1 }).length }"""
        self.assertEqual(page.evaluate(inside), 50)
        page.focus(".diagram")
        for _ in range(9):
            page.keyboard.press("+")
        self.assertLess(page.evaluate(inside), 50)
        before = self.view(page)
        page.keyboard.press("ArrowRight")
        self.assertNotEqual(self.view(page), before)
        # The focus brings a table into sight, and the arrow keys go to others.
        page.keyboard.press("Tab")
        names = set()
        for key in ["ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft"]:
            page.keyboard.press(key)
            names.add(page.evaluate("document.activeElement.querySelector('.diagram-name').textContent"))
            shown = page.evaluate("""() => { const s = document.querySelector('.diagram').getBoundingClientRect(), b = document.activeElement.querySelector('.diagram-name').getBoundingClientRect()
              return b.left >= s.left && b.top >= s.top && b.right <= s.right && b.bottom <= s.bottom }""")
            self.assertTrue(shown, key)
        self.assertGreater(len(names), 2)
        name = page.evaluate("document.activeElement.querySelector('.diagram-name').textContent")
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.state.table") == name, lambda: page.evaluate("sectile.state.table"))
        page.get_by_role("button", name="All of it (0)").click()
        self.assertEqual(page.evaluate(inside), 50)
        # Dragged and turned, it moves; a drag that begins at a table opens none.
        before = self.view(page)
        box = page.locator(".diagram-box").nth(20).bounding_box()
        page.mouse.move(box["x"] + 3, box["y"] + 3)
        page.mouse.down()
        page.mouse.move(box["x"] + 40, box["y"] + 30, steps=4)
        page.mouse.up()
        self.assertNotEqual(self.view(page), before)
        self.assertEqual(page.evaluate("sectile.state.table"), name)
        scale = page.evaluate("document.querySelector('.diagram > g').getCTM().a")
        page.keyboard.down("Control")
        page.mouse.wheel(0, -200)
        page.keyboard.up("Control")
        self.until(lambda: page.evaluate("document.querySelector('.diagram > g').getCTM().a") > scale, "it is larger")

    def test_layouts_of_random_graphs(self):
        source = random.Random(SEED)
        graphs = []
        for _ in range(150):
            boxes = [{"width": source.randint(100, 220), "height": source.randint(30, 150)} for _ in range(source.randint(1, 60))]
            ends = [(source.randrange(len(boxes)), source.randrange(len(boxes))) for _ in range(source.randrange(2 * len(boxes)))]
            graphs.append({"boxes": boxes, "links": [
                {"from": a, "to": b, "fromY": source.randrange(boxes[a]["height"]), "toY": source.randrange(boxes[b]["height"])} for a, b in ends]})
        self.connection.execute("CREATE TABLE one (id INTEGER PRIMARY KEY)")
        page = self.open()
        self.assertEqual(page.evaluate(LAYOUTS, graphs), [], f"SECTILE_SEED={SEED}")

    def test_names_are_text_and_a_change_is_drawn(self):
        quoted = HOSTILE.replace('"', '""')
        self.connection.execute(f'CREATE TABLE "{quoted}" ("{quoted}" INTEGER PRIMARY KEY, parent REFERENCES "{quoted}")')
        self.connection.execute("CREATE TABLE lost (id INTEGER PRIMARY KEY, other REFERENCES nowhere)")
        page = self.open()
        self.assertEqual(page.locator(".diagram-table").count(), 2)
        self.assertEqual(page.locator(".diagram-link").count(), 1)
        self.assertEqual(page.locator("img:not([src='/icon.svg'])").count(), 0)
        self.assertEqual(page.evaluate(TROUBLE), [])
        # A file is saved that says its colours itself, and is well formed whatever names contain.
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as SVG").click()
        self.assertTrue(download.value.suggested_filename.endswith(".svg"))
        with open(download.value.path(), encoding="utf-8") as file:
            text = file.read()
        root = xml.etree.ElementTree.fromstring(text.encode())
        space = "{http://www.w3.org/2000/svg}"
        self.assertEqual(len(root.findall(f".//{space}img")), 0)
        self.assertTrue(all(rect.get("fill").startswith(("rgb", "color")) for rect in root.iter(f"{space}rect")))
        self.assertIn("<img src=x", "".join(root.itertext()))
        self.assertNotIn("href", text)
        # A table that is made meanwhile is drawn, and what was moved stays where it is.
        page.focus(".diagram")
        page.keyboard.press("ArrowDown")
        before = self.view(page)
        self.connection.execute("CREATE TABLE more (id INTEGER PRIMARY KEY, lost_id REFERENCES lost)")
        self.until(lambda: page.locator(".diagram-table").count() == 3 and page.locator(".diagram-link").count() == 2, lambda: page.locator(".diagram-table").count())
        self.assertEqual(self.view(page).split("scale")[1], before.split("scale")[1])

    def test_narrow(self):
        self.connection.execute("CREATE TABLE one (id INTEGER PRIMARY KEY)")
        self.connection.execute("CREATE TABLE two (id INTEGER PRIMARY KEY, one_id REFERENCES one)")
        page = self.open(viewport={"width": 390, "height": 700}, color_scheme="dark")
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        page.locator(".diagram-name", has_text="two").click()
        self.until(lambda: page.evaluate("sectile.state.table") == "two" and page.locator("#panel").is_hidden(), "the rows are seen")
