// The schema: tables with their columns, indexes, keys and SQL.
import { el, fill } from "./dom.js"
import { noTables } from "./hints.js"
import { schemaTabs } from "./diagram.js"
import { number, plain, visible } from "./values.js"

export function showSchema(place, app) {
  const { schema } = app
  fill(place, schemaTabs(app),
    el("p", { class: "quiet" }, `${plain(schema.file)} · pages of ${number(schema.pageSize)} bytes: ${number(schema.pageCount)} · ${schema.hasLog ? "has a change log" : "no change log"}`),
    schema.tables.map(table => describeTable(table, table.name === app.state.table)),
    schema.tables.length ? null : noTables(schema.file))
}

function describeTable(table, isOpen) {
  const references = new Map(table.foreignKeys.flatMap(({ columns, table: target, targetColumns }) =>
    columns.map((column, i) => [column, `${target}${targetColumns[i] ? `.${targetColumns[i]}` : ""}`])))
  return el("details", { open: isOpen, class: "table" },
    el("summary", {}, el("strong", {}, visible(table.name)), el("span", { class: "quiet" }, ` ${table.kind}${table.rows === null ? "" : `, ${number(table.rows)} rows`}`)),
    table.followable === false ? el("p", { class: "hint" }, plain(table.why ?? "It cannot be followed.")) : null,
    el("table", { class: "plain" },
      el("thead", {}, el("tr", {}, ["Column", "Type", ""].map(title => el("th", { scope: "col" }, title)))),
      el("tbody", {}, table.columns.map(column => el("tr", {},
        el("td", {}, visible(column.name)), el("td", { class: "code" }, plain(column.type)),
        el("td", { class: "quiet" }, [
          column.key ? "key" : null, column.notNull ? "not null" : null, column.generated ? "generated" : null, column.hidden ? "hidden" : null,
          column.default === null ? null : `default ${plain(column.default)}`,
          references.has(column.name) ? `→ ${plain(references.get(column.name))}` : null
        ].filter(Boolean).join(", ")))))),
    table.indexes.map(index => el("p", { class: "index" }, el("span", { class: "tag" }, index.unique ? "unique" : "index"), " ", visible(index.name),
      el("span", { class: "quiet" }, ` (${index.columns.map(each => plain(each ?? "expression")).join(", ")})${index.partial ? ", partial" : ""}`))),
    table.sql ? el("pre", { class: "code" }, visible(table.sql, "\n\t")) : null)
}
