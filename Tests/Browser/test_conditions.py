"""Conditions, each a chip."""

import re

from support import BrowserCase


class ConditionTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute('CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT, "the ""size""" INTEGER)')
        self.connection.executemany("INSERT INTO item VALUES (?, ?, ?)", [(id, f"part {id % 7}" if id % 5 else None, id * 10) for id in range(1, 201)])
        self.server = self.serve()

    def open(self, query="?table=item", **options):
        page = self.page(f"{self.server.origin}/{query}", **options)
        self.settle(page)
        return page

    def shows(self, page, condition):
        expected = self.connection.execute(f"SELECT count(*), coalesce(min(id), 0) FROM item WHERE {condition}").fetchone()
        found = lambda: tuple(page.evaluate("[sectile.view.total, sectile.view.total ? sectile.view.row(0)?.cells[0] ?? -1 : 0]"))
        self.until(lambda: found() == expected, lambda: f"{found()} instead of {expected}")

    def chips(self, page):
        return page.locator(".chip:not(.vacant):has-text('Where') .chip-value").all_inner_texts()

    def vacant(self, page):
        return page.locator(".chip.vacant:has-text('Where') button")

    def test_each_is_changed_and_removed_alone(self):
        page = self.open()
        self.vacant(page).click()
        page.get_by_label("Column", exact=True).select_option('the "size"')
        page.get_by_label("Comparison").select_option("≥")
        page.get_by_label("Value").fill("500")
        page.keyboard.press("Enter")
        self.shows(page, '"the ""size""" >= 500')
        self.vacant(page).click()
        page.get_by_label("Column", exact=True).select_option("part")
        page.get_by_label("Value").fill("PART 3")
        page.keyboard.press("Enter")
        self.shows(page, '"the ""size""" >= 500 AND part = \'part 3\'')
        self.assertEqual(self.chips(page), ['the "size" ≥ 500', "part contains PART 3"])
        page.fill("#where", "id < 150")
        page.press("#where", "Enter")
        self.shows(page, '"the ""size""" >= 500 AND part = \'part 3\' AND id < 150')
        self.assertEqual(page.locator(".chip:has-text('SQL') .chip-value").inner_text(), "id < 150")
        # All of it is in the address.
        page.reload()
        self.settle(page)
        self.shows(page, '"the ""size""" >= 500 AND part = \'part 3\' AND id < 150')
        # One is changed, the others stay.
        page.locator(".chip:has-text('contains') .chip-main").click()
        self.assertEqual(page.get_by_label("Value").input_value(), "PART 3")
        page.get_by_label("Comparison").select_option("is NULL")
        self.assertFalse(page.get_by_label("Value").is_visible())
        page.locator(".menu").get_by_role("button", name="Apply").click()
        self.shows(page, '"the ""size""" >= 500 AND part IS NULL AND id < 150')
        page.get_by_role("button", name="Remove: SQL id < 150").click()
        self.shows(page, '"the ""size""" >= 500 AND part IS NULL')
        self.assertEqual(page.input_value("#where"), "")
        page.get_by_role("button", name='Remove: Where the "size" ≥ 500').click()
        self.shows(page, "part IS NULL")
        page.go_back()
        self.shows(page, '"the ""size""" >= 500 AND part IS NULL')

    def test_by_keys_alone(self):
        page = self.open(viewport={"width": 390, "height": 700}, color_scheme="dark")
        self.vacant(page).focus()
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.type("part 2")
        page.keyboard.press("Enter")
        self.shows(page, "part = 'part 2'")
        self.assertEqual(self.chips(page), ["part contains part 2"])
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)

    def test_hostile_values(self):
        page = self.open()
        for value in ("'; DROP TABLE item; --", "<img src=x onerror=alert(1)>", "100%_\\"):
            page.evaluate("value => sectile.change({ filter: [JSON.stringify(['part', '=', value])] })", value)
            self.shows(page, "0")
            self.assertEqual(self.chips(page), [f"part = {value}"])
        self.assertEqual(page.locator(".chip img").count(), 0)

    def test_what_is_no_condition_is_refused(self):
        self.expected_messages = re.compile("status of 422")
        page = self.page(f"{self.server.origin}/?table=item&filter=%5B%22part%22%2C%22toString%22%5D")
        self.until(lambda: page.locator("#query .error").is_visible(), "the server refuses it")
        page.locator(".chip:has-text('toString') .chip-remove").click()
        self.shows(page, "1")
