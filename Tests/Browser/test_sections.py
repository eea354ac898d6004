"""Sections that are folded."""

import json
import os
import random

from support import BrowserCase

SEED = int(os.environ.get("SECTILE_SEED", random.randrange(1_000_000)))

# What is shown, by SQL's rows: headers with their counts, and rows, from top to bottom, with their places.
SHOWN = """() => {
  const { grid } = sectile
  const all = [...document.querySelectorAll('.canvas > :is(.section, .row:not(.gone))')]
  return all.map(e => ({
    y: e.y + grid.scroll.shift, isHead: e.classList.contains('section'), isFolded: e.classList.contains('folded'),
    name: e.classList.contains('section') ? JSON.parse(e.dataset.identity) : e.dataset.id && JSON.parse(e.dataset.id)[0],
    count: e.querySelector('.count')?.textContent ?? null, index: Number(e.getAttribute('aria-rowindex'))
  }))
}"""


class SectionTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT NOT NULL, size INTEGER NOT NULL)")
        self.connection.executemany(
            "INSERT INTO item VALUES (?, ?, ?)", [(id, "abcdefgh"[id % 8], id) for id in range(1, 401)])
        self.server = self.serve()

    def open(self, query="?table=item&section-by=part&aggregate=sum(size)", **options):
        page = self.page(f"{self.server.origin}/{query}", **options)
        self.settle(page)
        return page

    def head(self, page, name):
        return page.locator(f".canvas > .section[data-identity='{json.dumps(name)}']")

    def press(self, page, name):
        """Clicks a header: that of the first section stands below the one that stays at the upper edge."""
        if page.locator(".pinned .title").inner_text() == name:
            page.locator(".pinned .fold").click()
        else:
            self.head(page, name).locator(".fold").click()

    def difference(self, page, folded):
        """What is shown otherwise than SQL has it, where the sections of some names are folded."""
        self.settle(page)
        shown = page.evaluate(SHOWN)
        places, y, section, rank = {}, 0, 0, 0
        parts = self.connection.execute("SELECT part, count(*) FROM item GROUP BY 1 ORDER BY 1").fetchall()
        for section, (part, count) in enumerate(parts):
            places[("head", part)] = (y, str(count), rank + section + 2)
            y += 32
            for (id,) in self.connection.execute("SELECT id FROM item WHERE part = ? ORDER BY id", (part,)):
                rank += 1
                if part in folded:
                    continue
                places[("row", id)] = (y, None, rank + section + 2)
                y += 28
        height = page.evaluate("parseFloat(sectile.grid.canvas.style.height)")
        if height != y:
            return f"a height of {height} instead of {y}"
        for each in shown:
            key = ("head" if each["isHead"] else "row", each["name"])
            if places.get(key) != (each["y"], each["count"], each["index"]):
                return f"{each} instead of {places.get(key)}"
            if each["isHead"] and each["isFolded"] != (each["name"] in folded):
                return f"{each}: folded are {folded}"
        top, bottom = page.evaluate("[sectile.grid.scroll.top, sectile.grid.scroll.top + sectile.grid.scroll.viewport]")
        seen = {("head" if each["isHead"] else "row", each["name"]) for each in shown}
        missing = [key for key, (y, _, _) in places.items() if top <= y < bottom and key not in seen]
        return f"{missing[:3]} are missing" if missing else None

    def shows(self, page, folded):
        self.until(lambda: self.difference(page, folded) is None, lambda: self.difference(page, folded))

    def test_folds_by_clicking_and_keeps_it_in_the_address(self):
        page = self.open()
        self.shows(page, "")
        fold = self.head(page, "a").locator(".fold")
        self.assertEqual(fold.get_attribute("aria-expanded"), "true")
        self.press(page, "a")
        self.shows(page, "a")
        self.assertEqual(fold.get_attribute("aria-expanded"), "false")
        self.assertEqual(self.head(page, "a").locator(".count").inner_text(), "50")
        self.assertIn("sum(size)", self.head(page, "a").inner_text())
        self.assertIn("a folded, 50 rows", page.inner_text("#announcer"))
        self.press(page, "b")
        self.shows(page, "ab")
        page.reload()
        self.settle(page)
        self.shows(page, "ab")
        self.press(page, "a")
        self.shows(page, "b")
        # Another order keeps what is folded; other sections are others.
        page.evaluate("sectile.change({ sort: ['id DESC'] })")
        self.settle(page)
        self.assertEqual(page.evaluate("sectile.state.fold"), ['"b"'])
        page.evaluate("sectile.change({ 'section-by': 'size % 3' })")
        self.settle(page)
        self.assertEqual(page.evaluate("sectile.state.fold"), [])
        self.assertNotIn("fold=", page.url)

    def test_folds_all_by_button_and_key(self):
        page = self.open()
        page.get_by_role("button", name="Fold all").click()
        self.shows(page, "abcdefgh")
        self.assertIn("fold=*", page.url)
        self.press(page, "c")
        self.shows(page, "abdefgh")
        page.reload()
        self.settle(page)
        self.shows(page, "abdefgh")
        # A section that is new is folded, too.
        self.connection.execute("INSERT INTO item VALUES (900, 'bb', 1)")
        self.until(lambda: self.head(page, "bb").count() == 1, "the new section")
        self.shows(page, ["a", "b", "bb", "d", "e", "f", "g", "h"])
        page.keyboard.press("F")
        self.shows(page, ["a", "b", "bb", "c", "d", "e", "f", "g", "h"])
        self.assertEqual(page.locator("#fold-all").inner_text(), "Unfold all")
        page.keyboard.press("F")
        self.shows(page, "")
        self.assertNotIn("fold=", page.url)

    def test_reads_only_what_is_shown(self):
        page = self.open("?table=item&section-by=part&fold=*")
        self.assertEqual(page.evaluate("[...sectile.view.rows()].length"), 0)
        self.shows(page, "abcdefgh")
        self.press(page, "h")
        self.shows(page, "abcdefg")
        self.assertLessEqual(page.evaluate("Math.max(...[...sectile.view.rows()].map(([rank]) => 399 - rank))"), 50)

    def test_goes_by_keys(self):
        page = self.open("?table=item&section-by=part&fold=%22b%22&fold=%22c%22")
        self.shows(page, "bc")
        rank = lambda: page.evaluate("sectile.grid.cursor.rank")
        page.evaluate("sectile.grid.moveTo(49)")
        page.keyboard.press("ArrowDown")
        self.assertEqual(rank(), 50)
        self.assertTrue(self.head(page, "b").evaluate("e => e.classList.contains('here')"))
        active = page.get_attribute("#grid", "aria-activedescendant")
        self.assertEqual(page.locator(f"#{active} .title").inner_text(), "b")
        page.keyboard.press("ArrowDown")
        self.assertEqual(rank(), 100)
        page.keyboard.press("ArrowDown")
        self.assertEqual(rank(), 150)
        for _ in range(3):
            page.keyboard.press("ArrowUp")
        self.assertEqual(rank(), 49)
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        self.shows(page, "c")
        self.assertEqual(page.locator("#panel").is_visible(), False)
        page.keyboard.press("f")
        self.shows(page, "bc")
        page.keyboard.press("End")
        self.assertEqual(rank(), 399)
        page.keyboard.press("f")
        self.shows(page, "bch")
        page.keyboard.press("Home")
        page.keyboard.press("f")
        self.shows(page, "abch")
        page.keyboard.press("r")
        self.until(lambda: "folded" in page.inner_text("#panel"), lambda: page.inner_text("#panel"))

    def test_goes_to_a_row_by_its_number(self):
        page = self.open("?table=item&section-by=part&fold=%22c%22")
        for typed, rank in (("271", 270), ("125", 124), ("0", 0), ("99999", 399)):
            page.keyboard.press("g")
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
            self.assertEqual(page.evaluate("sectile.grid.cursor.rank"), rank)
            self.settle(page)
        self.shows(page, "")
        page.keyboard.press("g")
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowUp")
        self.assertEqual(page.evaluate("sectile.grid.cursor.rank"), 398)

    def test_the_header_stays_where_it_is(self):
        page = self.open()
        page.evaluate("sectile.grid.scroll.go(sectile.grid.geometry.sectionTop(3) - 200); sectile.grid.draw()")
        self.settle(page)
        self.press(page, "d")
        self.shows(page, "d")
        self.assertEqual(page.evaluate("sectile.grid.geometry.sectionTop(3) - sectile.grid.scroll.top"), 200)
        # One that is above the edge comes to the edge.
        page.evaluate("sectile.grid.scroll.go(sectile.grid.geometry.sectionTop(4) + 300); sectile.grid.draw()")
        self.settle(page)
        page.locator(".pinned .section").click()
        self.shows(page, "de")
        self.assertEqual(page.evaluate("sectile.grid.geometry.sectionTop(4) - sectile.grid.scroll.top"), 0)

    def test_changes_in_folded_sections_count(self):
        page = self.open()
        self.press(page, "a")
        self.shows(page, "a")
        before = self.head(page, "a").locator(".aggregate").inner_text()
        self.connection.execute("INSERT INTO item VALUES (901, 'a', 7)")
        self.until(lambda: self.head(page, "a").locator(".count").inner_text() == "51", "the count")
        self.until(lambda: self.head(page, "a").locator(".aggregate").inner_text() != before, "the total")
        self.until(lambda: page.locator(".canvas > .section.changed").count() == 1, "the mark")
        self.shows(page, "a")
        page.keyboard.press("p")
        self.connection.execute("UPDATE item SET part = 'b' WHERE id = 901")
        self.until(lambda: "1 moved" in page.inner_text("#facts") or "1 changed" in page.inner_text("#facts"), lambda: page.inner_text("#facts"))
        self.assertEqual(self.head(page, "a").locator(".count").inner_text(), "51")
        page.keyboard.press("p")
        self.shows(page, "a")

    def test_random_changes_and_folds(self):
        page = self.open("?table=item&section-by=part")
        r = random.Random(SEED)
        folded = set()
        for step in range(60):
            with self.subTest(seed=SEED, step=step):
                for _ in range(r.randrange(4)):
                    id = r.randrange(1, 450)
                    if r.random() < 0.3:
                        self.connection.execute("DELETE FROM item WHERE id = ?", (id,))
                    else:
                        self.connection.execute(
                            "INSERT INTO item VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET part = ?2, size = ?3", (id, r.choice("abcdefghij"), r.randrange(900)))
                parts = [part for (part,) in self.connection.execute("SELECT DISTINCT part FROM item ORDER BY 1")]
                self.until(lambda: page.evaluate("sectile.view.sections.map(s => s.header.identity)") == parts, "the sections")
                part = r.choice(parts)
                page.evaluate(
                    "part => { const i = sectile.view.sections.findIndex(s => s.header.identity === part);"
                    " sectile.toggleFold(sectile.view.sections[i].header, sectile.view.structure.start(i)) }", part)
                folded ^= {part}
                if r.random() < 0.4:
                    page.evaluate("share => { sectile.grid.scroll.go(share * sectile.grid.scroll.end); sectile.grid.draw() }", r.random())
                self.shows(page, folded)
        self.assertEqual(page.evaluate("sectile.view.statistics.misfits"), 0)

    def test_more_than_an_address_holds_is_kept_by_the_tab(self):
        self.connection.executemany("INSERT INTO item VALUES (?, ?, 1)", [(1000 + i, f"long name of a section {i:03}") for i in range(150)])
        page = self.open()
        page.evaluate("for (const { header } of sectile.view.sections.slice(0, 120)) sectile.toggleFold(header)")
        self.assertLess(len(page.url), 2500)
        page.reload()
        self.settle(page)
        self.assertEqual(page.evaluate("sectile.view.sections.filter(s => sectile.grid.folds.has(s.header)).length"), 120)

    def test_hostile_names_and_narrow_pages(self):
        name = "<img src=x onerror=\"document.title='gone'\">"
        self.connection.execute("INSERT INTO item VALUES (902, ?, 1)", (name,))
        for width in (390, 1024, 1440):
            page = self.open(viewport={"width": width, "height": 700}, color_scheme="dark")
            page.locator(".pinned .fold").click()
            self.shows(page, [name])
            self.assertEqual(page.locator(".grid img").count(), 0)
            self.assertIn(name, page.inner_text(".pinned .title"))
            self.assertEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
            page.close()
