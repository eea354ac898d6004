// The table: a window of a live view. What is not in sight is not in the page.
import { keyOf } from "./sectile.js"
import { el, mark } from "./dom.js"
import { Geometry } from "./geometry.js"
import { Folds } from "./folds.js"
import { Scroll } from "./scroll.js"
import { Heads } from "./heads.js"
import { drawRow, drawSection } from "./rows.js"
import { fade, flash, glide, isMoving } from "./motion.js"

const overscan = 8
const mostGlides = 150
const searched = 200

export class Table {
  #elements = new Map()
  #frame = 0
  #marks = new Map()
  #isFolding = false
  #gone = new Map()
  #lost = null
  #viewport = 0
  // What columns are asked to be shown as, and what that makes of those that were read.
  #order = { names: [], pins: 0 }
  #arranged = null

  /** Events: `onCursor`, `onInspect`, `onHead`, `onMove`, `onFold`, `onScrolled`, `onSettled`, `onEmpty`. */
  constructor(place, events) {
    this.events = events
    this.view = null
    // How cells look; without, they show their values.
    this.looks = null
    this.geometry = null
    this.cursor = { rank: 0, column: 0 }
    // The row at which the selection begins that ends at the cursor; null where nothing but the cursor is selected.
    this.anchor = null
    this.folds = new Folds()
    this.heads = new Heads({
      onHead: column => events.onHead(column), onMove: (name, to) => events.onMove(name, to),
      scroller: () => this.element, cellsIn: name => [...this.#cellsIn(name)], roomFor: name => this.looks?.roomFor(name) ?? 0
    })
    this.pinned = el("div", { class: "pinned", "aria-hidden": "true" })
    this.canvas = el("div", { class: "canvas", role: "rowgroup" })
    this.empty = el("p", { class: "empty", hidden: true })
    this.element = el("div", { id: "grid", class: "grid", role: "grid", tabindex: "0", "aria-multiselectable": "true", "aria-label": "Rows" },
      this.heads.element, this.pinned, this.canvas, this.empty)
    place.append(this.element)
    this.scroll = new Scroll(this.element, this.canvas, () => {
      this.draw()
      events.onScrolled()
    })
    this.scroll.onRest = () => this.scroll.settle() && this.#drawNow()
    new ResizeObserver(() => {
      this.heads.place(this.element.clientWidth)
      this.#keepCursor()
      this.heads.reveal(this.element, this.cursor.column)
      this.draw()
    }).observe(this.element)
    this.canvas.addEventListener("click", event => this.#clicked(event))
    // Shift selects rows, and no text.
    this.canvas.addEventListener("mousedown", event => {
      if (!event.shiftKey || !event.target.closest(".row")) return
      event.preventDefault()
      this.element.focus({ preventScroll: true })
    })
    this.pinned.addEventListener("click", event => this.#clicked(event))
    this.canvas.addEventListener("dblclick", event => {
      if (event.target.closest(".cell")) events.onInspect()
    })
  }

  // Where there is less room than there was, as beside a panel, the cursor stays in sight if it was.
  #keepCursor() {
    const { geometry, scroll } = this
    const before = this.#viewport
    this.#viewport = scroll.viewport
    if (!geometry?.structure.total) return
    const end = geometry.rowTop(this.cursor.rank) + (this.isHidden(this.cursor.rank) ? 0 : geometry.rowHeight)
    if (end <= scroll.top || end > scroll.top + before || end <= scroll.top + scroll.viewport) return
    scroll.go(end - scroll.viewport)
    this.events.onScrolled()
  }

  get rowHeight() { return this.#pixels("--row-height") }
  get headHeight() { return this.isSectioned ? this.#pixels("--section-height") : 0 }
  #pixels(name) { return parseFloat(getComputedStyle(this.element).getPropertyValue(name)) }

  /** The rank of the first row in sight, and how far it is above the edge. */
  get first() {
    if (!this.geometry?.structure.total) return { rank: 0, above: 0 }
    const edge = this.scroll.top + this.geometry.headHeight
    const rank = this.geometry.rankAt(edge)
    return { rank, above: this.scroll.top - this.geometry.rowTop(rank) }
  }

  /** How many rows are in sight. */
  get pageSize() {
    return Math.max(1, Math.floor((this.scroll.viewport - (this.geometry?.headHeight ?? 0)) / (this.geometry?.rowHeight ?? 28)))
  }

  /** The ranks of the rows in sight, as ranges. */
  get inSight() {
    const { geometry, scroll } = this
    return geometry?.structure.total ? geometry.ranges(scroll.top + geometry.headHeight, scroll.top + geometry.headHeight + this.pageSize * geometry.rowHeight) : []
  }

  /** The rows that are selected: those from the anchor to the cursor, or the one at the cursor. */
  get selection() {
    const { rank } = this.cursor
    const anchor = this.anchor ?? rank
    return { from: Math.min(anchor, rank), count: Math.abs(anchor - rank) + 1 }
  }

  /** Selects nothing but the cursor. */
  deselect() {
    this.anchor = null
    this.draw()
  }

  /** The values of a row, in the order in which they are shown. */
  cells(row) { return this.#columns().places.map(place => row.cells[place]) }

  /** Whether the row of a rank is not shown, because its section is folded. */
  isHidden(rank) { return Boolean(this.geometry?.structure.total) && this.geometry.isHidden(rank) }

  /** Shows nothing. */
  clear() {
    for (const element of this.#elements.values()) element.remove()
    this.#elements.clear()
    this.#marks.clear()
    this.view = this.geometry = null
    this.empty.hidden = true
    mark(this.pinned, "shown", false)
    this.scroll.set(0, 0)
  }

  /** Shows a view from its beginning, or from a rank. */
  show(view, isSectioned, at = 0, marks = true, folds = new Folds()) {
    this.clear()
    this.view = view
    this.folds = folds
    this.isMarked = marks
    mark(this.element, "unmarked", !marks)
    this.isSectioned = isSectioned
    this.startAt = at
    this.cursor = { rank: at, column: 0 }
    this.anchor = null
    mark(this.element, "loading", true)
    this.draw()
  }

  /** Shows columns in an order, the first `pins` of them at the left edge; keeps the cursor in its column. */
  arrange(names, pins) {
    if (pins === this.#order.pins && keyOf(names) === keyOf(this.#order.names)) return
    const name = this.heads.names[this.cursor.column]
    this.#order = { names, pins }
    this.#arranged = null
    this.cursor.column = Math.max(0, this.#columns().names.indexOf(name))
    this.draw()
  }

  // The columns that are shown: their names, and the places of their values in a row.
  #columns() {
    const read = this.view?.columns ?? []
    const arranged = this.#arranged
    // Each answer says anew what has been read.
    if (arranged && (arranged.read === read || keyOf(arranged.read) === keyOf(read))) return arranged
    const { names: wanted, pins } = this.#order
    const isPlain = !read.length || new Set(read).size < read.length
    const known = new Set(wanted)
    const names = isPlain ? (read.length ? read : wanted) : [...wanted.filter(name => read.includes(name)), ...read.filter(name => !known.has(name))]
    return this.#arranged = { read, names, places: names.map((name, i) => (isPlain ? i : read.indexOf(name))), pins: Math.min(pins, names.length), looks: this.looks }
  }

  *#cellsIn(name) {
    const column = this.heads.names.indexOf(name)
    for (const element of this.#elements.values()) if (element.row && element.children[column]) yield element.children[column]
  }

  // MARK: What happens

  /** Folds and unfolds sections. The header of `rank` stays where it is, or comes to the upper edge. */
  fold(folds, rank = this.first.rank) {
    this.folds = folds
    const { geometry: before, scroll } = this
    if (!before) return
    const distance = section => before.sectionTop(section) - scroll.top
    let section = before.structure.total ? before.structure.path(rank).section : 0
    if (distance(section) > scroll.viewport) section = before.sectionAt(scroll.top)
    const above = Math.max(0, distance(section))
    this.#measure()
    this.#layOut(this.geometry.sectionTop(section) - above)
    if (this.isHidden(this.cursor.rank)) this.cursor.rank = this.geometry.structure.start(this.geometry.structure.path(this.cursor.rank).section)
    this.#isFolding = true
    this.draw()
  }

  /** The contents were given anew: the row at the upper edge is looked for where it was. */
  reset() {
    const isStart = !this.geometry
    const place = isStart ? { rank: this.startAt, above: 0 } : this.first
    const key = isStart ? null : this.#keyAt(place.rank)
    const wasAtTop = isStart ? this.startAt === 0 : this.scroll.top <= 0
    this.#lost = key && !wasAtTop ? { key, above: place.above, until: performance.now() + 3000 } : null
    this.#measure()
    const rank = Math.min(place.rank, Math.max(0, this.view.total - 1))
    const above = isStart ? -this.geometry.headHeight : place.above
    this.#layOut(wasAtTop || !this.view.total ? 0 : this.geometry.rowTop(rank) + above)
    this.cursor.rank = Math.min(this.cursor.rank, Math.max(0, this.view.total - 1))
    this.anchor = null
    mark(this.element, "loading", false)
    this.draw()
  }

  /** A changeset was folded: what is in sight stays where it is, unless it moved itself. */
  follow(step) {
    const { first, scroll } = this
    let top = scroll.top
    if (step.before.total && top > 0) {
      for (let rank = first.rank; rank < Math.min(step.before.total, first.rank + 500); rank++) {
        const now = step.forward(rank)
        if (!now || now.moved) continue
        const distance = this.geometry.rowTop(rank) - top
        this.#measure()
        top = this.geometry.rowTop(now.rank) - distance
        break
      }
    }
    this.#measure()
    this.#layOut(top)
    if (step.before.total) {
      const forward = rank => step.forward(Math.min(rank, step.before.total - 1))?.rank ?? Math.min(rank, Math.max(0, step.after.total - 1))
      this.cursor.rank = forward(this.cursor.rank)
      if (this.anchor !== null) this.anchor = forward(this.anchor)
    }
    this.#note(step)
    this.#isFolding = true
    this.draw()
  }

  /** Rows were read. */
  arrived() {
    const lost = this.#lost
    if (lost && performance.now() < lost.until) {
      for (const [rank, row] of this.view.rows()) {
        if (row.key !== lost.key) continue
        this.#lost = null
        this.#layOut(this.geometry.rowTop(rank) + lost.above)
        break
      }
    }
    this.draw()
  }

  #keyAt(rank) {
    for (const [key, element] of this.#elements) if (element.rank === rank && element.row) return key.slice(2)
    return null
  }

  #measure() { this.geometry = new Geometry(this.view.structure, this.rowHeight, this.headHeight, this.folds) }

  #layOut(top) { this.scroll.set(this.geometry.height, top) }

  // What is to be marked when it is drawn. Only what is near the window is kept.
  #note({ before, after, changeset: { rows, sections } }) {
    const { geometry, scroll } = this
    const more = overscan * geometry.rowHeight
    const isNear = path => {
      if (geometry.isFolded(path.section)) return false
      const y = geometry.rowTop(after.rank(path))
      return y >= scroll.top - more && y <= scroll.top + scroll.viewport + more
    }
    // Of a folded section it is seen that there is something else in it.
    const within = (structure, { section }) => {
      const { header } = structure.sections[section]
      if (geometry.headHeight && this.folds.has(header)) this.#marks.set(`s:${keyOf(header.identity)}`, "changed")
    }
    if (!this.folds.isEmpty) {
      for (const { path } of rows.deletes) within(before, path)
      for (const { path } of rows.inserts) within(after, path)
      for (const { source } of rows.moves) within(before, source)
      for (const { target } of [...rows.moves, ...rows.updates]) within(after, target)
    }
    for (const { path, id } of rows.inserts) if (isNear(path)) this.#marks.set(`r:${keyOf(id)}`, "inserted")
    for (const { target, id } of rows.moves) if (isNear(target)) this.#marks.set(`r:${keyOf(id)}`, "moved")
    for (const { id } of rows.deletes) {
      const key = `r:${keyOf(id)}`
      if (this.#elements.has(key)) this.#gone.set(key, "gone")
    }
    for (const { header } of sections.inserts) this.#marks.set(`s:${keyOf(header.identity)}`, "inserted")
    for (const { header } of sections.updates) this.#marks.set(`s:${keyOf(header.identity)}`, "changed")
  }

  // MARK: Drawing

  /** Draws in the next frame. */
  draw() {
    if (this.#frame) return
    this.#frame = requestAnimationFrame(() => this.#drawNow())
  }

  /** Draws all rows anew: they look otherwise. */
  redraw() {
    this.#arranged = null
    this.draw()
  }

  /** Whether what is drawn is what is held. */
  get isDrawn() { return this.#frame === 0 }

  #drawNow() {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    const { view, geometry } = this
    if (!view || !geometry) return
    const { structure } = view
    const top = this.scroll.top
    const bottom = top + this.scroll.viewport
    const more = overscan * geometry.rowHeight
    const ranges = geometry.ranges(top - more, bottom + more)
    // The row that was at the upper edge may be elsewhere now, but not far away.
    const reach = this.#lost && performance.now() < this.#lost.until ? searched : 0
    view.want(reach && ranges.length ? [{ from: ranges[0].from - reach, count: ranges.at(-1).from + ranges.at(-1).count - ranges[0].from + 2 * reach }] : ranges)
    const arranged = this.#columns()
    const isMeasured = this.heads.columns(arranged.names, this.#sample(ranges, arranged.places), arranged.pins, this.element.clientWidth)
    // A cell that was gone to before its column had a width.
    if (isMeasured && this.cursor.column > 0) this.heads.reveal(this.element, this.cursor.column)
    const columns = arranged.names
    this.element.setAttribute("aria-rowcount", structure.total + (geometry.headHeight ? structure.sections.length : 0) + 1)
    this.element.setAttribute("aria-colcount", columns.length)
    this.empty.hidden = structure.total > 0 || !view.isLoaded
    if (!this.empty.hidden) this.events.onEmpty(this.empty)
    const places = this.#places(geometry.parts(top - more, bottom + more))
    this.#discard(places)
    this.#put(places, arranged)
    this.#isFolding = false
    this.#gone.clear()
    this.#pin()
    this.#showCursor()
    this.events.onSettled()
  }

  *#sample(ranges, places) {
    for (const { from, count } of ranges) {
      for (let rank = from; rank < from + count; rank++) {
        const row = this.view.row(rank)
        if (row) yield places.map(place => row.cells[place])
      }
    }
  }

  // What is to be seen, in order: keys with places.
  #places(parts) {
    const { view, geometry } = this
    const places = new Map()
    if (!geometry.structure.total) return places
    for (const { section, y, from, count } of parts) {
      const header = geometry.structure.sections[section]
      if (geometry.headHeight) places.set(`s:${keyOf(header.header.identity)}`, { y, section, header })
      for (let rank = from; rank < from + count; rank++) {
        const row = view.row(rank)
        let key = row ? `r:${row.key}` : `?:${rank}`
        while (places.has(key)) key += "+"
        places.set(key, { y: geometry.rowTop(rank), rank, row, lost: row ? null : view.lost(rank) })
      }
    }
    return places
  }

  #discard(places) {
    for (const [key, element] of this.#elements) {
      if (places.has(key)) continue
      this.#elements.delete(key)
      if (this.#gone.has(key) && this.#isFolding) fade(element)
      else element.remove()
    }
  }

  #put(places, columns) {
    const { shift, top } = this.scroll
    let glides = this.#isFolding && this.isMarked && isMoving() ? mostGlides : 0
    let previous = null
    for (const [key, place] of places) {
      let element = this.#elements.get(key)
      const isNew = !element
      if (isNew) {
        element = place.header ? el("div", { class: "section", role: "row" }) : el("div", { class: "row", role: "row" })
        this.#elements.set(key, element)
      }
      const y = place.y - shift
      const seen = place.y - top
      if (!isNew && glides > 0 && Math.abs(element.seen - seen) > 1) {
        glides--
        glide(element, element.seen - seen)
      }
      if (element.y !== y) element.style.transform = `translateY(${y}px)`
      element.y = y
      element.seen = seen
      if (place.header) drawSection(element, place.header, place.section, this.geometry)
      else drawRow(element, place, columns, this.geometry)
      const name = this.#marks.get(key)
      if (name && !place.row?.stale) {
        flash(element, name)
        this.#marks.delete(key)
      }
      // Readers of the page go through the elements in their order.
      const after = previous ? previous.nextElementSibling : this.canvas.firstElementChild
      if (after !== element) this.canvas.insertBefore(element, after)
      previous = element
    }
    if (this.#marks.size > 500) this.#marks.clear()
  }

  // The header of the section at the upper edge stays in sight, until the next one pushes it away.
  #pin() {
    const { geometry, scroll, pinned } = this
    const isPinned = geometry.headHeight > 0 && geometry.structure.total > 0
    mark(pinned, "shown", isPinned)
    if (!isPinned) return
    const section = geometry.sectionAt(scroll.top)
    const next = section + 1 < geometry.structure.sections.length ? geometry.sectionTop(section + 1) - scroll.top : Infinity
    let inner = pinned.firstElementChild
    if (!inner) pinned.append(inner = el("div", { class: "section" }))
    drawSection(inner, geometry.structure.sections[section], section, geometry)
    for (const name of ["role", "aria-rowindex"]) inner.removeAttribute(name)
    inner.querySelector(".head-cell").removeAttribute("id")
    inner.style.transform = `translateY(${Math.min(0, next - geometry.headHeight)}px)`
  }

  // MARK: The cursor

  /** Takes the cursor down by some rows, or up; a folded section counts as one. */
  step(count, selects = false) {
    const { geometry } = this
    if (!geometry?.structure.total) return
    const stop = Math.min(Math.max(0, geometry.stopOf(this.cursor.rank) + count), geometry.stops - 1)
    this.moveTo(geometry.rankOf(stop), undefined, selects)
  }

  /** Puts the cursor somewhere, and brings it into sight; `selects` the rows between where it was and there. */
  moveTo(rank, column = this.cursor.column, selects = false) {
    const { view, geometry } = this
    if (!geometry || !view?.total) return
    this.anchor = selects ? this.anchor ?? this.cursor.rank : null
    this.cursor = {
      rank: Math.min(Math.max(0, rank), view.total - 1),
      column: Math.min(Math.max(0, column), Math.max(0, this.heads.names.length - 1))
    }
    const { section } = geometry.structure.path(this.cursor.rank)
    const isHidden = geometry.isFolded(section)
    if (isHidden) this.cursor.rank = geometry.structure.start(section)
    const y = geometry.rowTop(this.cursor.rank)
    const end = isHidden ? y : y + geometry.rowHeight
    const { top, viewport } = this.scroll
    if (y - geometry.headHeight < top) this.scroll.go(y - geometry.headHeight)
    else if (end > top + viewport) this.scroll.go(end - viewport)
    this.heads.reveal(this.element, this.cursor.column)
    this.#drawNow()
    this.events.onScrolled()
    this.events.onCursor()
  }

  #showCursor() {
    this.canvas.querySelectorAll(".at").forEach(cell => {
      cell.classList.remove("at")
      cell.removeAttribute("aria-selected")
    })
    this.element.removeAttribute("aria-activedescendant")
    const { from, count } = this.selection
    for (const element of this.#elements.values()) {
      if (element.header) {
        const isAt = element.classList.contains("folded") && this.geometry.structure.total > 0
          && this.isHidden(this.cursor.rank) && element.start === this.geometry.structure.start(this.geometry.structure.path(this.cursor.rank).section)
        mark(element, "here", isAt)
        if (isAt) this.element.setAttribute("aria-activedescendant", element.firstElementChild.id)
      }
      if (element.rank === undefined) continue
      const isHere = element.rank === this.cursor.rank
      const isSelected = this.anchor !== null && element.rank >= from && element.rank < from + count
      mark(element, "here", isHere)
      mark(element, "selected", isSelected)
      if (isSelected) element.setAttribute("aria-selected", "true")
      else element.removeAttribute("aria-selected")
      const cell = isHere && element.children[this.cursor.column]
      if (!cell || !element.row) continue
      cell.classList.add("at")
      cell.setAttribute("aria-selected", "true")
      this.element.setAttribute("aria-activedescendant", cell.id)
    }
  }

  #clicked(event) {
    const head = event.target.closest(".section")
    if (head?.header) {
      this.element.focus({ preventScroll: true })
      return this.events.onFold(head.header, head.start)
    }
    const row = event.target.closest(".row")
    const cell = event.target.closest(".cell")
    if (!row || row.rank === undefined) return
    this.moveTo(row.rank, cell ? [...row.children].indexOf(cell) : undefined, event.shiftKey)
  }
}
