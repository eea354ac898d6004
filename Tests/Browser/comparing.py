"""Compares a page with what SQL says: what it holds, and what it shows."""

import json

from support import SNAPSHOT, BrowserCase


class Request:
    """A request, and the same in SQL."""

    def __init__(self, query, section, order, condition="1", sums=()):
        self.query, self.section, self.order, self.condition, self.sums = query, section, order, condition, sums

    def expected(self, connection):
        order = ([self.section] if self.section else []) + self.order + ["id"]
        rows = connection.execute(f"SELECT * FROM item WHERE {self.condition} ORDER BY {', '.join(order)}").fetchall()
        sums = "".join(f", {each}" for each in self.sums)
        sections = connection.execute(
            f"SELECT {self.section}, count(*){sums} FROM item WHERE {self.condition} GROUP BY 1 ORDER BY 1"
        ).fetchall() if self.section else ([(None, len(rows))] if rows else [])
        whole = connection.execute(f"SELECT 0{sums} FROM item WHERE {self.condition}").fetchone()[1:]
        return rows, sections, whole


REQUESTS = {
    "grouped": Request("table=item&section-by=part&sort=place+DESC&aggregate=sum(place)&aggregate=count", "part", ["place DESC"], sums=("sum(place)", "count(*)")),
    "plain": Request("table=item&sort=name&sort=weight+DESC", None, ["name", "weight DESC"]),
    "filtered": Request("table=item&section-by=part&where=place+%3E+250&sort=place&aggregate=max(weight)", "part", ["place"], "place > 250", ("max(weight)",)),
}


def shown(value):
    """A value as a cell shows it."""
    if value is None:
        return "NULL"
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value)


def plain(value):
    """A number that is tagged as the number it is."""
    return float(value["$real"]) if isinstance(value, dict) and "$real" in value else value


class ComparingCase(BrowserCase):
    """A test that compares pages."""

    # What is said where they differ.
    seed = None

    def compared(self, page, connection, request):
        """Waits until the page is what SQL says; the server may tell several commits at once."""
        rows, sections, whole = request.expected(connection)
        last = {}

        def is_equal():
            state = page.evaluate(SNAPSHOT)
            last["state"] = state
            last["difference"] = self.difference(state, rows, sections, whole, request)
            return last["difference"] is None
        self.until(is_equal, lambda: f"{last['difference']}; seed {self.seed}")
        return last["state"]

    def difference(self, state, rows, sections, whole, request):
        """What differs between a page and SQL; None where nothing does."""
        if not state["settled"]:
            return "the page is not settled"
        if state["total"] != len(rows):
            return f"{state['total']} rows instead of {len(rows)}"
        found = [(identity, count, *map(plain, (aggregates or {}).values())) for identity, count, aggregates, _ in state["sections"]]
        if request.section and found != [tuple(section) for section in sections]:
            return f"sections {found} instead of {sections}"
        if request.sums and tuple(map(plain, (state["aggregates"] or {}).values())) != tuple(whole):
            return f"aggregates {state['aggregates']} instead of {whole}"
        for rank, id, cells in state["held"]:
            if rank >= len(rows) or id != [rows[rank][0]] or cells != list(rows[rank]):
                return f"row {rank} is held as {id} {cells} instead of {rows[rank:rank + 1]}"
        return self.difference_shown(state, rows, request)

    def difference_shown(self, state, rows, request):
        ranks = [row["rank"] for row in state["rows"]]
        if not ranks:
            return None if not rows else "no row is shown"
        if ranks != list(range(ranks[0], ranks[0] + len(ranks))):
            return f"the rows of the page are out of order: {ranks}"
        # From the first row in sight to the last one, by their places.
        height, head = 28, 32 if request.section else 0
        order = []
        for rank, row in enumerate(rows):
            section = row[1] if request.section else 0
            if not order or order[-1] != (section,):
                order.append((section,))
        ordinals = {section: i for i, (section,) in enumerate(order)}
        for row in state["rows"]:
            expected = rows[row["rank"]]
            ordinal = ordinals[expected[1] if request.section else 0]
            if row["id"] != json.dumps([expected[0]]) or row["busy"] == "true":
                return f"row {row['rank']} is shown as {row['id']} instead of {expected[0]}"
            if [shown(value) for value in expected] != row["cells"]:
                return f"row {row['rank']} shows {row['cells']} instead of {expected}"
            if abs(row["y"] - (row["rank"] * height + (ordinal + 1) * head)) > 1:
                return f"row {row['rank']} stands at {row['y']}"
            if row["index"] != row["rank"] + 2 + (ordinal + 1 if request.section else 0):
                return f"row {row['rank']} says that it is {row['index']}"
        counts = {}
        for row in rows:
            counts[row[1]] = counts.get(row[1], 0) + 1
        for identity, count in state["headers"]:
            if str(counts.get(identity)) != count:
                return f"the header of {identity} says {count} instead of {counts.get(identity)}"
        return None
