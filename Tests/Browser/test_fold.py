"""The page follows 1,000 random transactions of another process, and is what SQL says after each batch."""

import json
import os
import random
import time

from support import SNAPSHOT, BrowserCase

SEED = int(os.environ.get("SECTILE_SEED", "0") or 0) or random.randrange(1, 10**6)
TRANSACTIONS = int(os.environ.get("SECTILE_TRANSACTIONS", "1000"))
GROUPS = ["A", "B", "c", "", None, "é", "Z z"]


class Writer:
    """Random transactions on `item`."""

    def __init__(self, connection, seed):
        self.random = random.Random(seed)
        self.connection = connection
        self.next = 1
        self.ids = []
        connection.execute(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT, place INTEGER NOT NULL, name TEXT, weight REAL)")

    def value(self):
        r = self.random
        return (r.choice(GROUPS), r.randrange(500), r.choice([None, "x", "name %d" % r.randrange(99)]), r.randrange(-400, 400) / 4)

    def insert(self):
        self.connection.execute("INSERT INTO item VALUES (?, ?, ?, ?, ?)", (self.next, *self.value()))
        self.ids.append(self.next)
        self.next += 1
        return [self.next - 1]

    def some(self):
        return self.random.choice(self.ids)

    def remove(self):
        id = self.ids.pop(self.random.randrange(len(self.ids)))
        self.connection.execute("DELETE FROM item WHERE id = ?", (id,))
        return [id]

    def change(self):
        id = self.some()
        column = self.random.choice(["part", "place", "name", "weight"])
        value = self.value()[["part", "place", "name", "weight"].index(column)]
        self.connection.execute(f"UPDATE item SET {column} = ? WHERE id = ?", (value, id))
        return [id]

    def key(self):
        at = self.random.randrange(len(self.ids))
        id, self.ids[at] = self.ids[at], self.next
        self.connection.execute("UPDATE item SET id = ? WHERE id = ?", (self.next, id))
        self.next += 1
        return [id, self.next - 1]

    def bulk(self):
        kind = self.random.randrange(5)
        part = self.random.choice(GROUPS)
        touched = [row[0] for row in self.connection.execute("SELECT id FROM item WHERE part IS ?", (part,))]
        if kind == 0:
            self.connection.execute("UPDATE item SET part = ? WHERE part IS ?", (self.random.choice(GROUPS), part))
        elif kind == 1:
            self.connection.execute("UPDATE item SET place = 500 - place WHERE part IS ?", (part,))
        elif kind == 2:
            self.connection.execute("UPDATE item SET weight = weight + 1 WHERE part IS ?", (part,))
        elif kind == 3 and len(touched) < len(self.ids) / 3:
            self.connection.execute("DELETE FROM item WHERE part IS ?", (part,))
            self.ids = [id for id in self.ids if id not in set(touched)]
        else:
            return [id for _ in range(self.random.randrange(1, 60)) for id in self.insert()]
        return touched

    def transaction(self):
        """One transaction; gives the ids of the rows it touched."""
        touched = []
        self.connection.execute("BEGIN IMMEDIATE")
        for _ in range(self.random.choice([1, 1, 1, 2, 3, 8])):
            if len(self.ids) < 200:
                touched += self.insert()
                continue
            steps = [self.insert, self.remove, self.change, self.change, self.change, self.key]
            if self.random.random() < 0.04:
                steps = [self.bulk]
            touched += self.random.choice(steps)()
        # What is rolled back leaves no trace.
        if self.random.random() < 0.05:
            self.connection.execute("SAVEPOINT s")
            self.connection.execute("DELETE FROM item")
            self.connection.execute("ROLLBACK TO s")
        self.connection.execute("COMMIT")
        return touched


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


class FoldTests(BrowserCase):
    maxDiff = 4000

    def test_random_transactions(self):
        for name, request in REQUESTS.items():
            with self.subTest(request=name, seed=SEED):
                self.follow(name, request, TRANSACTIONS // len(REQUESTS) + 1)

    def follow(self, name, request, transactions):
        file = f"{name}.db"
        connection = self.database(file)
        writer = Writer(connection, f"{SEED} {name}")
        for _ in range(120):
            writer.transaction()
        server = self.serve(name=file)
        page = self.page(f"{server.origin}/?{request.query}")
        self.settle(page)
        done = kept = 0
        while done < transactions:
            before = self.scrolled(page, writer.random)
            touched = set()
            for _ in range(writer.random.choice([1, 5, 20, 40])):
                touched.update(writer.transaction())
                done += 1
                # Some are told one by one, some many at once.
                time.sleep(writer.random.choice([0, 0, 0.03]))
            state = self.compared(page, connection, request)
            kept += self.check_place(before, state, touched)
        self.assertEqual(page.evaluate("sectile.view.verify()"), [])
        self.assertEqual(state["statistics"]["misfits"], 0)
        self.assertEqual(state["statistics"]["resets"], 1)
        self.assertGreater(state["statistics"]["changesets"], done / 40)
        self.assertGreater(kept, done / 200, "the place was hardly ever checked")
        print(f"{name}: {done} transactions, {state['statistics']}, place kept {kept} times, seed {SEED}", flush=True)
        page.close()
        server.stop()

    def scrolled(self, page, r):
        """Scrolls somewhere, and gives what is there."""
        if r.random() < 0.6:
            page.evaluate("share => { const { scroll } = sectile.grid; sectile.grid.element.scrollTop = share * scroll.end }", r.choice([0, r.random(), r.random(), 1]))
        page.wait_for_timeout(60)
        self.settle(page)
        return page.evaluate(SNAPSHOT)

    def compared(self, page, connection, request):
        """Waits until the page is what SQL says; the server may tell several commits at once."""
        rows, sections, whole = request.expected(connection)
        last = {}

        def is_equal():
            state = page.evaluate(SNAPSHOT)
            last["state"] = state
            last["difference"] = self.difference(state, rows, sections, whole, request)
            return last["difference"] is None
        self.until(is_equal, lambda: f"{last['difference']}; seed {SEED}", timeout=30)
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

    def check_place(self, before, after, touched):
        """Whether the row at the upper edge had to stay, and did."""
        if before["firstRow"] is None or before["top"] == 0 or before["firstRow"][0] in touched:
            return 0
        stay = [row for row in after["rows"] if row["id"] == json.dumps(before["firstRow"])]
        # Where there is not enough below or above it cannot stay.
        if after["top"] >= after["end"] - 1 or after["top"] <= 0:
            return 0
        self.assertEqual(len(stay), 1, f"{before['firstRow']} is out of sight; seed {SEED}")
        above = next(row for row in before["rows"] if row["id"] == json.dumps(before["firstRow"]))["y"] - before["top"]
        self.assertAlmostEqual(stay[0]["y"] - after["top"], above, delta=1.5, msg=f"seed {SEED}")
        return 1
