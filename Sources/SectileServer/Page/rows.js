// The elements of rows and of section headers.
import { el } from "./dom.js"
import { keyOf } from "./sectile.js"
import { flash } from "./motion.js"
import { number, plain, showValue, total, visible } from "./values.js"

let lastID = 0

/** Why a row of a page that is paused is not shown. */
export const lostWords = {
  deleted: "deleted since the pause, before it was read", changed: "changed since the pause, before it was read",
  unknown: "not read before the pause"
}

/** Brings the element of a row to what is held of it. */
export function drawRow(element, { rank, row, lost }, columns, geometry) {
  const section = geometry.headHeight ? geometry.structure.path(rank).section + 1 : 0
  if (element.rank !== rank || element.section !== section) {
    element.rank = rank
    element.section = section
    element.setAttribute("aria-rowindex", rank + section + 2)
    element.classList.toggle("odd", rank % 2 === 1)
  }
  element.classList.toggle("stale", row?.stale ?? false)
  element.setAttribute("aria-busy", !row && !lost)
  if (!row && element.lost !== lost) {
    element.lost = lost
    element.classList.toggle("lost", Boolean(lost))
    if (lost) element.dataset.lost = lostWords[lost]
    else delete element.dataset.lost
    if (lost) element.setAttribute("aria-label", lostWords[lost])
    else element.removeAttribute("aria-label")
  }
  if (element.row === row && element.columns === columns) return
  const { names, places, pins, read, looks } = columns
  const before = element.columns === columns ? element.row : undefined
  element.row = row
  element.columns = columns
  if (row) element.dataset.id = row.key
  while (element.children.length > names.length) element.lastElementChild.remove()
  while (element.children.length < names.length) {
    element.append(el("div", {
      class: "cell", role: "gridcell", id: `c${++lastID}`, "aria-colindex": element.children.length + 1
    }))
  }
  if (element.pins !== pins) {
    element.pins = pins;
    [...element.children].forEach((cell, i) => stick(cell, i, pins))
  }
  if (!row) return
  places.forEach((place, i) => {
    const cell = element.children[i]
    const isSame = Boolean(before) && keyOf(before.cells[place]) === keyOf(row.cells[place])
    if (isSame && !looks?.followsRow(names[i])) return
    if (looks) looks.show(cell, names[i], row.cells[place], row, read)
    else showValue(cell, row.cells[place])
    if (!isSame && before?.key === row.key) flash(cell, "changed")
  })
}

/** Lets a cell stay at the left edge, where it is one of so many that do. */
export function stick(cell, i, pins) {
  cell.classList.toggle("stuck", i < pins)
  cell.classList.toggle("last-stuck", i === pins - 1)
  cell.style.left = i < pins ? `var(--left-${i})` : ""
}

/** Brings the element of a section's header to what is held of it. */
export function drawSection(element, { header, count }, section, geometry) {
  element.setAttribute("aria-rowindex", geometry.structure.start(section) + section + 2)
  const isFolded = geometry.isFolded(section)
  const text = keyOf([header, count, isFolded])
  element.header = header
  element.start = geometry.structure.start(section)
  if (element.shown === text) return
  element.shown = text
  element.classList.toggle("folded", isFolded)
  element.dataset.identity = keyOf(header.identity)
  const title = header.identity === null ? el("span", { class: "title null" }, "NULL") : el("span", { class: "title" }, visible(header.title))
  if (header.identity !== null && header.title === "") title.append(el("span", { class: "tag" }, "empty"))
  const fold = el("button", { type: "button", class: "fold", tabindex: "-1", "aria-expanded": String(!isFolded), title: isFolded ? "Unfold (F)" : "Fold (F)" },
    el("span", { class: "fold-sign", "aria-hidden": "true" }, isFolded ? "▸" : "▾"), title)
  element.replaceChildren(el("div", { class: "head-cell", role: "rowheader", "aria-colspan": "100", id: `h${++lastID}` },
    fold, el("span", { class: "count" }, number(count)), aggregates(header.aggregates)))
}

/** Aggregates with their names. */
export function aggregates(values) {
  return Object.entries(values ?? {}).map(([name, value]) => {
    const { text, exact } = total(value)
    return el("span", { class: "aggregate", title: `${plain(name)} = ${exact}` }, el("span", { class: "name" }, plain(name)), " ", text)
  })
}
