// The heads of the columns: names, order, widths.
import { el } from "./dom.js"
import { draggable } from "./drag.js"
import { stick } from "./rows.js"
import { describe, visible } from "./values.js"
import { isColumn, readSort } from "./state.js"
import { readWidths, writeWidths } from "./widths.js"

export class Heads {
  #widths = new Map()
  // Those that somebody has chosen, and where they are kept.
  #chosen = new Map()
  #place = ""
  #room = Infinity
  #pins = 0
  #isMeasured = false
  #order = []
  #numeric = new Set()
  #cells = new Map()

  /** Events: `onHead`, `onMove`; and what is around it: `scroller`, `cellsIn` a column, and how much more `roomFor` it. */
  constructor(events) {
    this.events = events
    this.names = []
    this.row = el("div", { class: "heads-row", role: "row", "aria-rowindex": "1" })
    this.element = el("div", { class: "heads", role: "rowgroup" }, this.row)
  }

  /** Says what the order and the kinds of columns are, and where widths are kept; measures them anew. */
  begin(names, order, table, place, pins) {
    this.names = []
    this.#place = place
    this.#pins = pins
    this.#chosen = table ? readWidths(place, table.name) : new Map()
    this.#order = order.map(readSort)
    this.table = table
    this.#isMeasured = false
    this.#widths.clear()
    this.#numeric.clear()
    this.columns(names, [])
  }

  /** Shows the columns; the first rows say how wide they are. Returns whether they were measured just now. */
  columns(names, sample, pins = this.#pins, room = this.#room) {
    const wasMeasured = this.#isMeasured
    this.#room = room
    if (!this.#isMeasured) {
      const rows = [...sample].slice(0, 60)
      if (rows.length) {
        names.forEach((name, i) => this.#widths.set(name, widthOf(name, rows.map(cells => cells[i]), this.#isKey(name)) + this.events.roomFor(name)))
        // Names stand above their values.
        this.#numeric = new Set(names.filter((_, i) => isNumeric(rows.map(cells => cells[i]))))
        for (const [name, cell] of this.#cells) cell.classList.toggle("numeric", this.#numeric.has(name))
        this.#isMeasured = true
        this.#applyWidths(names)
      }
    }
    const isMeasured = this.#isMeasured && !wasMeasured
    if (pins === this.#pins && names.length === this.names.length && names.every((name, i) => name === this.names[i])) return isMeasured
    this.names = names
    this.#pins = pins
    this.#cells.clear()
    this.row.replaceChildren(...names.map((name, i) => this.#head(name, i)))
    this.#applyWidths(names)
    return isMeasured
  }

  #isKey(name) { return Boolean(this.table?.columns.find(each => each.name === name)?.key) }

  #head(name, i) {
    const place = this.#order.findIndex(term => isColumn(term.expression, name))
    const term = this.#order[place]
    const direction = !term ? "none" : term.isDescending ? "descending" : "ascending"
    const column = this.table?.columns.find(each => each.name === name)
    const button = el("button", {
      type: "button", tabindex: "-1", class: "head", title: column?.type ?? "",
      onclick: event => this.events.onHead({ name, index: i, element: button, isMenu: false, isMore: event.shiftKey })
    }, el("span", { class: "name" }, visible(name)),
    column?.key ? el("span", { class: "tag", title: "Part of the key" }, "key") : null,
    term ? el("span", { class: "arrow", "aria-hidden": "true" }, `${term.isDescending ? "↓" : "↑"}${this.#order.length > 1 ? place + 1 : ""}`) : null)
    const menu = el("button", {
      type: "button", tabindex: "-1", class: "more", "aria-haspopup": "menu", "aria-label": "Sort, group, filter",
      onclick: () => this.events.onHead({ name, index: i, element: menu, isMenu: true })
    }, "▾")
    const cell = el("div", {
      class: this.#numeric.has(name) ? "head-place numeric" : "head-place", role: "columnheader", "aria-colindex": i + 1, "aria-sort": direction, "data-column": name
    }, button, menu, el("span", {
      class: "grip", title: "Drag: wider, narrower. Double click: as wide as its values.",
      onpointerdown: event => this.#resize(event, name), ondblclick: () => this.fit(name)
    }))
    draggable(button, { cells: () => [...this.row.children], scroller: this.events.scroller, onMove: to => this.events.onMove(name, to) })
    stick(cell, i, this.#pins)
    this.#cells.set(name, cell)
    return cell
  }

  #applyWidths(names) {
    const widths = names.map(name => this.width(name))
    const style = document.documentElement.style
    style.setProperty("--columns", widths.map(width => `${width}px`).join(" ") || "1fr")
    style.setProperty("--width", `${widths.reduce((sum, width) => sum + width, 0)}px`)
    // There has to be room beside those that stay: on a narrow page the others scroll away with the rest.
    let left = 0
    this.#stuck = 0
    for (let i = 0; i < this.#pins; i++) {
      const isStuck = left + (widths[i] ?? 0) <= this.#room * 0.6
      style.setProperty(`--left-${i}`, isStuck ? `${left}px` : "auto")
      left += isStuck ? widths[i] ?? 0 : Infinity
      if (isStuck) this.#stuck = left
    }
  }

  // How many pixels at the left edge columns stay at.
  #stuck = 0

  /** How wide a column is. */
  width(name) { return this.#chosen.get(name) ?? this.#widths.get(name) ?? 140 }

  /** Whether somebody has chosen a width. */
  get hasChosen() { return this.#chosen.size > 0 }

  /** Says how wide the page is. */
  place(room) {
    if (room === this.#room) return
    this.#room = room
    this.#applyWidths(this.names)
  }

  /** Makes a column as wide as it is told; the browser remembers it. */
  widen(name, width, isKept = true) {
    this.#chosen.set(name, Math.round(Math.min(2000, Math.max(48, width))))
    this.#applyWidths(this.names)
    if (isKept) this.#keep()
  }

  /** Makes a column as wide as its name and its values in sight are. */
  fit(name) {
    const head = this.#cells.get(name)
    if (!head) return
    const [button, menu] = head.children
    const title = [...button.children].reduce((sum, part) => sum + (part.className === "name" ? extent(part) : part.offsetWidth + 5) + 3, 12)
    this.widen(name, Math.max(title + menu.offsetWidth + 4, ...this.events.cellsIn(name).map(cell => Math.min(900, extent(cell) + 24))))
  }

  /** Forgets what was chosen: the first rows say how wide the columns are. */
  forget() {
    this.#chosen.clear()
    this.#applyWidths(this.names)
    this.#keep()
  }

  #keep() { if (this.table) writeWidths(this.#place, this.table.name, this.#chosen) }

  #resize(event, name) {
    event.preventDefault()
    const grip = event.target
    const from = event.clientX
    const width = this.width(name)
    grip.setPointerCapture(event.pointerId)
    grip.onpointermove = move => {
      if (Math.abs(move.clientX - from) > 2 || this.width(name) !== width) this.widen(name, width + move.clientX - from, false)
    }
    grip.onpointerup = grip.onpointercancel = () => {
      grip.onpointermove = null
      if (this.width(name) !== width) this.#keep()
    }
  }

  /** Opens the menu of a column. */
  openMenu(index) { this.row.children[index]?.querySelector(".more").click() }

  /** Scrolls sideways until a column is in sight. */
  reveal(scroller, index) {
    const cell = this.row.children[index]
    if (!cell) return
    if (index < this.#pins && cell.style.left && this.#stuck) return
    const left = this.names.slice(0, index).reduce((sum, name) => sum + this.width(name), 0)
    const right = left + cell.offsetWidth
    if (left < scroller.scrollLeft + this.#stuck) scroller.scrollLeft = left - this.#stuck
    else if (right > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = right - scroller.clientWidth
  }
}

// How wide the contents of an element are, also where not all of them are seen.
function extent(element) {
  const range = document.createRange()
  range.selectNodeContents(element)
  return Math.ceil(range.getBoundingClientRect().width)
}

// Whether what there is are numbers.
function isNumeric(values) {
  const kinds = values.map(value => describe(value).kind).filter(kind => kind !== "null")
  return kinds.length > 0 && kinds.every(kind => kind === "number")
}

// As wide as nine tenths of the values need.
function widthOf(name, values, isKey) {
  const lengths = values.map(value => {
    const { kind, text, length } = describe(value)
    if (kind === "blob") return Math.min(46, 18 + length)
    // Figures are of one width, letters of many.
    return kind === "number" ? text.length * 1.12 : Math.min(60, [...text.slice(0, 80)].length)
  }).sort((a, b) => a - b)
  const typical = lengths[Math.floor((lengths.length - 1) * 0.9)] ?? 8
  return Math.round(Math.min(380, Math.max(72, typical * 7.6 + 26, Math.min(40, name.length) * 7.6 + (isKey ? 92 : 58))))
}
