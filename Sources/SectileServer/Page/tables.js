// The list of tables.
import { el, fill, here } from "./dom.js"
import { noTables } from "./hints.js"
import { number, visible } from "./values.js"

/** Shows the tables, the current one marked, and the way to a SELECT. */
export function showTables(place, app) {
  const { schema, state } = app
  const item = table => el("li", {}, el("a", {
    href: `?${new URLSearchParams({ table: table.name })}`, "aria-current": table.name === state.table ? "page" : null,
    class: table.kind, title: table.followable === false ? table.why ?? "" : "",
    onclick: here(() => app.choose(table.name))
  }, el("span", { class: "name" }, visible(table.name)),
  table.kind === "table" ? null : el("span", { class: "tag" }, table.kind),
  table.rows === null ? null : el("span", { class: "count" }, number(table.rows))))
  fill(place, el("ul", {}, schema.tables.map(item)), schema.tables.length ? null : noTables(schema.file),
    el("button", {
      type: "button", class: "query", "aria-current": state.sql ? "page" : null, title: "Write a SELECT, and see its rows live (Q)", onclick: () => app.goToQuery()
    }, "Query …"))
}
