// The client of Sectile's live requests: sections, counts and changes as they happen, rows as they are looked at.
//
//     import { subscribe } from "./sectile.js"
//     const view = subscribe("/api", { table: "package", "section-by": "section" }, {
//       onReset: view => …, onChanges: (view, change) => …, onRows: view => …, onError: (view, error) => …,
//       onState: (view, state) => …   // whether it is live: "open", and nothing else, is
//     })
//
// A view holds the *structure* of the contents (sections with their counts), folds each changeset into it, and reads
// rows by rank, the position over all sections, through a cache that follows the changesets. See sectile.d.ts.

/** A text that is equal for equal identities. */
export const keyOf = id => JSON.stringify(id)

/** An answer of the server that is none of what was asked for. */
export class SectileError extends Error {
  constructor(status, body) {
    super(body?.message ?? said(status, body?.code))
    this.name = "SectileError"
    this.status = status
    this.code = body?.code ?? (status ? "unknown" : "unreachable")
    this.hint = body?.hint ?? ""
    this.body = body
  }
}

function said(status, code) {
  if (!status) return "the server does not answer"
  return status === 200 ? `the rows could not be read (${code ?? "unknown"})` : `the server answers ${status}`
}

/** The query of a request: names with one value, or with an array of them. */
export function queryOf(request, more = {}) {
  const query = new URLSearchParams()
  for (const [name, value] of [...Object.entries(request), ...Object.entries(more)]) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== "") query.append(name, each)
    }
  }
  return query.toString()
}

/** Gets JSON; throws `SectileError` for everything else. */
export async function getJSON(url, signal) {
  let response
  try {
    response = await fetch(url, { signal, headers: { Accept: "application/json" } })
  } catch (error) {
    if (error.name === "AbortError") throw error
    throw new SectileError(0, null)
  }
  const body = await response.json().catch(() => null)
  if (!response.ok || body === null) throw new SectileError(response.status, body)
  return body
}

// MARK: - Structure

/** Sections with counts, as of a version. It is never changed: a changeset makes another one. */
export class Structure {
  #starts

  constructor(version, sections, aggregates = null) {
    this.version = version
    this.sections = sections
    this.aggregates = aggregates
    this.#starts = new Array(sections.length + 1)
    let total = 0
    for (let i = 0; i < sections.length; i++) {
      this.#starts[i] = total
      total += sections[i].count
    }
    this.#starts[sections.length] = total
  }

  /** The number of all rows. */
  get total() { return this.#starts[this.sections.length] }

  /** The rank of a section's first row. O(1). */
  start(section) { return this.#starts[section] }

  /** The rank at a path. O(1). */
  rank({ section, item }) { return this.#starts[section] + item }

  /** The path of a rank: O(log sections). */
  path(rank) {
    let low = 0
    let high = this.sections.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle] <= rank) low = middle
      else high = middle - 1
    }
    return { section: low, item: rank - this.#starts[low] }
  }

  /** What a changeset makes of it: throws `RangeError` where it does not fit. O(sections + rows that are named). */
  applying(changeset) { return new Step(this, changeset) }
}

/** From one structure to the next: where each row goes, without looking at the rows that are not named. */
export class Step {
  constructor(before, changeset) {
    const { sections, rows } = changeset
    if (changeset.sourceVersion !== before.version) {
      throw new RangeError(`changes of version ${changeset.sourceVersion} on ${before.version}`)
    }
    this.before = before
    this.changeset = changeset
    this.#mapSections(before, sections)
    const leaves = this.#leaves = before.sections.map(() => [])
    const enters = this.#enters = this.#headers.map(() => [])
    this.#named = new Map()
    for (const { path, id } of rows.deletes) this.#name(path, { kind: "delete", id }, leaves)
    for (const { source, target, id, contentChanged } of rows.moves) {
      this.#name(source, { kind: "move", id, target, contentChanged }, leaves)
    }
    for (const { source, target, id } of rows.updates) this.#name(source, { kind: "update", id, target }, null)
    for (const { path } of rows.inserts) this.#enter(path, enters)
    for (const { target } of rows.moves) this.#enter(target, enters)
    for (const list of leaves) list.sort((a, b) => a - b)
    for (const list of enters) list.sort((a, b) => a - b)
    this.after = new Structure(changeset.targetVersion, this.#counted(before), changeset.contents?.after ?? before.aggregates)
    for (const { source, target } of rows.updates) {
      const found = this.#stay(source.section, source.item)
      if (found?.section !== target.section || found.item !== target.item) throw new RangeError("an update goes elsewhere")
    }
  }

  #leaves
  #enters
  #named
  #headers
  #sectionTargets

  /** Where a row of the structure before is now: its rank, and whether its contents are others; null where it is gone. */
  forward(rank) {
    const { section, item } = this.before.path(rank)
    const named = this.#named.get(rank)
    if (named?.kind === "delete") return null
    if (named?.kind === "move") return { rank: this.after.rank(named.target), changed: named.contentChanged, moved: true, id: named.id }
    const path = this.#stay(section, item)
    return path && { rank: this.after.rank(path), changed: named?.kind === "update", moved: false, id: named?.id }
  }

  /** The identity that the changeset says is at a rank before; undefined where it says nothing of it. */
  identity(rank) { return this.#named.get(rank)?.id }

  #name(path, event, leaves) {
    const count = this.before.sections[path.section]?.count
    if (count === undefined || !(path.item >= 0 && path.item < count)) throw new RangeError("a source is out of bounds")
    const rank = this.before.rank(path)
    if (this.#named.has(rank)) throw new RangeError("a row is named twice")
    this.#named.set(rank, event)
    leaves?.[path.section].push(path.item)
  }

  #enter(path, enters) {
    if (!enters[path.section]) throw new RangeError("a target is out of bounds")
    enters[path.section].push(path.item)
  }

  // Sections that are not named keep their order, and fill what the named ones leave free.
  #mapSections(before, { deletes, inserts, moves, updates }) {
    const count = before.sections.length - deletes.length + inserts.length
    const headers = this.#headers = new Array(count).fill(null)
    const targets = this.#sectionTargets = new Array(before.sections.length)
    for (const { section } of deletes) targets[section] = -1
    for (const { section, header } of inserts) headers[section] = header
    for (const { source, target, header } of moves) {
      targets[source] = target
      headers[target] = header ?? before.sections[source].header
    }
    let free = 0
    for (let source = 0; source < targets.length; source++) {
      if (targets[source] !== undefined) continue
      while (free < count && headers[free] !== null) free++
      if (free >= count) throw new RangeError("the sections do not fit")
      targets[source] = free
      headers[free] = before.sections[source].header
    }
    if (headers.includes(null) || headers.length !== count || targets.length !== before.sections.length) {
      throw new RangeError("the sections do not fit")
    }
    for (const { source, target, header } of updates) {
      if (targets[source] !== target) throw new RangeError("a section's update goes elsewhere")
      headers[target] = header
    }
  }

  #counted(before) {
    const sections = this.#headers.map((header, i) => ({ header, count: this.#enters[i].length }))
    this.#sectionTargets.forEach((target, source) => {
      const left = before.sections[source].count - this.#leaves[source].length
      if (target < 0) {
        if (left !== 0) throw new RangeError("a section that goes has rows left")
      } else {
        sections[target].count += left
      }
    })
    this.#enters.forEach((items, i) => {
      for (let k = 0; k < items.length; k++) {
        if (items[k] === items[k - 1] || items[k] < 0 || items[k] >= sections[i].count) {
          throw new RangeError("a target is out of bounds, or taken")
        }
      }
    })
    return sections
  }

  // Where a row goes that neither leaves nor moves: those that leave before it, those that enter before it.
  #stay(section, item) {
    const target = this.#sectionTargets[section]
    if (target < 0) return null
    const place = item - firstIndex(this.#leaves[section], left => left >= item)
    const items = this.#enters[target]
    let low = 0
    let high = items.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (items[middle] - middle <= place) low = middle + 1
      else high = middle
    }
    return { section: target, item: place + low }
  }
}

// The first index of an ascending list for which a condition holds, by halving.
function firstIndex(list, holds) {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(list[middle])) high = middle
    else low = middle + 1
  }
  return low
}

// MARK: - Rows

// So many rows are read at once at most, and rows that are closer than that in one go.
const mostRead = 500
const closest = 20

// The ranks of a range, or of several.
function* ranksOf(ranges) {
  for (const { from, count } of [ranges].flat()) for (let rank = from; rank < from + count; rank++) yield rank
}

/** The rows that were read, by rank; follows changesets. It holds `limit` rows at most, those nearest to what is wanted. */
export class RowCache {
  #rows = new Map()
  // The last steps: rows that were read at a version before are taken through them.
  #steps = []

  constructor(limit = 4000) { this.limit = limit }

  get size() { return this.#rows.size }
  get(rank) { return this.#rows.get(rank) }
  entries() { return this.#rows.entries() }

  clear() {
    this.#rows.clear()
    this.#steps = []
  }

  /** Takes the rows through a step. Throws `RangeError` where a row is another than the changeset says. O(rows held). */
  follow(step) {
    const rows = new Map()
    for (const [rank, row] of this.#rows) {
      const named = step.identity(rank)
      if (named !== undefined && keyOf(named) !== row.key) throw new RangeError("a row is another than the changes say")
      const now = step.forward(rank)
      if (!now) continue
      if (now.changed) row.stale = true
      rows.set(now.rank, row)
    }
    this.#rows = rows
    this.#steps.push(step)
    if (this.#steps.length > 64) this.#steps.shift()
  }

  /** Enters rows as of a version; false where they cannot be brought to the version that is held. */
  enter(answer, version, wanted) {
    let at = answer.version
    const steps = []
    if (at !== version) {
      for (const step of this.#steps) {
        if (step.before.version !== at) continue
        steps.push(step)
        at = step.after.version
      }
      if (at !== version) return false
    }
    answer.rows.forEach(({ id, cells }, offset) => {
      let rank = answer.from + offset
      let stale = false
      for (const step of steps) {
        const now = step.forward(rank)
        if (!now) return
        rank = now.rank
        stale ||= now.changed
      }
      this.put(rank, { id, cells }, stale)
    })
    this.evict(wanted)
    return true
  }

  /** Enters a row of the version that is held. */
  put(rank, { id, cells }, stale = false) { this.#rows.set(rank, { id, key: keyOf(id), cells, stale }) }

  /** The ranges of what is wanted, a range or several, that have to be read: nothing is held, or what is stale. */
  missing(wanted, most = mostRead) {
    const ranges = []
    for (const rank of ranksOf(wanted)) {
      const row = this.#rows.get(rank)
      if (row && !row.stale) continue
      const last = ranges.at(-1)
      // A gap that is shorter than another request is worth is read again.
      if (last && rank - (last.from + last.count) < closest && rank - last.from < most) last.count = rank - last.from + 1
      else ranges.push({ from: rank, count: 1 })
    }
    return ranges
  }

  /**
   * Lets go of the rows that are farthest from what is wanted, where there are too many; last of those that cannot be read
   * again.
   */
  evict(wanted, isLost = () => false) {
    if (this.#rows.size <= this.limit) return
    const ranges = [wanted].flat()
    const order = rank => (ranges.some(({ from, count }) => rank >= from && rank < from + count) ? 0 : isLost(rank) ? 1 : 2)
    const distance = rank => Math.min(...ranges.map(({ from, count }) => Math.abs(rank - from - count / 2)))
    const ranks = [...this.#rows.keys()].map(rank => ({ rank, order: order(rank), distance: ranges.length ? distance(rank) : rank }))
    ranks.sort((a, b) => a.order - b.order || a.distance - b.distance)
    for (const { rank } of ranks.slice(this.limit >> 1)) this.#rows.delete(rank)
  }
}

// MARK: - Hold

// So many changesets are kept while a view is paused, with so many rows that they name and sections of their structures.
const mostSteps = 1000
const mostNamed = 50000
const mostSections = 1000000
// Of so many ranks it is remembered where they are.
const mostPlaces = 10000

/**
 * What has happened behind contents that stand still: the steps that lead to what is there, and how much they change.
 *
 * A row that was not read before is read where it is now. If no step says that it was changed since, it is what it was.
 * Nothing is held for that on the server, whoever pauses, and for however long.
 */
export class Hold {
  #places = new Map()
  // What becomes of rows, by their identities.
  #rows = new Map()
  #named = 0
  #sections = 0

  constructor(structure) {
    /** What is shown. */
    this.structure = structure
    /** What is there. */
    this.latest = structure
    /** What leads from the one to the other, as long as that is known. */
    this.steps = []
    /** Why it is not: the contents were given anew, or too much has changed; empty where it is. */
    this.reason = ""
    /** How many changesets came. */
    this.count = 0
    /** How many rows they change, each once: as it will be when it is released. */
    this.pending = { inserted: 0, changed: 0, moved: 0, deleted: 0, sections: 0, isMore: false }
  }

  /** Takes in a step that leads from what is there. O(rows that are named). */
  add(step) {
    const { rows, sections } = step.changeset
    this.latest = step.after
    this.count += 1
    if (this.reason) return
    this.#named += rows.deletes.length + rows.inserts.length + rows.updates.length + rows.moves.length
    this.#sections += step.after.sections.length
    if (this.steps.length >= mostSteps || this.#named > mostNamed || this.#sections > mostSections) return this.#forget("tooMuch")
    this.steps.push(step)
    for (const { id } of rows.deletes) this.#note(id, "deleted")
    for (const { id } of rows.inserts) this.#note(id, "inserted")
    for (const { id } of rows.updates) this.#note(id, "changed")
    for (const { id, contentChanged } of rows.moves) this.#note(id, contentChanged ? "changed" : "moved")
    this.pending.sections += sections.inserts.length + sections.deletes.length + sections.moves.length + sections.updates.length
  }

  /** Takes in contents that are given anew: nothing leads there from what is shown. */
  replace(structure, reason) {
    this.latest = structure
    this.count += 1
    this.#forget(reason || "anew")
  }

  #forget(reason) {
    this.reason = reason
    this.steps = []
    this.#places.clear()
    this.#rows.clear()
    this.pending.isMore = true
  }

  // One that came and changed is new, one that came and went is nothing.
  #note(id, change) {
    const key = keyOf(id)
    const known = this.#rows.get(key)
    let now = change
    if (known === "inserted") now = change === "deleted" ? undefined : "inserted"
    else if (known === "deleted" && change === "inserted") now = "changed"
    else if (known === "changed" && change === "moved") now = "changed"
    if (known) this.pending[known] -= 1
    if (now) {
      this.pending[now] += 1
      this.#rows.set(key, now)
    } else {
      this.#rows.delete(key)
    }
  }

  /** What became of the row at a rank of what is shown. O(steps since it was last asked for). */
  place(rank) {
    let place = this.#places.get(rank)
    if (!place) {
      if (this.#places.size >= mostPlaces) this.#places.clear()
      this.#places.set(rank, place = placed(rank))
    }
    return this.#follow(place, this.steps.length)
  }

  #follow(place, end) {
    for (; place.at < end && !place.isGone; place.at++) {
      const now = this.steps[place.at].forward(place.rank)
      if (now) {
        place.rank = now.rank
        place.isChanged ||= now.changed
        place.isMoved ||= now.moved
      } else {
        place.isGone = true
      }
    }
    return place
  }

  /** Why the row at a rank cannot be read any more: "deleted", "changed", "unknown"; null where it can. */
  lost(rank) {
    if (this.reason) return "unknown"
    const place = this.place(rank)
    return place.isGone ? "deleted" : place.isChanged ? "changed" : null
  }

  /** The next rows to read for some ranks that are shown: where they are now. */
  next(cache, wanted) {
    if (this.reason) return undefined
    const ranks = []
    for (const rank of ranksOf(wanted)) {
      const row = cache.get(rank)
      if ((!row || row.stale) && !this.lost(rank)) ranks.push(this.place(rank).rank)
    }
    ranks.sort((a, b) => a - b)
    let range
    for (const rank of ranks) {
      if (!range) range = { from: rank, count: 1 }
      else if (rank - (range.from + range.count) < closest && rank - range.from < mostRead) range.count = rank - range.from + 1
      else break
    }
    return range
  }

  /** Enters rows that were read where they are now, or were a few steps ago; false where they are of no known version. */
  enter(answer, cache, wanted) {
    if (this.reason) return false
    const end = answer.version === this.structure.version ? 0
      : this.steps.findLastIndex(step => step.after.version === answer.version) + 1
    if (!end && answer.version !== this.structure.version) return false
    for (const rank of ranksOf(wanted)) {
      const row = cache.get(rank)
      if (row && !row.stale) continue
      const place = end === this.steps.length ? this.place(rank) : this.#follow(placed(rank), end)
      const found = place.isGone || place.isChanged ? undefined : answer.rows[place.rank - answer.from]
      if (found) cache.put(rank, found)
    }
    cache.evict(wanted, rank => this.lost(rank) !== null)
    return true
  }

  /**
   * How many of the changes concern some ranks that are shown: their rows that change, move or go, and as many rows that
   * come between them as there is room for. Null where that is not known.
   */
  within({ from, count }) {
    if (this.reason) return null
    const end = Math.min(from + count, this.structure.total)
    const gaps = []
    const stays = []
    let concerned = 0
    // Where the next row stands if nothing comes before it.
    let edge = from === 0 ? 0 : null
    for (let rank = from; rank < end; rank++) {
      const place = this.place(rank)
      if (place.isGone || place.isChanged || place.isMoved) concerned += 1
      if (place.isGone) continue
      stays.push(place.rank)
      if (place.isMoved) continue
      if (edge !== null && place.rank > edge) gaps.push([edge, place.rank])
      edge = place.rank + 1
    }
    if (end === this.structure.total && edge !== null && this.latest.total > edge) gaps.push([edge, this.latest.total])
    gaps.sort(([a], [b]) => a - b)
    let coming = 0
    let last = 0
    for (const [start, next] of gaps) {
      coming += Math.max(0, next - Math.max(start, last))
      last = Math.max(last, next)
    }
    const own = stays.filter(rank => gaps.some(([start, next]) => rank >= start && rank < next)).length
    return concerned + Math.min(count, Math.max(0, coming - own))
  }
}

const placed = rank => ({ rank, at: 0, isGone: false, isChanged: false, isMoved: false })

/** What is waiting in words: "12 new, 3 changed". */
export function pendingText({ inserted, changed, moved, deleted, sections, isMore }) {
  const counts = [[inserted, "new"], [changed, "changed"], [moved, "moved"], [deleted, "gone"]].filter(([count]) => count > 0)
  const words = counts.map(([count, word]) => `${count.toLocaleString("en")} ${word}`)
  if (isMore) return words.length ? `${words.join(", ")}, and more` : "other contents"
  return words.join(", ") || (sections > 0 ? "other sections" : "nothing new")
}

// MARK: - View

// The versions of the format that are read. In formats 1 and 2, structures are told in one way.
const formats = [1, 2]

/** One live request: `subscribe` and `Connection.open` make it. */
export class View {
  #connection
  #handlers
  #cache
  #arriving = null
  // Ranges, in order; none is empty but one that stands alone.
  #wanted = [{ from: 0, count: 0 }]
  #reading = null
  #late = null
  #isPaused = false
  // What happens behind what is shown, while that stands still; null where nothing does, or is shown yet.
  #hold = null
  // Whether the server's rows could not be read, and it has not said that they can again.
  #isFailing = false
  #ownsConnection = false
  // 1 where it is scrolled towards higher ranks, -1 towards lower ones, 0 where it is not.
  #direction = 0
  #standing = "apart"
  #waits = 0
  #told = "connecting"

  constructor(connection, request, handlers, options) {
    this.#connection = connection
    this.#handlers = handlers
    this.#cache = new RowCache(options.cachedRows)
    this.#ownsConnection = options.ownsConnection ?? false
    this.request = request
    this.structure = new Structure(0, [])
    this.columns = []
    this.position = ""
    this.isLoaded = false
    this.isClosed = false
    this.statistics = { resets: 0, changesets: 0, keyed: 0, reads: 0, gone: 0, misfits: 0 }
  }

  get version() { return this.structure.version }
  get total() { return this.structure.total }
  get sections() { return this.structure.sections }
  get aggregates() { return this.structure.aggregates }
  get isPaused() { return this.#isPaused }
  /** Changesets that came while it was paused. */
  get waiting() { return this.#hold?.count ?? 0 }
  /** How much of what is shown they change; null where none came. */
  get pending() { return this.#hold?.count ? this.#hold.pending : null }
  // The newest contents that were told of.
  get #latest() { return this.#hold?.latest ?? this.structure }
  /**
   * How it stands. Only "open" is live: what is held is what the server has told of, and it was heard of a moment ago.
   *
   * "reading" until the server follows it over this stream, "slow" where an answer has been due for five seconds,
   * "refused" where the server does not follow it, or writes a format that is not known; otherwise the state of the
   * connection.
   */
  get state() {
    const { state } = this.#connection
    if (this.isClosed) return "closed"
    if (state !== "open") return state
    if (this.#waits) return "slow"
    if (this.#standing === "refused") return "refused"
    return this.#standing === "joined" && this.isLoaded && !this.#arriving ? "open" : "reading"
  }
  /** Whether all wanted rows are here, and none is stale. */
  get isSettled() {
    if (!this.isLoaded || this.#reading) return false
    const wanted = this.#clamped()
    return this.#hold ? !this.#hold.next(this.#cache, wanted) : this.#cache.missing(wanted).length === 0
  }

  /** The row at a rank, where it was read; `stale` where it was changed since. */
  row(rank) {
    const row = this.#cache.get(rank)
    // What it was when it was paused was not read in time.
    return row?.stale && this.#hold?.lost(rank) ? undefined : row
  }

  /**
   * Why the row at a rank of a paused view is not here, and will not be: "deleted" or "changed" since, or "unknown";
   * null where it is, or can be read.
   */
  lost(rank) {
    const row = this.#cache.get(rank)
    return (row && !row.stale) || !this.#hold || rank >= this.total ? null : this.#hold.lost(rank)
  }

  /** How many of the changes that wait concern some ranks: those in sight. Null where that is not known. */
  pendingWithin(from, count) { return this.#hold?.within({ from, count }) ?? null }

  /** The parameters by which the server finds the row at a rank: `url("cell", …)`. Null where it cannot any more. */
  placeOf(rank) {
    if (!this.#hold) return { version: this.version, at: rank }
    if (this.#hold.lost(rank)) return null
    return { version: this.#latest.version, after: this.position, at: this.#hold.place(rank).rank }
  }

  /** The rows that are held, with their ranks, in no order. */
  rows() { return this.#cache.entries() }

  /** Says which ranks are looked at, a range or several in order: what is missing of them is read. */
  want(from, count) {
    const [before] = this.#wanted
    const ranges = Array.isArray(from) ? from : [{ from, count }]
    this.#wanted = ranges.length ? ranges.map(({ from, count }) => ({ from: Math.max(0, from), count })) : [{ from: before.from, count: 0 }]
    const [now] = this.#wanted
    if (now.from !== before.from && before.count) this.#direction = Math.sign(now.from - before.from)
    this.#read()
  }

  /** Goes on showing what is shown now; where that is nothing yet, what comes first. */
  pause() {
    if (this.#isPaused) return
    this.#isPaused = true
    if (this.isLoaded) this.#hold = new Hold(this.structure)
    this.#readAnew()
  }

  /** Shows all that was waiting. */
  resume() {
    if (!this.#isPaused) return
    this.#isPaused = false
    const hold = this.#hold
    this.#hold = null
    if (hold) this.#release(hold)
    this.#readAnew()
  }

  #release({ steps, latest, reason }) {
    if (reason) {
      this.#replace(latest)
      this.#tell("onReset", reason)
      return
    }
    this.#fitting(() => {
      for (const step of steps) {
        if (this.isClosed) return
        // Whoever is told of one may pause again.
        if (this.#hold) this.#hold.add(step)
        else this.#fold(step)
      }
    })
  }

  // What is being read was asked for as another version has it.
  #readAnew() {
    this.#reading?.abort()
    this.#reading = this.#late = null
    this.#read()
  }

  /** Ends it. */
  close() {
    if (this.isClosed) return
    this.isClosed = true
    this.tellState()
    this.#reading?.abort()
    if (this.#ownsConnection) this.#connection.close()
    else this.#connection.leave(this)
  }

  /** Compares sections and counts with what the server says of the same version; resolves to the differences. */
  async verify(attempts = 20) {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const fresh = await getJSON(this.url("sections"))
      for (let wait = 0; wait < 40 && this.version < fresh.version; wait++) await sleep(25)
      if (this.version !== fresh.version) continue
      const here = { total: this.total, aggregates: this.aggregates ?? {}, sections: this.sections }
      const there = { total: fresh.total, aggregates: fresh.aggregates ?? {}, sections: fresh.sections }
      return Object.keys(here).filter(part => canonical(here[part]) !== canonical(there[part]))
    }
    throw new SectileError(0, { code: "restless", message: `no version stood still in ${attempts} attempts` })
  }

  /** The address of a resource of this request. */
  url(resource, more) { return `${this.#connection.base}/${resource}?${queryOf(this.request, more)}` }

  /** Takes one message. The connection calls it. */
  receive(kind, data, position) {
    if (this.isClosed) return
    if (data.format !== undefined && !formats.includes(data.format)) return this.#refuse(data.format)
    this.#fitting(() => this.#take(kind, data, position))
  }

  // A server of a later version tells what would be misunderstood: that is said once, and nothing of it is taken.
  #refuse(format) {
    if (this.#standing === "refused") return
    this.stand("refused")
    this.fail(new SectileError(200, {
      code: "unknownFormat", message: `the server writes format ${format}; this page reads ${formats.join(" and ")}`,
      hint: "Load the page again."
    }))
  }

  // Begins anew where something does not fit.
  #fitting(body) {
    try {
      body()
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.statistics.misfits += 1
      console.warn("Sectile:", error.message)
      this.#anew()
    }
  }

  /** Told that the server begins again, after `position`: it says anew what fails. The connection calls it. */
  rejoin() {
    this.#arriving = null
    this.#recover()
    this.stand("apart")
    // What was asked for before may never be answered.
    this.#reading?.abort()
    this.#reading = this.#late = null
  }

  /** Told whether the server follows it: "apart", "joined" or "refused". The connection calls it. */
  stand(standing) {
    this.#standing = standing
    this.tellState()
    if (standing === "joined") this.#read()
  }

  /** Told that the server is one of another file: nothing that is held is of it. The connection calls it. */
  forget() {
    this.position = ""
    this.#arriving = this.#hold = null
    this.#replace(new Structure(0, []))
    this.isLoaded = false
    this.#tell("onReset", "otherSource")
  }

  /** Tells of a state that is another one. The connection calls it. */
  tellState() {
    const { state } = this
    if (state === this.#told) return
    this.#told = state
    this.#tell("onState", state)
  }

  /** Waits for an answer, and says meanwhile that it is due. The connection calls it. */
  async due(answer) {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#waits += 1
      this.tellState()
    }, patience)
    try {
      return await answer
    } finally {
      clearTimeout(timer)
      if (isLate) this.#waits -= 1
      this.tellState()
    }
  }

  /** Told of an error. The connection calls it. */
  fail(error) { this.#tell("onError", error) }

  #take(kind, data, position) {
    switch (kind) {
      case "reset":
        this.#arriving = { reason: data.reason, aggregates: data.aggregates ?? null, sections: [] }
        this.tellState()
        break
      case "sections":
        for (const { header, count } of data.sections) this.#arriving?.sections.push({ header, count })
        break
      case "complete": {
        if (!this.#arriving) break
        const { reason, sections, aggregates } = this.#arriving
        this.#arriving = null
        this.statistics.resets += 1
        this.#begin(new Structure(data.version, sections, aggregates), position, reason)
        break
      }
      case "keyed":
        this.statistics.keyed += 1
        this.#begin(new Structure(data.targetVersion, data.sections, data.aggregates ?? this.#latest.aggregates), position, "keyed")
        break
      case "changes": {
        if (this.#arriving) break
        const step = this.#latest.applying(data)
        this.position = position
        if (this.#hold) {
          this.#hold.add(step)
          this.#tell("onWaiting")
        } else {
          this.#fold(step)
        }
        this.#latecomers()
        break
      }
      case "dropped":
        this.#connection.reopen(this)
        break
      case "failed":
        this.#isFailing = true
        this.fail(new SectileError(200, data))
        break
      case "recovered":
        this.#recover()
        break
      case "schema":
        this.#tell("onSchema")
        break
    }
    this.#read()
  }

  // Contents that are given anew are shown, or wait.
  #begin(structure, position, reason) {
    this.position = position
    if (this.#hold) {
      this.#recover()
      this.#hold.replace(structure, reason)
      this.#tell("onWaiting")
    } else {
      this.#replace(structure)
      if (this.#isPaused) this.#hold = new Hold(structure)
      // Whoever is told of the reset may draw how the view stands: it has all rows by now.
      this.#tell("onReset", reason)
    }
    this.tellState()
  }

  #fold(step) {
    this.#cache.follow(step)
    this.structure = step.after
    this.statistics.changesets += 1
    this.#tell("onChanges", step)
  }

  #recover() {
    if (!this.#isFailing) return
    this.#isFailing = false
    this.#tell("onRecovered")
  }

  #replace(structure) {
    this.#isFailing = false
    this.structure = structure
    this.#cache.clear()
    this.#reading?.abort()
    this.#reading = null
    this.#late = null
    this.isLoaded = true
  }

  // What is held is no good: begins without a position.
  #anew() {
    this.position = ""
    this.#arriving = null
    this.#hold?.replace(this.#latest, "misfit")
    this.#connection.reopen(this)
  }

  #tell(name, argument) { this.#handlers[name]?.(this, argument) }

  // What is wanted, and so much more on either side of it.
  #clamped(more = 0) {
    const last = this.#wanted.length - 1
    return this.#wanted.map((range, i) => {
      const from = Math.max(0, Math.min(range.from, this.total) - (i === 0 ? more : 0))
      const end = Math.min(range.from + range.count + (i === last ? more : 0), this.total)
      return { from, count: Math.max(0, end - from) }
    })
  }

  // What is read next: what is wanted, and while it is scrolled what will be wanted soon with it.
  #next() {
    const wanted = this.#clamped()
    // What is near is read while it can be.
    if (this.#hold) return this.#hold.next(this.#cache, wanted) ?? this.#hold.next(this.#cache, this.#clamped(this.#margin))
    const range = this.#cache.missing(wanted)[0]
    if (!this.#direction) return range
    const isMissing = rank => rank >= 0 && rank < this.total && !this.#cache.get(rank)
    const first = range ? (this.#direction > 0 ? range.from : range.from + range.count - 1)
      : this.#ahead(this.#direction > 0 ? wanted.at(-1).from + wanted.at(-1).count : wanted[0].from - 1, isMissing)
    if (first === undefined) return range
    let count = range?.count ?? 1
    while (count < portion && isMissing(first + this.#direction * count)) count += 1
    return { from: this.#direction > 0 ? first : first - count + 1, count }
  }

  // So many rows on either side are read while it is paused; there is room for them beside those that are wanted.
  get #margin() { return Math.min(portion, this.#cache.limit >> 3) }

  // The next rank in the direction of scrolling that is not held, where it is not far away.
  #ahead(from, isMissing) {
    for (let step = 0; step < portion / 2; step++) {
      if (isMissing(from + this.#direction * step)) return from + this.#direction * step
    }
    return undefined
  }

  // Reads one missing range after the other, until none is missing.
  async #read() {
    if (this.#reading || !this.isLoaded || this.isClosed || this.#late) return
    const range = this.#next()
    if (!range) return
    const reading = this.#reading = new AbortController()
    let pause = 0
    try {
      const answer = await this.due(this.#rowsAt(range, reading.signal))
      if (this.#reading !== reading) return
      if (answer.version > this.#latest.version) this.#late = answer
      else if (!this.#enter(answer)) pause = this.#hold ? 200 : 20
      else if (answer.rows.length === 0) pause = 500
      if (!pause && !this.#late) this.#tell("onRows", { from: answer.from, count: answer.rows.length })
    } catch (error) {
      if (error.name === "AbortError") return
      // Other contents are there than those that it was paused in: the events will say so.
      if (error.status === 410) this.statistics.gone += 1
      else if (error.status && this.#reading === reading) this.fail(error)
      pause = 1000
    }
    if (pause) await sleep(pause)
    if (this.#reading !== reading) return
    this.#reading = null
    if (this.#late) this.#latecomers(true)
    else this.#read()
  }

  // The newest rows: they are of the version that is there, or of one whose changes are on their way. Numbers of versions
  // begin anew with other contents, which a view that is paused must not take for its own.
  async #rowsAt(range, signal) {
    this.statistics.reads += 1
    return await getJSON(this.url("rows", this.#hold ? { ...range, after: this.position } : range), signal)
  }

  // Enters rows; false where they cannot be brought to the version that is shown.
  #enter(answer) {
    if (!this.#hold || !this.columns.length) this.columns = answer.columns
    return this.#hold ? this.#hold.enter(answer, this.#cache, this.#clamped(this.#margin))
      : this.#cache.enter(answer, this.version, this.#clamped())
  }

  // Rows of a version that is still to come.
  #latecomers(isNew = false) {
    const late = this.#late
    if (!late || this.#reading) return
    if (this.#latest.version >= late.version) {
      this.#late = null
      if (this.#enter(late)) {
        this.#tell("onRows", { from: late.from, count: late.rows.length })
      }
      this.#read()
    } else if (isNew) {
      sleep(1000).then(() => {
        if (this.#late !== late) return
        this.#late = null
        this.#read()
      })
    }
  }
}

// After how long a view says that an answer is due.
const patience = 5000
// How many rows are read at once while it is scrolled.
const portion = 200

const sleep = time => new Promise(done => setTimeout(done, time))

// JSON with the members of objects in order.
function canonical(value) {
  return JSON.stringify(value, (_, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each)
}

// MARK: - Connection

/**
 * Any number of views of one server. The connections of all pages of a browser share one stream of events, where the
 * browser has locks and channels between pages; elsewhere each has a stream of its own.
 */
export class Connection {
  #views = new Map()
  // The views by the numbers under which they were opened.
  #numbers = new Map()
  #lastNumber = 0
  #handlers
  // What leads to the stream; null while nothing is followed.
  #port = null
  // Whether somebody is there who opens views.
  #isServed = false
  #canShare
  #staysWhenHidden
  #hiding = null

  constructor(base = "/api", handlers = {}, { staysWhenHidden = false, sharesStream = true } = {}) {
    this.base = base.replace(/\/$/, "")
    this.#handlers = handlers
    this.#staysWhenHidden = staysWhenHidden || !globalThis.document
    this.#canShare = sharesStream && Boolean(globalThis.navigator?.locks && globalThis.BroadcastChannel)
    this.state = "connecting"
    /** Tells the server's file from others; null where the server does not say. */
    this.source = undefined
    this.#watchPage("addEventListener")
    if (this.#isHidden) this.state = "asleep"
    else this.#begin()
  }

  get #isHidden() { return !this.#staysWhenHidden && document.visibilityState === "hidden" }

  /** Whether the stream that it uses is held by this page. */
  get carriesStream() { return this.#port?.isCarrying ?? false }

  /** Opens a view. Handlers: `onReset`, `onChanges`, `onRows`, `onError`, `onRecovered`, `onSchema`, `onWaiting`, `onState`. */
  open(request, handlers = {}, options = {}) {
    const view = new View(this, request, handlers, options)
    this.#views.set(view, null)
    this.#join(view)
    return view
  }

  /** Ends all its views, and the stream if nobody else uses it. */
  close() {
    this.#become("closed")
    this.#end()
    this.#watchPage("removeEventListener")
    for (const view of [...this.#views.keys()]) view.close()
  }

  /** Begins another stream; the views go on from their positions. */
  restart() {
    if (!this.#port) return
    this.#become("lost")
    this.#port?.send({ type: "restart" })
  }

  /** Takes a view out. `View.close` calls it. */
  leave(view) {
    const number = this.#forget(view)
    this.#views.delete(view)
    if (number) this.#port?.send({ type: "close", number })
  }

  /** Opens a view again after its position. `View` calls it. */
  reopen(view) {
    if (!this.#views.has(view)) return
    const number = this.#forget(view)
    if (number) this.#port?.send({ type: "close", number })
    this.#join(view)
  }

  #join(view) {
    if (!this.#isServed || !this.#views.has(view)) return
    this.#forget(view)
    const number = ++this.#lastNumber
    let answered
    const answer = new Promise(done => { answered = done })
    this.#views.set(view, { number, answered })
    this.#numbers.set(number, view)
    view.rejoin()
    // Whoever was told of that may have closed it.
    if (this.#numbers.get(number) !== view) return
    view.due(answer)
    this.#port.send({ type: "open", number, query: queryOf(view.request), position: view.position })
  }

  // Forgets under which number a view was opened, and returns it.
  #forget(view) {
    const membership = this.#views.get(view)
    if (!membership) return undefined
    this.#views.set(view, null)
    this.#numbers.delete(membership.number)
    membership.answered()
    return membership.number
  }

  #begin() {
    const take = message => port === this.#port && this.#take(message)
    const alone = () => {
      if (port !== this.#port) return
      this.#canShare = false
      this.#end()
      this.#begin()
    }
    let port = null
    try {
      if (this.#canShare) port = new SharedPort(this.base, take, alone)
    } catch {
      this.#canShare = false
    }
    port ??= new OwnPort(this.base, take)
    this.#port = port
  }

  #take(message) {
    const view = this.#numbers.get(message.number)
    switch (message.type) {
      case "anew":
        this.#isServed = true
        for (const each of [...this.#views.keys()]) this.#join(each)
        break
      case "alone":
        this.#apart()
        this.#become("connecting")
        break
      case "stands":
        this.#stands(message)
        break
      case "schema":
        this.#handlers.onSchema?.(this)
        for (const each of [...this.#views.keys()]) each.receive("schema", {}, "")
        break
      case "event":
        view?.receive(message.kind, message.data ? JSON.parse(message.data) : {}, message.position)
        break
      case "opened":
        if (!view) break
        this.#views.get(view).answered()
        view.stand("joined")
        break
      case "refused":
        if (view) this.#refused(view, message)
        break
      case "apart":
        if (view) this.#join(view)
        break
    }
  }

  #stands({ state, source }) {
    const isOther = source !== undefined && this.source !== undefined && this.source !== source
    if (source !== undefined) this.source = source
    if (isOther) {
      // Whoever shows it says so before its rows come.
      this.#handlers.onSource?.(this)
      for (const view of [...this.#views.keys()]) view.forget()
    }
    this.#become(state)
  }

  #refused(view, { number, status, body }) {
    this.#views.get(view).answered()
    view.stand("refused")
    view.fail(new SectileError(status, body))
    if (status === 429 || status === 503) setTimeout(() => this.#numbers.get(number) === view && this.reopen(view), 2000)
  }

  // Nobody follows the views.
  #apart() {
    this.#isServed = false
    for (const view of [...this.#views.keys()]) {
      this.#forget(view)
      view.stand("apart")
    }
  }

  #end() {
    clearTimeout(this.#hiding)
    this.#hiding = null
    const port = this.#port
    this.#port = null
    port?.close()
    this.#apart()
  }

  #sleep() {
    if (!this.#port) return
    this.#become("asleep")
    this.#end()
  }

  #watchPage(how) {
    globalThis.document?.[how]("visibilitychange", this.#whenShown)
    for (const type of ["freeze", "resume"]) globalThis.document?.[how](type, this.#whenShown)
    if (globalThis.document) for (const type of ["pagehide", "pageshow"]) globalThis[how](type, this.#whenShown)
  }

  // A page that nobody sees lets go of its views, and goes on from their positions later: after a while, or at once where it
  // has a stream of its own, which others may wait for. One that is frozen or left can carry no stream.
  #whenShown = ({ type }) => {
    if (this.state === "closed") return
    if (type === "freeze" || type === "pagehide") return this.#sleep()
    if (this.#isHidden) {
      if (this.#port?.isShared) this.#hiding ??= setTimeout(() => this.#isHidden && this.#sleep(), longestHidden)
      else this.#sleep()
      return
    }
    clearTimeout(this.#hiding)
    this.#hiding = null
    if (this.#port) return this.#port.look()
    this.#become("connecting")
    this.#begin()
  }

  #become(state) {
    if (state === this.state || this.state === "closed") return
    if ((state === "lost" || state === "waiting") && this.state === "unauthorized") return
    this.state = state
    this.#handlers.onState?.(this, state)
    for (const view of [...this.#views.keys()]) view.tellState()
  }
}

// How long a hidden page keeps its views.
const longestHidden = 60000

// MARK: - Streams

const kinds = ["reset", "sections", "complete", "changes", "keyed", "failed", "recovered", "dropped", "schema"]
// A browser has six connections for a server of HTTP/1.1, and each stream takes one for as long as it is open. So many
// streams all its pages have together, so that pages and rows can be read beside them; the others wait for their turn.
const mostStreams = 4
// So many of them carry the views of one server.
const mostShared = 3
// As many views a stream has before another one is opened: what servers take unless told.
const usualViews = 16
// How long a stream may take to begin.
const longestBeginning = 15000
// How long one without views stays open beside the first.
const longestIdle = 10000
// Three heartbeats were missed after so many times their distance; they are looked for once a second.
const missed = 2.9

/** When the server was heard of, and whether that is too long ago. */
class Pulse {
  #heard = performance.now()
  #looked = this.#heard
  /** How long it may be silent, in milliseconds; 0 where it does not say how often it is heard of. */
  silence = 0

  constructor(heartbeat = 0) { this.expect(heartbeat) }

  /** How long ago the server was heard of. */
  get age() { return performance.now() - this.#heard }
  /** Whether three heartbeats were missed: nobody is at the other end, whatever the browser thinks. */
  get isMissed() { return this.silence > 0 && this.age > this.silence }

  /** Takes in how often the server is heard of, in seconds. */
  expect(heartbeat) { this.silence = heartbeat * 1000 * missed }

  /** Takes in that the server was heard of, so long ago. */
  hear(age = 0) { this.#heard = performance.now() - age }

  /** Looks at the clock, once a second or so; returns whether three heartbeats were missed. */
  look() {
    const now = performance.now()
    // A page that the browser held back hears late what was said in time: one more is waited for.
    if (this.silence && now - this.#looked > this.silence) this.#heard = Math.max(this.#heard, now - (this.silence * 2) / 3)
    this.#looked = now
    return this.isMissed
  }
}

/** A stream of events, which is made anew when it breaks, or was not heard of for three heartbeats. */
class Stream {
  #base
  #told
  #source = null
  #retry = 0
  #timer = null
  // What ends the attempt that is under way, or the stream that is open.
  #attempt = null
  #pulse = new Pulse()
  #watch = null

  /** Told: `onState`, `onBegan`, `onHeartbeat`, `onSchema`, and `onLost` when its views have to be opened again. */
  constructor(base, told) {
    this.#base = base
    this.#told = told
    this.state = "connecting"
    /** What the server calls it; null while it is not open. */
    this.id = null
    /** What is opened on it, and how much of that the server takes, as far as is known. */
    this.entries = new Set()
    this.capacity = Infinity
    this.#connect()
  }

  /** Aborts when the stream ends. */
  get signal() { return this.#attempt?.signal }
  /** How long ago the server was heard of. */
  get age() { return this.#pulse.age }

  /** Hands over the events of a view; returns what ends that. */
  listen(name, take) {
    const source = this.#source
    const listener = event => {
      this.#pulse.hear()
      take(event.type.slice(name.length + 1), event.data, positionOf(name, event.lastEventId))
    }
    for (const kind of kinds) source.addEventListener(`${name}.${kind}`, listener)
    return () => { for (const kind of kinds) source.removeEventListener(`${name}.${kind}`, listener) }
  }

  restart() {
    this.#retry = 0
    this.#become("lost")
    this.#drop()
    this.#connect()
  }

  /** Ends a wait. */
  hurry() {
    this.#retry = 0
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    this.#timer = null
    this.#connect()
  }

  end() {
    this.#become("closed")
    this.#drop()
  }

  async #connect() {
    const attempt = this.#attempt = new AbortController()
    const { signal } = attempt
    const waiting = setTimeout(() => this.#become("waiting"), 300)
    const leave = await takePlace(signal)
    clearTimeout(waiting)
    if (signal.aborted) return leave()
    signal.addEventListener("abort", leave)
    if (this.state === "waiting") this.#become("connecting")
    const source = this.#source = new EventSource(`${this.#base}/events`)
    const isCurrent = () => source === this.#source
    const late = setTimeout(() => isCurrent() && !this.id && this.again(), longestBeginning)
    signal.addEventListener("abort", () => clearTimeout(late))
    source.addEventListener("stream", event => {
      clearTimeout(late)
      if (isCurrent()) this.#began(JSON.parse(event.data))
    })
    source.addEventListener("heartbeat", () => {
      if (!isCurrent()) return
      // A server that takes connections and drops them is asked less and less often.
      this.#retry = 0
      this.#pulse.hear()
      this.#told.onHeartbeat()
    })
    source.addEventListener("schema", () => {
      if (!isCurrent()) return
      this.#pulse.hear()
      this.#told.onSchema()
    })
    // A browser would connect again by itself, out of sight, and give up after any answer that is no stream.
    source.onerror = () => isCurrent() && this.again()
  }

  // The first event of a stream: what it is called, how often it is heard of, and whose it is.
  #began({ stream, heartbeat = 0, source = null }) {
    this.id = stream
    this.#pulse = new Pulse(heartbeat)
    const { silence } = this.#pulse
    clearInterval(this.#watch)
    if (silence) this.#watch = setInterval(() => this.look(), Math.min(1000, silence / 6))
    this.#told.onBegan(heartbeat, source)
    this.#become("open")
  }

  /** Begins anew if three heartbeats were missed. */
  look() {
    if (this.id && this.#pulse.look()) this.restart()
  }

  // Lets go of the stream, or of the attempt to get one.
  #drop() {
    clearTimeout(this.#timer)
    this.#timer = null
    clearInterval(this.#watch)
    this.#source?.close()
    this.#source = this.id = null
    this.capacity = Infinity
    this.#attempt?.abort()
    this.#attempt = null
    this.#told.onLost()
  }

  /** Tries again, after a while that grows, of which up to a half is left to chance. */
  async again() {
    this.#become("lost")
    this.#drop()
    const attempt = this.#attempt = new AbortController()
    // An EventSource does not say why it was refused: the same is asked for once more.
    const asked = new AbortController()
    attempt.signal.addEventListener("abort", () => asked.abort())
    const limit = setTimeout(() => asked.abort(), longestBeginning)
    const response = await fetch(`${this.#base}/events`, { signal: asked.signal }).catch(() => null)
    clearTimeout(limit)
    asked.abort()
    if (attempt.signal.aborted) return
    if (response?.status === 401) this.#become("unauthorized")
    const wait = Math.min(10000, 500 * 2 ** this.#retry++) * (1 - Math.random() / 2)
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#connect()
    }, wait)
  }

  #become(state) {
    if (state === this.state || this.state === "closed") return
    if ((state === "lost" || state === "waiting") && this.state === "unauthorized") return
    this.state = state
    if (state !== "closed") this.#told.onState()
  }
}

/**
 * Waits for one of the places for streams that all pages of an origin share; returns what gives it back.
 *
 * There are none to wait for where one connection carries all requests, and where a browser has no locks.
 */
async function takePlace(signal) {
  const locks = globalThis.navigator?.locks
  const protocol = globalThis.performance?.getEntriesByType?.("navigation")[0]?.nextHopProtocol ?? ""
  if (!locks || /^h[23]/.test(protocol)) return () => {}
  const others = new AbortController()
  return await new Promise(taken => {
    let isTaken = false
    let refused = 0
    signal.addEventListener("abort", () => {
      others.abort()
      if (!isTaken) taken(() => {})
    })
    for (let number = 0; number < mostStreams; number++) {
      locks.request(`sectile stream ${number}`, { signal: others.signal }, () => {
        if (isTaken || signal.aborted) return undefined
        isTaken = true
        return new Promise(leave => {
          taken(leave)
          others.abort()
        })
      }).catch(error => {
        // A page that may have no locks waits for none.
        if (error.name !== "AbortError" && ++refused === mostStreams) taken(() => {})
      })
    }
  })
}

// The id of a message has the positions of all views: "POS b:POS c:POS".
function positionOf(name, id) {
  return id.split(" ").find(part => part.startsWith(`${name}:`))?.slice(name.length + 1) ?? ""
}

// MARK: - Relay

// How much a page may leave unread, in characters, and for how many heartbeats; and for how many at all.
const mostUnread = 4 << 20
const mostMissed = 3
const longestMissed = 12

/**
 * Opens views for pages, and hands them the events. One page of a browser has it for all of them:
 *
 *     page ── join, open, close, here, part, restart ──▶ relay ── open, close ──▶ server
 *     page ◀── stands, heard, event, opened, refused, apart, schema, gone ── relay ◀── events ── server
 */
class Relay {
  #base
  #deliver
  #mostStreams
  #members = new Map()
  #streams = []
  #lastName = 0
  #heartbeat = 0
  #source = undefined
  #isEnded = false

  /** `deliver(member, message)` takes a message to a page. */
  constructor(base, deliver, mostStreams) {
    this.#base = base
    this.#deliver = deliver
    this.#mostStreams = mostStreams
    this.#addStream()
  }

  /** Takes a message of a page. */
  receive(message) {
    if (this.#isEnded) return
    const { type, number } = message
    const id = message.member
    if (type === "join") return this.#meet(id)
    if (type === "part") return this.drop(id)
    const member = this.#members.get(id)
    if (!member) return
    member.missed = 0
    if (type === "here") {
      member.read = member.marked
      member.isAsked = false
    } else if (type === "open") {
      const { query, position } = message
      const entry = { id, number, query: String(query), position: String(position), stream: null, name: "", isOpen: false, isGone: false }
      member.entries.set(number, entry)
      this.#place(entry)
    } else if (type === "close") {
      this.#part(member.entries.get(number))
    } else if (type === "restart") {
      for (const stream of this.#streams) stream.restart()
    }
  }

  /** Lets go of a page. */
  drop(id) {
    const member = this.#members.get(id)
    if (!member) return
    for (const entry of [...member.entries.values()]) this.#part(entry)
    this.#members.delete(id)
    this.#deliver(id, { type: "gone" })
  }

  end() {
    if (this.#isEnded) return
    this.#isEnded = true
    for (const stream of this.#streams) stream.end()
    for (const id of this.#members.keys()) this.#deliver(id, { type: "gone" })
    this.#members.clear()
  }

  #meet(id) {
    const known = this.#members.get(id)
    if (known) {
      known.missed = 0
      // It has heard nothing for a while. Timers of a hidden page are slow, messages are not.
      this.#streams[0].look()
    } else {
      this.#members.set(id, { entries: new Map(), sent: 0, marked: 0, read: 0, isAsked: false, missed: 0 })
      // Somebody may have let this browser in.
      this.#streams[0].hurry()
    }
    this.#tellStanding([id])
  }

  #tellStanding(ids) {
    const { state, age } = this.#streams[0]
    for (const id of ids) this.#deliver(id, { type: "stands", state, age, heartbeat: this.#heartbeat, source: this.#source })
  }

  #addStream() {
    const isFirst = this.#streams.length === 0
    const ids = () => [...this.#members.keys()]
    const stream = new Stream(this.#base, {
      onState: () => isFirst && this.#tellStanding(ids()),
      onBegan: (heartbeat, source) => {
        this.#heartbeat = heartbeat
        this.#source = source
        this.#tellStanding(ids())
        for (const entry of [...stream.entries]) this.#ask(entry)
      },
      onHeartbeat: () => isFirst && this.#beat(),
      onSchema: () => { if (isFirst) for (const id of ids()) this.#deliver(id, { type: "schema" }) },
      onLost: () => {
        if (this.#isEnded) return
        for (const entry of [...stream.entries]) {
          this.#remove(entry)
          this.#tell(entry, { type: "apart" })
        }
      }
    })
    this.#streams.push(stream)
    return stream
  }

  // Each page says that it reads what it is told. One that does not is frozen, or stuck: nothing is kept for it for ever.
  #beat() {
    for (const [id, member] of this.#members) {
      if (member.isAsked) {
        member.missed += 1
      } else {
        member.isAsked = true
        member.marked = member.sent
      }
      const isFull = member.missed > mostMissed && member.sent - member.read > mostUnread
      if (isFull || member.missed > longestMissed) this.drop(id)
      else this.#deliver(id, { type: "heard" })
    }
  }

  #tell(entry, message) {
    const member = this.#members.get(entry.id)
    if (!member) return
    member.sent += message.data?.length ?? 0
    this.#deliver(entry.id, { ...message, number: entry.number })
  }

  // Opens a view on a stream that has room for it.
  #place(entry, refusal) {
    const stream = this.#streams.find(each => each.entries.size < Math.min(each.capacity, usualViews))
      ?? (this.#streams.length < this.#mostStreams ? this.#addStream() : undefined)
      // It may be one that takes more than usual.
      ?? this.#streams.find(each => each.entries.size < each.capacity)
    if (!stream) return this.#refuse(entry, refusal ?? full)
    entry.stream = stream
    stream.entries.add(entry)
    if (stream.id) this.#ask(entry)
  }

  async #ask(entry) {
    const { stream } = entry
    const { id } = stream
    const name = entry.name = `v${++this.#lastName}`
    const address = `${this.#base}/events/${encodeURIComponent(id)}`
    const unlisten = stream.listen(name, (kind, data, position) => {
      // Asked for once more, it goes on from there.
      entry.position = position
      this.#tell(entry, { type: "event", kind, data, position })
    })
    entry.leave = () => {
      unlisten()
      if (stream.id === id) fetch(`${address}/close?as=${name}`).catch(() => null)
    }
    const isCurrent = () => !entry.isGone && entry.name === name && stream.id === id
    const query = new URLSearchParams(entry.query)
    query.set("as", name)
    if (entry.position) query.set("after", entry.position)
    try {
      await getJSON(`${address}/open?${query}`, stream.signal)
      if (!isCurrent()) return entry.leave()
      entry.isOpen = true
      this.#tell(entry, { type: "opened" })
    } catch (error) {
      if (error.name === "AbortError") return
      if (!(error instanceof SectileError)) throw error
      // A connection that was broken says nothing of the stream, which may go on, and have the view by now.
      if (error.status === 0) entry.leave()
      else unlisten()
      if (isCurrent()) await this.#failed(entry, error, isCurrent)
    }
  }

  async #failed(entry, error, isCurrent) {
    const { stream } = entry
    const others = stream.entries.size - 1
    if (error.status === 0) {
      await sleep(1000)
      if (isCurrent()) this.#ask(entry)
    } else if (error.code === "notFound" && error.message === noStream) {
      // The server has ended it, or the browser is somebody else by now, whose stream this is not.
      await sleep(500)
      if (isCurrent()) stream.again()
    } else if (error.status === 429 && others > 0 && this.#mostStreams > 1) {
      // It is full: others may be refused at the same time, and the last of them leaves what the server takes.
      stream.entries.delete(entry)
      stream.capacity = others
      this.#place(entry, error)
    } else {
      this.#refuse(entry, error)
    }
  }

  #refuse(entry, { status, code, message, hint, body }) {
    this.#remove(entry)
    this.#tell(entry, { type: "refused", status, body: body ?? { code, message, hint } })
  }

  // Closes a view; one that is being opened is closed when it is open.
  #part(entry) {
    if (!entry || entry.isGone) return
    this.#remove(entry)
    if (entry.isOpen) entry.leave()
  }

  #remove(entry) {
    entry.isGone = true
    this.#members.get(entry.id)?.entries.delete(entry.number)
    const { stream } = entry
    stream?.entries.delete(entry)
    if (!stream || stream === this.#streams[0] || stream.entries.size) return
    setTimeout(() => {
      if (stream.entries.size || this.#isEnded || !this.#streams.includes(stream)) return
      this.#streams = this.#streams.filter(each => each !== stream)
      stream.end()
    }, longestIdle)
  }
}

const noStream = "there is no such stream"
const full = { status: 429, code: "tooManyRequests", message: "the streams of this browser have no room for another view", hint: "Close some views." }

// MARK: - Ports

/** Leads to a relay of its own. */
class OwnPort {
  isShared = false
  isCarrying = true
  #relay

  constructor(base, take) {
    // Later, as messages between pages come: nobody is told of anything while they ask for it.
    const deliver = message => queueMicrotask(() => take(message))
    deliver({ type: "anew" })
    this.#relay = new Relay(base, (_, message) => {
      if (message.type === "heard") this.send({ type: "here" })
      else deliver(message)
    }, 1)
    this.send({ type: "join" })
  }

  send(message) { this.#relay?.receive({ ...message, member: "own" }) }
  look() {}
  close() { this.#relay.end() }
}

// A leader that says nothing for so many times a heartbeat is asked whether it is there, and after so many questions without an
// answer, one a second, another one takes its place; which one is left to chance.
const longestQuiet = 1.5
const mostAsked = 5

/**
 * Leads to the relay of the page that leads: that which has a lock. Each page waits for it, so that another one leads as soon as
 * its page is closed or has crashed. One that is frozen, and says nothing, has it taken away.
 *
 * All pages of an origin hear the channels, and nobody else. Nothing on them is more than its pages can ask the server for.
 */
class SharedPort {
  isShared = true
  #base
  #name
  #id = randomName()
  #take
  #common
  #own
  #ended = new AbortController()
  #candidate = null
  // Whether this page has its own lock: who asked before would be taken for one that is gone.
  #isThere = false
  #relay = null
  #leader = null
  // What the leader said of the stream, whether the server is heard of, and since when the leader was not.
  #state = "connecting"
  #isSilent = false
  #pulse = new Pulse()
  #quiet = 5000 * longestQuiet
  #met = performance.now()
  #asked = 0
  #patience = mostAsked * (1 + Math.random())
  #watch

  /** `alone` is called where the browser refuses locks to this page. */
  constructor(base, take, alone) {
    this.#base = base
    this.#take = take
    // Pages with another version of this file have a name of their own.
    this.#name = `sectile 1 ${addressOf(base)}`
    this.#own = new BroadcastChannel(`${this.#name} ${this.#id}`)
    this.#common = new BroadcastChannel(this.#name)
    this.#own.onmessage = ({ data }) => this.#receive(data)
    this.#common.onmessage = ({ data }) => {
      // Another one leads, if it answers.
      if (!this.#isThere || data?.type !== "leader" || data.leader === this.#leader) return
      this.#asked ||= 1
      this.#ask()
    }
    const { signal } = this.#ended
    // As long as it is held, this page is there.
    hold(`${this.#name} ${this.#id}`, { signal }, signal, () => {
      this.#isThere = true
      this.#ask()
      this.#stand({})
      this.#watch = setInterval(() => this.look(), 1000)
    }).catch(() => signal.aborted || alone())
  }

  get isCarrying() { return this.#relay !== null }

  send(message) { if (this.#leader) this.#post({ ...message, to: this.#leader }) }

  close() {
    clearInterval(this.#watch)
    this.#post({ type: "part" })
    this.#ended.abort()
    this.#candidate?.abort()
    this.#own.close()
    this.#common.close()
  }

  /** Looks whether the server and the leader were heard of. */
  look() {
    if (!this.#isThere) return
    if (this.#pulse.look() && !this.#isSilent) {
      this.#isSilent = true
      this.#tellState()
    }
    if (this.#relay || (this.#leader && !this.#asked && performance.now() - this.#met < this.#quiet)) return
    if (this.#asked++ < this.#patience) return this.#ask()
    this.#asked = 0
    this.#stand({ steal: true })
  }

  // Whoever was told of something may have closed it.
  #post(message) { if (!this.#ended.signal.aborted) this.#common.postMessage({ ...message, member: this.#id }) }

  #ask() { this.#post({ type: "join" }) }

  #follow(leader) {
    this.#leader = leader
    this.#asked = 0
    this.#met = performance.now()
    this.#ask()
    this.#take({ type: "anew" })
  }

  #receive(message) {
    if (!message || this.#ended.signal.aborted) return
    const { leader, type } = message
    if (leader !== this.#leader) {
      // One that leads no more may have been asked before it knew.
      if (type !== "stands" || typeof leader !== "string" || (this.#leader && !this.#asked)) return
      this.#follow(leader)
    }
    this.#met = performance.now()
    this.#asked = 0
    if (type === "gone") {
      this.#leader = null
      this.#take({ type: "alone" })
      this.#ask()
    } else if (type === "stands") {
      const { state, age, heartbeat, source } = message
      this.#state = state
      if (heartbeat) {
        this.#pulse.expect(heartbeat)
        this.#quiet = heartbeat * 1000 * longestQuiet
      }
      this.#pulse.hear(age)
      this.#isSilent = this.#pulse.isMissed
      this.#tellState(source)
    } else {
      if (type === "heard") this.send({ type: "here" })
      if (["heard", "event", "schema"].includes(type)) this.#hear()
      if (type !== "heard") this.#take(message)
    }
  }

  #hear() {
    this.#pulse.hear()
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#tellState()
  }

  #tellState(source) {
    this.#take({ type: "stands", state: this.#isSilent && this.#state === "open" ? "lost" : this.#state, source })
  }

  // Leads when nobody else does, or at once.
  async #stand({ steal = false }) {
    const { signal } = this.#ended
    if (signal.aborted) return
    this.#candidate?.abort()
    const candidate = this.#candidate = new AbortController()
    let leading = null
    try {
      await hold(`${this.#name} leader`, steal ? { steal } : { signal: candidate.signal }, signal, () => { leading = this.#lead() })
    } catch {
      // It was taken away, or is not waited for any more.
    }
    leading?.()
    if (leading && !signal.aborted && candidate === this.#candidate) this.#stand({})
  }

  // Returns what ends it.
  #lead() {
    const leader = randomName()
    const channels = new Map()
    const watched = new Set()
    const ended = new AbortController()
    const inbox = new BroadcastChannel(this.#name)
    const deliver = (member, message) => {
      if (!channels.has(member)) channels.set(member, new BroadcastChannel(`${this.#name} ${member}`))
      const channel = channels.get(member)
      channel.postMessage({ ...message, leader })
      if (message.type !== "gone") return
      channel.close()
      channels.delete(member)
    }
    const relay = this.#relay = new Relay(this.#base, deliver, mostShared)
    inbox.onmessage = ({ data }) => {
      if (typeof data?.member !== "string" || (data.to && data.to !== leader)) return
      if (data.type === "join" && !watched.has(data.member)) {
        watched.add(data.member)
        // It is given when the page is gone, however it went.
        navigator.locks.request(`${this.#name} ${data.member}`, { signal: ended.signal }, () => {
          watched.delete(data.member)
          relay.drop(data.member)
        }).catch(() => null)
      }
      relay.receive(data)
    }
    inbox.postMessage({ type: "leader", leader })
    const end = () => {
      if (ended.signal.aborted) return
      if (this.#relay === relay) this.#relay = null
      relay.end()
      ended.abort()
      inbox.close()
    }
    this.#ended.signal.addEventListener("abort", end)
    return end
  }
}

// Holds a lock until `ended` aborts. Rejects where it is not given, or taken away.
function hold(name, options, ended, begin) {
  return navigator.locks.request(name, options, () => new Promise(done => {
    if (ended.aborted) return done()
    ended.addEventListener("abort", done)
    begin()
  }))
}

function randomName() { return crypto.getRandomValues(new Uint32Array(4)).join("-") }

// Where a path leads, as all pages of an origin call it.
function addressOf(base) {
  try {
    return new URL(base, globalThis.location.href).href
  } catch {
    return base
  }
}

/** Opens a connection; views are opened on it. */
export function connect(url = "/api", handlers = {}, options = {}) { return new Connection(url, handlers, options) }

/** Opens one view on a connection of its own. */
export function subscribe(url, request, handlers = {}, options = {}) {
  const connection = new Connection(url, {}, options)
  return connection.open(request, handlers, { ...options, ownsConnection: true })
}
