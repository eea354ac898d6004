// What people have chosen for the columns of a table: the browser remembers it for each table of a file. It may remember nothing.

const mostTables = 50

/** What was kept for a table, as pairs: the name of a column, and what was chosen for it. */
export function readKept(place, table) {
  const kept = read(place).find(each => each[0] === table)?.[1]
  return Array.isArray(kept) ? kept.filter(each => Array.isArray(each) && typeof each[0] === "string") : []
}

/** Keeps the choices for a table's columns, and forgets those of tables that were not changed for longest. */
export function writeKept(place, table, choices) {
  const others = read(place).filter(each => each[0] !== table)
  const kept = choices.size ? [[table, [...choices]], ...others] : others
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
