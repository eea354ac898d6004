// The heads of the columns: names, order, widths.
import { el } from "./dom.js"
import { describe, visible } from "./values.js"
import { isColumn, readSort } from "./state.js"

export class Heads {
  #widths = new Map()
  #isMeasured = false
  #order = []
  #numeric = new Set()
  #cells = new Map()

  constructor(onHead) {
    this.onHead = onHead
    this.names = []
    this.row = el("div", { class: "heads-row", role: "row", "aria-rowindex": "1" })
    this.element = el("div", { class: "heads", role: "rowgroup" }, this.row)
  }

  /** Says what the order and the kinds of columns are; measures them anew. */
  begin(names, order, table) {
    this.names = []
    this.#order = order.map(readSort)
    this.table = table
    this.#isMeasured = false
    this.#widths.clear()
    this.#numeric.clear()
    this.columns(names, [])
  }

  /** Shows the columns; the first rows say how wide they are. Returns whether they were measured just now. */
  columns(names, sample) {
    const wasMeasured = this.#isMeasured
    if (!this.#isMeasured) {
      const rows = [...sample].slice(0, 60)
      if (rows.length) {
        names.forEach((name, i) => this.#widths.set(name, widthOf(name, rows.map(cells => cells[i]), this.#isKey(name))))
        // Names stand above their values.
        this.#numeric = new Set(names.filter((_, i) => isNumeric(rows.map(cells => cells[i]))))
        for (const [name, cell] of this.#cells) cell.classList.toggle("numeric", this.#numeric.has(name))
        this.#isMeasured = true
        this.#applyWidths(names)
      }
    }
    const isMeasured = this.#isMeasured && !wasMeasured
    if (names.length === this.names.length && names.every((name, i) => name === this.names[i])) return isMeasured
    this.names = names
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
      onclick: event => this.onHead({ name, index: i, element: button, isMenu: false, isMore: event.shiftKey })
    }, el("span", { class: "name" }, visible(name)),
    column?.key ? el("span", { class: "tag", title: "Part of the key" }, "key") : null,
    term ? el("span", { class: "arrow", "aria-hidden": "true" }, `${term.isDescending ? "↓" : "↑"}${this.#order.length > 1 ? place + 1 : ""}`) : null)
    const menu = el("button", {
      type: "button", tabindex: "-1", class: "more", "aria-haspopup": "menu", "aria-label": "Sort, group, filter",
      onclick: () => this.onHead({ name, index: i, element: menu, isMenu: true })
    }, "▾")
    const cell = el("div", {
      class: this.#numeric.has(name) ? "head-place numeric" : "head-place", role: "columnheader", "aria-colindex": i + 1, "aria-sort": direction, "data-column": name
    }, button, menu, el("span", { class: "grip", onpointerdown: event => this.#resize(event, name) }))
    this.#cells.set(name, cell)
    return cell
  }

  #applyWidths(names) {
    const widths = names.map(name => this.#widths.get(name) ?? 140)
    const style = document.documentElement.style
    style.setProperty("--columns", widths.map(width => `${width}px`).join(" ") || "1fr")
    style.setProperty("--width", `${widths.reduce((sum, width) => sum + width, 0)}px`)
  }

  #resize(event, name) {
    event.preventDefault()
    const grip = event.target
    const from = event.clientX
    const width = this.#widths.get(name) ?? 140
    grip.setPointerCapture(event.pointerId)
    grip.onpointermove = move => {
      this.#widths.set(name, Math.max(48, width + move.clientX - from))
      this.#applyWidths(this.names)
    }
    grip.onpointerup = grip.onpointercancel = () => {
      grip.onpointermove = null
    }
  }

  /** Opens the menu of a column. */
  openMenu(index) { this.row.children[index]?.querySelector(".more").click() }

  /** Scrolls sideways until a column is in sight. */
  reveal(scroller, index) {
    const cell = this.row.children[index]
    if (!cell) return
    const left = cell.offsetLeft
    const right = left + cell.offsetWidth
    if (left < scroller.scrollLeft) scroller.scrollLeft = left
    else if (right > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = right - scroller.clientWidth
  }
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
