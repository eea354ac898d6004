// The elements of rows and of section headers.
import { el } from "./dom.js"
import { keyOf } from "./sectile.js"
import { flash } from "./motion.js"
import { number, plain, showValue, total, visible } from "./values.js"

let lastID = 0

/** Brings the element of a row to what is held of it. */
export function drawRow(element, { rank, row }, columns, geometry) {
  const section = geometry.headHeight ? geometry.structure.path(rank).section + 1 : 0
  if (element.rank !== rank || element.section !== section) {
    element.rank = rank
    element.section = section
    element.setAttribute("aria-rowindex", rank + section + 2)
    element.classList.toggle("odd", rank % 2 === 1)
  }
  element.classList.toggle("stale", row?.stale ?? false)
  element.setAttribute("aria-busy", !row)
  if (element.row === row && element.columns === columns) return
  const before = element.columns === columns ? element.row : undefined
  element.row = row
  element.columns = columns
  if (row) element.dataset.id = row.key
  while (element.children.length > columns.length) element.lastElementChild.remove()
  while (element.children.length < columns.length) {
    element.append(el("div", {
      class: "cell", role: "gridcell", id: `c${++lastID}`, "aria-colindex": element.children.length + 1
    }))
  }
  if (!row) return
  columns.forEach((_, i) => {
    const cell = element.children[i]
    if (before && keyOf(before.cells[i]) === keyOf(row.cells[i])) return
    showValue(cell, row.cells[i])
    if (before?.key === row.key) flash(cell, "changed")
  })
}

/** Brings the element of a section's header to what is held of it. */
export function drawSection(element, { header, count }, section, geometry) {
  element.setAttribute("aria-rowindex", geometry.structure.start(section) + section + 2)
  const text = keyOf([header, count])
  if (element.shown === text) return
  element.shown = text
  element.dataset.identity = keyOf(header.identity)
  const title = header.identity === null ? el("span", { class: "title null" }, "NULL") : el("span", { class: "title" }, visible(header.title))
  if (header.identity !== null && header.title === "") title.append(el("span", { class: "tag" }, "empty"))
  element.replaceChildren(el("div", { class: "head-cell", role: "rowheader", "aria-colspan": "100" },
    title, el("span", { class: "count" }, number(count)), aggregates(header.aggregates)))
}

/** Aggregates with their names. */
export function aggregates(values) {
  return Object.entries(values ?? {}).map(([name, value]) => {
    const { text, exact } = total(value)
    return el("span", { class: "aggregate", title: `${plain(name)} = ${exact}` }, el("span", { class: "name" }, plain(name)), " ", text)
  })
}
