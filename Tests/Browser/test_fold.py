"""The page follows 1,000 random transactions of another process, and is what SQL says after each batch."""

import json
import os
import random
import time

from changesets import Contents, changeset
from comparing import REQUESTS, ComparingCase, shown
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

    def test_any_pause(self):
        """The client alone: what stands still is read where it is now, as it was then, or not at all; and counted."""
        r = random.Random(SEED)
        runs = []
        for _ in range(100):
            contents = Contents.random(r)
            run = {"before": contents.json, "ids": contents.ids, "steps": [], "windows": []}
            for version in range(1, 6):
                next = contents.changed(r)
                changes, updated = changeset(contents, next, version, r)
                run["steps"].append({"changes": changes, "ids": next.ids, "updated": sorted(updated)})
                run["windows"].append([r.randrange(len(run["ids"]) + 1), r.randrange(1, 12)])
                contents = next
            runs.append(run)
        page = self.page(self.empty_server().origin + "/example.html?table=empty")
        failures = page.evaluate("""async runs => {
          const { Hold, RowCache, Structure, keyOf } = await import("/sectile.js")
          const failures = []
          const states = new Set()
          for (const [number, run] of runs.entries()) {
            const shown = new Structure(1, run.before)
            const hold = new Hold(shown), cache = new RowCache(), all = { from: 0, count: run.ids.length }
            const gone = new Set(), changed = new Set(), moved = new Set()
            let ids = run.ids, hasMoves = false
            // What a row has: how often it was changed since, and whether it came since.
            let cells = new Map(ids.map(id => [id, 0])), cellsBefore = cells
            const answer = (version, ids, cells, { from, count }) =>
              ({ version, from, rows: ids.slice(from, from + count).map(id => ({ id, cells: [cells.get(id)] })) })
            run.steps.forEach((step, at) => {
              const idsBefore = ids
              hold.add(hold.latest.applying(step.changes))
              ids = step.ids
              cellsBefore = cells
              cells = new Map(ids.map(id => [id, cells.has(id) ? cells.get(id) + (step.updated.includes(id) ? 1 : 0) : 1000]))
              for (const id of step.updated) changed.add(id)
              for (const id of run.ids) if (!ids.includes(id)) gone.add(id)
              for (const { id } of step.changes.rows.moves) moved.add(id)
              hasMoves ||= step.changes.rows.moves.length > 0 || step.changes.sections.moves.length > 0
              run.ids.forEach((id, rank) => {
                const lost = gone.has(id) ? "deleted" : changed.has(id) ? "changed" : null
                states.add(lost)
                if (hold.lost(rank) !== lost) failures.push([number, "lost", id, hold.lost(rank), lost])
                if (!gone.has(id) && hold.place(rank).rank !== ids.indexOf(id)) failures.push([number, "place", id])
              })
              // Each row once, by what it will be.
              const was = new Set(run.ids), is = new Set(ids)
              const stays = run.ids.filter(id => is.has(id))
              const isChanged = id => changed.has(id) || gone.has(id)
              const expected = {
                inserted: ids.filter(id => !was.has(id)).length, changed: stays.filter(isChanged).length,
                moved: stays.filter(id => !isChanged(id) && moved.has(id)).length, deleted: run.ids.length - stays.length
              }
              for (const [name, count] of Object.entries(expected)) {
                if (hold.pending[name] !== count) failures.push([number, name, hold.pending[name], count])
              }
              // In sight, where no order but that of the rows counts.
              const [from, count] = run.windows[at]
              if (!hasMoves) {
                const window = run.ids.slice(from, from + count)
                const touched = window.filter(isChanged).length
                const places = window.filter(id => !gone.has(id)).map(id => ids.indexOf(id))
                const isAtEnd = from + count >= run.ids.length
                let coming = 0
                if (places.length) {
                  const low = from === 0 ? 0 : Math.min(...places)
                  const high = isAtEnd ? ids.length - 1 : Math.max(...places)
                  coming = high - low + 1 - places.length
                } else if (from === 0 && isAtEnd) coming = ids.length
                const expected = touched + Math.min(count, coming)
                if (hold.within({ from, count }) !== expected) failures.push([number, "within", hold.within({ from, count }), expected, from, count])
              }
              // Rows are read as they are now, and at times as they were a step ago.
              const wanted = { from, count: Math.max(0, Math.min(count, run.ids.length - from)) }
              const late = hold.next(cache, all)
              if (late && at % 2) hold.enter(answer(hold.latest.version - 1, idsBefore, cellsBefore, late), cache, all)
              for (let round = 0; round < 200; round++) {
                const range = hold.next(cache, wanted)
                if (!range) break
                if (!hold.enter(answer(hold.latest.version, ids, cells, range), cache, wanted)) failures.push([number, "refused"])
                if (round === 199) failures.push([number, "endless"])
              }
              for (let rank = wanted.from; rank < wanted.from + wanted.count; rank++) {
                if (!cache.get(rank) && !hold.lost(rank)) failures.push([number, "missing", rank])
              }
              for (const [rank, row] of cache.entries()) {
                if (row.id !== run.ids[rank] || row.cells[0] !== 0 || row.stale) failures.push([number, "row", rank, row])
              }
            })
            if (hold.enter({ version: 77, from: 0, rows: [] }, cache, all)) failures.push([number, "a strange version"])
            // Released, what was read goes where it is now.
            for (const step of hold.steps) cache.follow(step)
            for (const [rank, row] of cache.entries()) {
              if (row.id !== ids[rank] || !row.stale && row.cells[0] !== cells.get(row.id)) failures.push([number, "released", rank, row])
            }
            // Where there is no room for all, those stay that cannot be read again.
            const lost = run.ids.map((_, rank) => rank).filter(rank => hold.lost(rank))
            const small = new RowCache(2 * Math.max(1, lost.length))
            run.ids.forEach((id, rank) => small.put(rank, { id, cells: [0] }))
            small.evict({ from: 0, count: 0 }, rank => lost.includes(rank))
            if (!lost.every(rank => small.get(rank))) failures.push([number, "evicted"])
            hold.replace(new Structure(9, []), "joined")
            if (run.ids.length && hold.lost(0) !== "unknown" || hold.next(cache, all) || hold.within(all) !== null) failures.push([number, "replaced"])
          }
          if (states.size < 3) failures.push("hardly anything happened")
          return failures.slice(0, 5)
        }""", runs)
        self.assertEqual(failures, [], f"seed {SEED}")
        page.close()

    def test_a_pause_keeps_so_much(self):
        """After a thousand changesets, or fifty thousand rows, nothing is kept; the newest structure is."""
        page = self.page(self.empty_server().origin + "/example.html?table=empty")
        states = page.evaluate("""async () => {
          const { Hold, Structure, pendingText } = await import("/sectile.js")
          const states = []
          for (const each of [1, 10000]) {
            const hold = new Hold(new Structure(1, [{ header: { identity: null, title: "" }, count: 1 }]))
            let next = 0
            const texts = new Set()
            while (!hold.reason) {
              const inserts = Array.from({ length: each }, () => ({ path: { section: 0, item: next }, id: [next++] }))
              const version = hold.latest.version
              hold.add(hold.latest.applying({
                sourceVersion: version, targetVersion: version + 1,
                sections: { deletes: [], inserts: [], moves: [], updates: [] }, rows: { deletes: [], inserts, moves: [], updates: [] }
              }))
            }
            states.push([hold.count, hold.latest.total, hold.steps.length, hold.lost(0), pendingText(hold.pending)])
          }
          return states
        }""")
        self.assertEqual(states, [[1001, 1002, 0, "unknown", "1,000 new, and more"], [6, 60001, 0, "unknown", "50,000 new, and more"]])
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
            if writer.random.random() < 0.2:
                self.check_pause(page, connection, request, writer)
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

    def check_pause(self, page, connection, request, writer):
        """While it is paused it shows what it showed then, wherever it is scrolled to, or says that it does not."""
        rows, _, _ = request.expected(connection)
        self.compared(page, connection, request)
        page.evaluate("sectile.togglePause()")
        touched = set()
        for _ in range(3):
            for _ in range(writer.random.choice([0, 1, 20])):
                touched.update(writer.transaction())
            state = self.scrolled(page, writer.random)
            self.assertEqual(state["total"], len(rows), f"seed {SEED}")
            for row in state["rows"]:
                expected = rows[row["rank"]]
                if row["lost"]:
                    self.assertIn(expected[0], touched, f"{row['lost']}; seed {SEED}")
                else:
                    self.assertEqual([row["id"], row["cells"]], [json.dumps([expected[0]]), [shown(value) for value in expected]], f"seed {SEED}")
        page.evaluate("sectile.togglePause()")
        self.compared(page, connection, request)

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
