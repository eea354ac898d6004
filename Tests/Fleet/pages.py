"""The machines' pages in a browser, where there is one: what they show is compared with the hub's rows."""

import os
import shutil
import time

from hub import Failure

SHOWN = """() => [...document.querySelectorAll("#sections li, #rows li")].map(item => item.textContent)"""


def expected(rows):
    """What a page shows of rows: the sections with their counts, and the first twenty rows."""
    parcels = [line.split("|")[1:5] for line in rows.splitlines() if line.startswith("parcel|")]
    parcels.sort(key=lambda parcel: (parcel[2], int(parcel[0])))
    states = [parcel[2] for parcel in parcels]
    return [f"{state}: {states.count(state)}" for state in sorted(set(states))] + [" ".join(parcel) for parcel in parcels[:20]]


class Pages:
    """One page for each machine, from the beginning to the end."""

    def __init__(self, machines):
        from playwright.sync_api import sync_playwright
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path=os.environ.get("SECTILE_CHROMIUM") or shutil.which("chromium"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [])
        self.pages = {}
        for machine in machines:
            self.pages[machine.name] = self.browser.new_context().new_page()
            self.pages[machine.name].goto(f"http://127.0.0.1:{machine.port}/")

    def compare(self, rows):
        """Waits until all pages show rows: how long that took."""
        begin, wanted = time.monotonic(), expected(rows)
        for name, page in self.pages.items():
            while (found := page.evaluate(SHOWN)) != wanted:
                if time.monotonic() - begin > 60:
                    differences = [pair for pair in zip(found, wanted) if pair[0] != pair[1]]
                    raise Failure(f"the page of {name} shows {len(found)} lines of {len(wanted)}; shown, wanted: {differences[:5]}")
                page.wait_for_timeout(50)
        return time.monotonic() - begin

    def statistics(self):
        """How often the pages began anew, and how often a changeset did not fit."""
        found = [page.evaluate("() => view.statistics") for page in self.pages.values()]
        return {name: sum(each[name] for each in found) for name in ("resets", "keyed", "changesets", "misfits")}

    def close(self):
        self.browser.close()
        self.playwright.stop()


def open_pages(machines):
    """The pages; None and why, where there is no browser."""
    try:
        return Pages(machines), ""
    except ImportError:
        return None, "Playwright is not installed (scripts/setup --browser)"
    except Exception as error:
        return None, str(error).splitlines()[0]
