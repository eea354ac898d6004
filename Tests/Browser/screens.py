"""Writes the pictures of Documentation/Screens: light, dark and narrow, from the data of demo.py."""

import os
import unittest

import demo
from support import BrowserCase

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Documentation", "Screens")
MOST_BYTES = 150_000
GROUPED = "?table=package&section-by=section&sort=size+DESC&aggregate=sum%28size%29"


class ScreenTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database("packages.db")
        demo.fill(self.connection)
        self.server = self.serve(name="packages.db")

    def shot(self, name, query, prepare=None, **options):
        page = self.page(f"{self.server.origin}/{query}", **options)
        self.settle(page)
        if prepare:
            prepare(page)
        self.settle(page)
        path = os.path.join(FOLDER, f"serve-{name}.png")
        page.screenshot(path=path)
        self.assertLess(os.path.getsize(path), MOST_BYTES, name)
        page.close()

    def change(self, page):
        """A transaction whose marks are still seen."""
        largest = [row[0] for row in self.connection.execute("SELECT id FROM package WHERE section = 'admin' ORDER BY size DESC, id LIMIT 12")]
        self.connection.execute("BEGIN")
        self.connection.execute("UPDATE package SET size = (SELECT size + 10 FROM package WHERE id = ?) WHERE id = ?", (largest[1], largest[7]))
        self.connection.execute("UPDATE package SET version = '9.1.0-1' WHERE id = ?", (largest[4],))
        self.connection.execute("INSERT INTO package SELECT max(id) + 1, 'amber-ferry', 'admin', '1.0.0-1', (SELECT size - 10 FROM package WHERE id = ?), '2026-11-26', '{}', NULL FROM package", (largest[2],))
        self.connection.execute("COMMIT")
        page.wait_for_selector(".row.inserted")
        page.wait_for_selector(".cell.changed")
        page.wait_for_timeout(320)

    def test_screens(self):
        self.shot("light", GROUPED, self.change, viewport={"width": 1080, "height": 640}, color_scheme="light")
        def inspect(page):
            page.evaluate("sectile.grid.moveTo(3, 6); sectile.inspect()")
            page.wait_for_selector("#panel .tree")
        self.shot("dark", GROUPED, inspect, viewport={"width": 1080, "height": 640}, color_scheme="dark")
        self.shot("narrow", GROUPED + "&column=name&column=size&column=version", viewport={"width": 380, "height": 720}, color_scheme="light")


if __name__ == "__main__":
    unittest.main()
