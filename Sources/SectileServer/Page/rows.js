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
