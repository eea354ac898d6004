// Which columns are shown, in which order, and how many of them stay at the left edge.
import { showsAll } from "./state.js"

// An address names no more columns than a server takes parameters.
const mostNamed = 150
/** More are not to be read at a glance. */
export const mostColumns = 60

/** How many columns stay at the left edge. */
export const pinsOf = state => Math.max(0, Number.parseInt(state.pin, 10) || 0)

/** Whether columns can be told in another order. */
export const canArrange = app => app.columnNames.length <= mostNamed

// The address is short where it can be: it names no columns where all are shown as the table has them.
function arrange(app, names, pins) {
  const all = app.allColumns
  const isPlain = names.length === all.length && names.every((name, i) => name === all[i])
  const isPlainNow = !app.state.column.length || showsAll(app.state)
  const column = !isPlain ? names : isPlainNow ? app.state.column : all.length > mostColumns ? ["*"] : []
  if (column.length > mostNamed) return
  app.change({ column, pin: pins > 0 ? String(Math.min(pins, names.length)) : "" })
}

/** Puts a column at a place among the others. Between those that stay it stays, and elsewhere it does not. */
export function moveColumn(app, name, to) {
  const names = app.columnNames
  const from = names.indexOf(name)
  const others = names.filter(each => each !== name)
  const place = Math.min(Math.max(0, to), others.length)
  if (from < 0 || place === from) return
  const pins = pinsOf(app.state)
  const wasPinned = from < pins
  const before = pins - (wasPinned ? 1 : 0)
  arrange(app, others.toSpliced(place, 0, name), before + (place < before || (place === before && wasPinned) ? 1 : 0))
}

/** Lets a column stay at the left edge, or scroll with the others again. */
export function togglePin(app, name) {
  const names = app.columnNames
  const pins = pinsOf(app.state)
  const isPinned = names.indexOf(name) < pins
  const others = names.filter(each => each !== name)
  arrange(app, others.toSpliced(isPinned ? pins - 1 : pins, 0, name), pins + (isPinned ? -1 : 1))
}

/** Hides a column, or shows it again: behind the one that the table has before it. */
export function toggleColumn(app, name) {
  const names = app.columnNames
  const pins = pinsOf(app.state)
  const at = names.indexOf(name)
  if (at >= 0) {
    if (names.length > 1) arrange(app, names.toSpliced(at, 1), pins - (at < pins ? 1 : 0))
    return
  }
  const all = app.allColumns
  const before = all.slice(0, all.indexOf(name)).findLast(each => names.includes(each))
  const place = names.indexOf(before) + 1
  arrange(app, names.toSpliced(place, 0, name), pins + (place < pins ? 1 : 0))
}
