"""Columns: their order, those that stay, their widths, those that are hidden."""

from support import BrowserCase

NAMES = "[...document.querySelectorAll('.heads-row [data-column]')].map(e => e.dataset.column).join()"
# The first row that is shown, as the page shows it.
FIRST = "[...[...document.querySelectorAll('.canvas > .row')].find(e => e.rank === 0).children].map(e => e.textContent)"


class ColumnTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT, size INTEGER, note TEXT)")
        self.connection.executemany("INSERT INTO item VALUES (?, ?, ?, ?)", [(id, f"part {id}", 1000 + id, f"note {id}") for id in range(1, 301)])
        self.server = self.serve()

    def open(self, query="?table=item", **options):
        page = self.page(f"{self.server.origin}/{query}", **options)
        self.settle(page)
        return page

    def shows(self, page, *names):
        values = {"id": "1", "part": "part 1", "size": "1001", "note": "note 1"}
        is_shown = lambda: page.evaluate(NAMES) == ",".join(names) and page.evaluate(FIRST) == [values[name] for name in names]
        self.until(is_shown, lambda: f"{page.evaluate(NAMES)} {page.evaluate(FIRST)} instead of {names}")

    def drag(self, page, name, to, part=0.5, during=None):
        source = page.locator(f"[data-column={name}] .head .name").bounding_box()
        target = page.locator(f"[data-column={to}]").bounding_box()
        page.mouse.move(source["x"] + 3, source["y"] + 5)
        page.mouse.down()
        page.mouse.move(target["x"] + target["width"] * part, target["y"] + 6, steps=5)
        if during:
            during()
        page.mouse.up()

    def test_order_by_dragging(self):
        page = self.open()
        requests = []
        page.on("request", lambda request: requests.append(request.url) if "/api/" in request.url else None)
        self.drag(page, "note", "part", 0.2, lambda: self.assertEqual(page.locator("[data-column=part].drop-before").count(), 1))
        self.shows(page, "id", "note", "part", "size")
        self.drag(page, "id", "size", 0.9)
        self.shows(page, "note", "part", "size", "id")
        self.assertEqual(page.locator(".drop-before, .drop-after, .dragged").count(), 0)
        # The same rows are shown: none is asked for, and nothing is sorted.
        self.assertEqual(requests, [])
        self.assertEqual(page.evaluate("sectile.state.sort"), [])
        self.drag(page, "id", "note", 0.1, lambda: page.keyboard.press("Escape"))
        self.shows(page, "note", "part", "size", "id")
        page.reload()
        self.settle(page)
        self.shows(page, "note", "part", "size", "id")
        # Cells are those of their columns, also when they change, are opened, or copied.
        self.connection.execute("UPDATE item SET size = 5 WHERE id = 1")
        self.until(lambda: page.evaluate(FIRST) == ["note 1", "part 1", "5", "1"], lambda: page.evaluate(FIRST))
        self.until(lambda: page.evaluate("[...document.querySelectorAll('.cell.changed')].map(e => e.textContent)") == ["5"], "the mark of the cell alone")
        page.evaluate("sectile.grid.moveTo(1, 2)")
        page.keyboard.press("Enter")
        self.until(lambda: "1002" in page.inner_text("#panel .value"), lambda: page.inner_text("#panel"))
        page.keyboard.press("r")
        self.until(lambda: page.locator(".row-fields").count() == 1, "the row")
        self.assertEqual(page.locator(".row-fields dt").all_inner_texts(), ["note", "part", "size", "idkey"])
        self.assertEqual(page.locator(".row-fields dd").all_inner_texts(), ["note 2", "part 2", "1002", "2"])
        page.get_by_role("button", name="Remove: Columns in another order").click()
        self.until(lambda: page.evaluate(NAMES) == "id,part,size,note", lambda: page.evaluate(NAMES))
        self.assertNotIn("column=", page.url)

    def test_order_and_pins_by_keys(self):
        page = self.open()
        page.evaluate("sectile.grid.moveTo(0, 3)")
        page.keyboard.press("<")
        self.shows(page, "id", "part", "note", "size")
        self.assertEqual(page.evaluate("sectile.grid.cursor.column"), 2)
        self.assertIn("column 3 of 4", page.inner_text("#announcer"))
        page.keyboard.press("l")
        self.shows(page, "note", "id", "part", "size")
        self.assertEqual(page.evaluate("sectile.state.pin"), "1")
        page.keyboard.press(">")
        self.shows(page, "id", "note", "part", "size")
        self.assertEqual(page.evaluate("sectile.state.pin"), "")
        page.keyboard.press("l")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("l")
        self.shows(page, "note", "id", "part", "size")
        self.assertEqual(page.evaluate("sectile.state.pin"), "2")
        page.keyboard.press("m")
        page.get_by_role("menuitemcheckbox", name="Pin to the left").click()
        self.assertEqual(page.evaluate("sectile.state.pin"), "1")
        self.shows(page, "note", "id", "part", "size")
        page.go_back()
        self.until(lambda: page.evaluate("sectile.state.pin") == "2", "the step before")

    def test_pinned_columns_stay(self):
        page = self.open("?table=item&column=part&column=id&column=note&column=size&pin=1", viewport={"width": 700, "height": 600})
        self.shows(page, "part", "id", "note", "size")
        page.evaluate("sectile.grid.heads.widen('note', 1200)")
        box = lambda selector: page.locator(selector).first.bounding_box()["x"]
        before = box("[data-column=part]")
        page.evaluate("sectile.grid.element.scrollLeft = 500")
        self.until(lambda: box("[data-column=id]") < before - 100, "the others scroll")
        self.assertEqual(box("[data-column=part]"), before)
        self.assertEqual(page.evaluate("(e => e.getBoundingClientRect().x)([...document.querySelectorAll('.canvas > .row')].find(e => e.rank === 3).children[0])"), before)
        # What is gone to does not stand below them.
        page.evaluate("sectile.grid.moveTo(0, 3); sectile.grid.moveTo(0, 1)")
        self.until(lambda: box("[data-column=id]") >= before + page.locator("[data-column=part]").bounding_box()["width"] - 1, "it is in sight")
        # They are opaque, and scroll with the rest where there is no room.
        self.assertNotIn("rgba(0, 0, 0, 0)", page.evaluate("getComputedStyle(document.querySelector('.row .stuck')).backgroundColor"))
        page.evaluate("sectile.grid.heads.widen('part', 600)")
        page.evaluate("sectile.grid.element.scrollLeft = 300")
        self.until(lambda: box("[data-column=part]") < before - 100, "it scrolls")

    def test_widths(self):
        long = "a long text of a row, which is longer than most of them are"
        self.connection.execute("UPDATE item SET note = ? WHERE id = 3", (long,))
        context = self.context()
        page = self.open(context=context)
        width = lambda page, name: page.locator(f"[data-column={name}]").bounding_box()["width"]
        grip = page.locator("[data-column=part] .grip").bounding_box()
        before = width(page, "part")
        page.mouse.move(grip["x"] + 4, grip["y"] + 10)
        page.mouse.down()
        page.mouse.move(grip["x"] + 64, grip["y"] + 10, steps=4)
        page.mouse.up()
        self.assertEqual(width(page, "part"), before + 60)
        page.locator("[data-column=note] .grip").dblclick()
        cell = "[...document.querySelectorAll('.canvas > .row')].find(e => e.rank === 2).children[3]"
        self.assertLessEqual(page.evaluate(f"{cell}.scrollWidth - {cell}.clientWidth"), 0)
        self.assertLess(page.evaluate(f"{cell}.clientWidth"), 600)
        note = width(page, "note")
        # The browser keeps them, for this table.
        other = self.open("?table=item&sort=size", context=context)
        self.assertEqual((width(other, "part"), width(other, "note")), (before + 60, note))
        page.evaluate("sectile.grid.moveTo(0, 1)")
        page.keyboard.press("+")
        self.assertEqual(width(page, "part"), before + 76)
        page.keyboard.press("-")
        page.keyboard.press("-")
        self.assertEqual(width(page, "part"), before + 44)
        page.keyboard.press("=")
        self.assertLess(width(page, "part"), before + 44)
        page.keyboard.press("m")
        page.get_by_role("menuitem", name="Forget all widths").click()
        self.assertEqual(width(page, "part"), before)
        # What is kept may be anything.
        page.evaluate("for (const key of Object.keys(localStorage)) localStorage[key] = '[[\"item\",[[\"part\",1e9],[3,4],null]],7]'")
        page.reload()
        self.settle(page)
        self.assertEqual(width(page, "part"), before)

    def test_hides_and_shows(self):
        page = self.open()
        page.evaluate("sectile.grid.moveTo(200, 2)")
        self.settle(page)
        first = page.evaluate("sectile.grid.first.rank")
        page.keyboard.press("m")
        page.get_by_role("menuitem", name="Hide this column").click()
        self.until(lambda: page.evaluate(NAMES) == "id,part,note", lambda: page.evaluate(NAMES))
        self.settle(page)
        # The rows stay where they are.
        self.assertEqual(page.evaluate("[sectile.grid.first.rank, sectile.grid.cursor.rank]"), [first, 200])
        self.assertEqual(page.locator(".chip:has-text('Columns') .chip-value").inner_text(), "3 of 4")
        page.locator(".chip:has-text('Columns') .chip-main").click()
        self.assertEqual(page.get_by_role("menuitemcheckbox", name="size").get_attribute("aria-checked"), "false")
        page.get_by_role("menuitemcheckbox", name="size").click()
        self.until(lambda: page.evaluate(NAMES) == "id,part,size,note", lambda: page.evaluate(NAMES))
        self.assertNotIn("column=", page.url)

    def test_the_keys_do_what_they_did_in_fields(self):
        page = self.open(viewport={"width": 390, "height": 700}, color_scheme="dark")
        page.focus("#where")
        page.keyboard.type("size < 1005 + 1 - 1")
        page.keyboard.press("Enter")
        self.until(lambda: page.evaluate("sectile.view.total") == 4, "the condition")
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
