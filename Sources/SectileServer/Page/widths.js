// How wide people have made columns: the browser remembers it for each table of a file. It may remember nothing.

const mostTables = 50

/** The widths of a table's columns, as they were kept. */
export function readWidths(place, table) {
  const kept = read(place).find(each => each[0] === table)?.[1]
  return new Map(Array.isArray(kept) ? kept.filter(each => Array.isArray(each) && typeof each[0] === "string" && each[1] >= 48 && each[1] <= 4000) : [])
}

/** Keeps the widths of a table's columns, and forgets those of tables that were not changed for longest. */
export function writeWidths(place, table, widths) {
  const others = read(place).filter(each => each[0] !== table)
  const kept = widths.size ? [[table, [...widths]], ...others] : others
  try {
    localStorage.setItem(place, JSON.stringify(kept.slice(0, mostTables)))
  } catch {
    // They last until the page is left.
  }
}

function read(place) {
  try {
    const all = JSON.parse(localStorage.getItem(place) ?? "[]")
    return Array.isArray(all) ? all.filter(Array.isArray) : []
  } catch {
    return []
  }
}
