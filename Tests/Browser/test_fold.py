"""The page follows 1,000 random transactions of another process, and is what SQL says after each batch."""

import json
import os
import random
import time

from changesets import Contents, changeset
from comparing import REQUESTS, ComparingCase
from support import SNAPSHOT
from writer import Writer

SEED = int(os.environ.get("SECTILE_SEED", "0") or 0) or random.randrange(1, 10**6)
TRANSACTIONS = int(os.environ.get("SECTILE_TRANSACTIONS", "1000"))


class FoldTests(ComparingCase):
    seed = SEED

    def test_random_transactions(self):
        for name, request in REQUESTS.items():
            with self.subTest(request=name, seed=SEED):
                self.follow(name, request, TRANSACTIONS // len(REQUESTS) + 1)

    def test_any_changeset(self):
        """The client alone, with sections that move too: structure and rows after each of 500 changesets."""
        r = random.Random(SEED)
        steps = []
        for _ in range(100):
            contents = Contents.random(r)
            run = {"before": contents.json, "ids": contents.ids, "steps": []}
            for version in range(1, 6):
                next = contents.changed(r)
                changes, updated = changeset(contents, next, version, r)
                run["steps"].append({"changes": changes, "after": next.json, "ids": next.ids, "updated": sorted(updated)})
                contents = next
            steps.append(run)
        page = self.page(self.empty_server().origin + "/example.html?table=empty")
        failures = page.evaluate("""async runs => {
          const { Structure, RowCache, keyOf } = await import("/sectile.js")
          const failures = []
          for (const [number, run] of runs.entries()) {
            let structure = new Structure(1, run.before)
            // One cache is filled at the beginning, the other one gets rows that were read a version ago.
            const early = new RowCache(), late = new RowCache()
            const all = { from: 0, count: 1e6 }
            const answer = (ids, version) => ({ from: 0, version, rows: ids.map(id => ({ id, cells: [id] })) })
            early.enter(answer(run.ids, 1), 1, all)
            let ids = run.ids
            let known = new Set(run.ids), stale = new Set()
            for (const step of run.steps) {
              const change = structure.applying(step.changes)
              early.follow(change)
              late.follow(change)
              const before = structure
              structure = change.after
              if (keyOf(structure.sections) !== keyOf(step.after)) failures.push([number, "sections", step])
              if (structure.total !== step.ids.length) failures.push([number, "total", step])
              ids.forEach((id, rank) => {
                const now = change.forward(rank), expected = step.ids.indexOf(id)
                if (expected < 0 ? now !== null : now?.rank !== expected) failures.push([number, "forward", id, rank, now, expected])
                if (now && now.changed !== step.updated.includes(id)) failures.push([number, "changed", id])
                if (keyOf(before.path(rank)) !== keyOf(before.path(before.rank(before.path(rank))))) failures.push([number, "path", rank])
              })
              if (!late.enter(answer(ids, before.version), structure.version, all)) failures.push([number, "late"])
              for (const [cache, isKnown] of [[early, id => known.has(id)], [late, id => ids.includes(id)]]) {
                step.ids.forEach((id, rank) => {
                  const row = cache.get(rank)
                  if (isKnown(id) ? row?.id !== id : row !== undefined) failures.push([number, "row", id, rank, row ?? null])
                })
              }
              for (const id of step.updated) stale.add(id)
              known = new Set(step.ids.filter(id => known.has(id)))
              step.ids.forEach((id, rank) => {
                if (known.has(id) && early.get(rank).stale !== stale.has(id)) failures.push([number, "stale", id])
              })
              for (const [rank, row] of late.entries()) {
                if (row.stale !== step.updated.includes(row.id)) failures.push([number, "stale, read late", rank])
              }
              ids = step.ids
              late.clear()
            }
          }
          return failures.slice(0, 5)
        }""", steps)
        self.assertEqual(failures, [], f"seed {SEED}")
        self.assertTrue(any(step["changes"]["sections"]["moves"] for run in steps for step in run["steps"]))
        page.close()

    def test_changesets_that_do_not_fit(self):
        """What does not fit is refused, whatever is wrong with it."""
        r = random.Random(SEED)
        wrong = []
        while len(wrong) < 300:
            before = Contents.random(r)
            changes, _ = changeset(before, before.changed(r), 1, r)
            rows, sections = changes["rows"], changes["sections"]
            kind = r.choice(["version", "delete", "insert", "section", "twice"])
            if kind == "version":
                changes["sourceVersion"] = 2
            elif kind == "delete" and rows["deletes"]:
                rows["deletes"][0]["path"]["item"] = 1000
            elif kind == "insert" and rows["inserts"]:
                rows["inserts"][-1]["path"]["item"] += 1000
            elif kind == "section" and sections["deletes"] and before.sections:
                rows["deletes"] = [each for each in rows["deletes"] if each["path"]["section"] != sections["deletes"][0]["section"]]
                rows["moves"] = [each for each in rows["moves"] if each["source"]["section"] != sections["deletes"][0]["section"]]
            elif kind == "twice" and rows["deletes"]:
                rows["deletes"].append(rows["deletes"][0])
            else:
                continue
            wrong.append([kind, before.json, changes])
        page = self.page(self.empty_server().origin + "/example.html?table=empty")
        taken = page.evaluate("""async wrong => {
          const { Structure } = await import("/sectile.js")
          return wrong.filter(([, sections, changes]) => {
            try { new Structure(1, sections).applying(changes) } catch (error) { return !(error instanceof RangeError) }
            return true
          }).slice(0, 2)
        }""", wrong)
        self.assertEqual(taken, [], f"seed {SEED}")
        page.close()

    def empty_server(self):
        self.database("empty.db").execute("CREATE TABLE empty (id INTEGER PRIMARY KEY)")
        return self.serve(name="empty.db")

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
        self.assertGreaterEqual(kept, done // 200, "the place was hardly ever checked")
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

    def check_place(self, before, after, touched):
        """Whether the row at the upper edge had to stay, and did."""
        if before["firstRow"] is None or before["top"] == 0 or before["firstRow"][0] in touched:
            return 0
        stay = [row for row in after["rows"] if row["id"] == json.dumps(before["firstRow"])]
        # Where there was not enough below or above it could not stay.
        if after["clamps"] != before["clamps"]:
            return 0
        self.assertEqual(len(stay), 1, f"{before['firstRow']} is out of sight; seed {SEED}")
        above = next(row for row in before["rows"] if row["id"] == json.dumps(before["firstRow"]))["y"] - before["top"]
        self.assertAlmostEqual(stay[0]["y"] - after["top"], above, delta=1.5, msg=f"seed {SEED}")
        return 1
