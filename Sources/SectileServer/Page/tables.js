// The list of tables.
import { el, fill } from "./dom.js"
import { number, visible } from "./values.js"

/** Shows the tables, the current one marked. */
export function showTables(place, schema, current, choose) {
  const item = table => el("li", {}, el("a", {
    href: `?${new URLSearchParams({ table: table.name })}`, "aria-current": table.name === current ? "page" : null,
    class: table.kind, title: table.followable === false ? table.why ?? "" : "",
    onclick: event => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return
      event.preventDefault()
      choose(table.name)
    }
  }, el("span", { class: "name" }, visible(table.name)),
  table.kind === "table" ? null : el("span", { class: "tag" }, table.kind),
  table.rows === null ? null : el("span", { class: "count" }, number(table.rows))))
  fill(place, el("ul", {}, schema.tables.map(item)), schema.tables.length ? null : el("p", { class: "empty" }, "There is no table."))
}
