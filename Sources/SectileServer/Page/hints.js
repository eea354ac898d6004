// What can be done where there is nothing to see.
import { el, fill } from "./dom.js"
import { plain } from "./values.js"

/** What is said of a file without tables, and how to make one. */
export const noTables = file => el("div", { class: "empty-hint" }, el("p", {}, "There is no table."),
  el("p", { class: "hint" }, "Make one in a terminal. It appears here at once:"),
  el("pre", { class: "code" }, `sqlite3 ${shellWord(file)} "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)"`))

const shellWord = name => (/^[\w.-]+$/.test(name) ? name : `'${plain(name).replaceAll("'", "'\\''")}'`)

/** Says in a place why no row is shown, and what to do. It is left as it is where it says that already: its button may have the focus. */
export function sayEmpty(place, app) {
  const { state } = app
  const isFiltered = Boolean(state.filter.length || state.where || state.search)
  const said = isFiltered ? "filtered" : state.sql ? "query" : app.table?.kind === "view" ? "view" : "table"
  if (place.dataset.said === said) return
  place.dataset.said = said
  fill(place, "No rows. ", isFiltered
    ? ["No row meets the conditions and the search. ", el("button", {
      type: "button", class: "small", onclick: () => {
        // What is still being written is removed, too.
        for (const field of [app.toolbar.search, app.toolbar.where]) field.value = ""
        app.change({ filter: [], where: "", search: "" })
        app.grid.element.focus({ preventScroll: true })
      }
    }, "Remove conditions")]
    : { query: "The SELECT yields none now. They appear here as soon as it does.", view: "The view yields none now. They appear here as soon as it does.", table: "They appear here as soon as a program inserts them." }[said])
}
