// One row as a whole: its columns, the rows that its keys lead to, and the rows that refer to it.
import { el, fill, here } from "./dom.js"
import { copyButton } from "./explain.js"
import { lostWords } from "./rows.js"
import { getJSON, keyOf, queryOf } from "./sectile.js"
import { literal, quoted, readState, writeState } from "./state.js"
import { describe, number, plain, showValue, visible } from "./values.js"

// So long the cursor rests on a row before others are asked for; and so many others are asked for.
const rest = 300
const most = 12

export class RowPanel {
  #shown = ""
  #timer = null
  #asking = null

  constructor(app) { this.app = app }

  /** Shows the row at the cursor. */
  open(place) {
    this.place = place
    this.#shown = ""
    this.follow()
    return () => this.#release()
  }

  /** The cursor is elsewhere, or the row was changed. */
  follow() {
    const { app, place } = this
    if (!place?.isConnected || app.panels.current !== "row") return
    if (app.grid.isHidden(app.grid.cursor.rank)) {
      this.#release()
      this.#shown = ""
      return fill(place, el("p", { class: "quiet" }, "The section is folded."))
    }
    const row = app.view?.row(app.grid.cursor.rank)
    if (!row) {
      const lost = app.view?.lost(app.grid.cursor.rank)
      if (lost) {
        this.#release()
        this.#shown = ""
        return fill(place, el("p", { class: "quiet" }, `The row was ${lostWords[lost]}.`))
      }
      if (!this.#shown) fill(place, el("p", { class: "quiet" }, app.view?.total === 0 ? "There is no row." : "The row is being read …"))
      return
    }
    const names = app.grid.heads.names
    const cells = app.grid.cells(row)
    const key = keyOf([row.id, cells, names, app.state.table, app.state.sql])
    if (key === this.#shown || row.stale) return
    this.#shown = key
    this.#release()
    const others = el("div", {})
    fill(place, this.#fields(names, cells), this.#hidden(names), this.#copies(names, cells), others)
    const links = this.#links(names, cells)
    if (!links.length) return
    this.#draw(others, links)
    this.#timer = setTimeout(() => this.#ask(links), rest)
  }

  #release() {
    clearTimeout(this.#timer)
    this.#asking?.abort()
    this.#asking = null
  }

  #fields(names, cells) {
    const { app } = this
    return el("dl", { class: "row-fields" }, names.map((name, i) => {
      const column = app.table?.columns.find(each => each.name === name)
      const value = el("dd", {
        class: "cell", title: "Look at the cell", onclick: () => {
          app.grid.moveTo(app.grid.cursor.rank, i)
          app.inspect()
        }
      })
      showValue(value, cells[i])
      return [el("dt", { title: column?.type ?? "" }, visible(name), column?.key ? el("span", { class: "tag" }, "key") : null), value]
    }))
  }

  #hidden(names) {
    const count = this.app.allColumns.length - names.length
    return count > 0 ? el("p", { class: "quiet" }, `${count} more column${count === 1 ? " is" : "s are"} hidden.`) : null
  }

  #copies(names, cells) {
    const { table } = this.app
    const values = cells.map(sqlValue)
    return el("p", {},
      copyButton(JSON.stringify(Object.fromEntries(names.map((name, i) => [name, cells[i]])), null, 2), "Copy as JSON"),
      table?.kind === "table" && !values.includes(undefined)
        ? copyButton(`INSERT INTO ${quoted(table.name)} (${names.map(quoted).join(", ")}) VALUES (${values.join(", ")});`, "Copy as SQL") : null)
  }

  // Where the row's foreign keys lead, and whose foreign keys lead here.
  #links(names, cells) {
    const { table, schema } = this.app
    if (table?.kind !== "table") return []
    const valueOf = name => {
      const at = names.findIndex(each => isSameName(each, name))
      return at < 0 ? undefined : sqlValue(cells[at])
    }
    const condition = (columns, values) => {
      if (!columns.length || columns.length !== values.length || values.some(value => value === undefined || value === "NULL")) return null
      return columns.map((column, i) => `${quoted(column)} = ${values[i]}`).join(" AND ")
    }
    const links = []
    // In the order of the columns; SQLite tells of the last one first.
    const place = ({ columns }) => names.findIndex(name => isSameName(name, columns[0]))
    for (const { columns, table: name, targetColumns } of table.foreignKeys.toSorted((a, b) => place(a) - place(b))) {
      const target = schema.tables.find(each => isSameName(each.name, name))
      const where = target && condition(columnsOf(target, targetColumns), columns.map(valueOf))
      if (where) links.push({ table: target, columns, where, isParent: true, fact: el("span", { class: "quiet" }) })
    }
    for (const other of schema.tables) {
      for (const { columns, table: name, targetColumns } of other.foreignKeys) {
        if (!isSameName(name, table.name)) continue
        const where = condition(columns, columnsOf(table, targetColumns).map(valueOf))
        if (where) links.push({ table: other, columns, where, isParent: false, fact: el("span", { class: "quiet" }) })
      }
    }
    return links.slice(0, most)
  }

  #draw(place, links) {
    const { app } = this
    const list = (title, shown) => (shown.length ? [el("h3", {}, title), el("ul", { class: "links" }, shown.map(({ table, columns, where, isParent, fact }) => {
      const state = { ...readState(""), table: table.name, where, panel: "row" }
      return el("li", {}, el("a", {
        href: writeState(state), onclick: here(() => {
          app.change(state)
          app.grid.element.focus({ preventScroll: true })
        })
      }, isParent ? [columns.map(plain).join(", "), " → ", visible(table.name)] : [visible(table.name), ` · ${columns.map(plain).join(", ")}`]), " ", fact)
    }))] : null)
    fill(place, list("Refers to", links.filter(link => link.isParent)), list("Referred to by", links.filter(link => !link.isParent)))
  }

  // Asks for the label of each row that is referred to, and how many rows refer to this one.
  async #ask(links) {
    const asking = this.#asking = new AbortController()
    for (const { table, where, isParent, fact } of links) {
      try {
        const { total, columns, rows } = await getJSON(`${this.app.base}/rows?${queryOf({ table: table.name, where, count: 1 })}`, asking.signal)
        fact.textContent = !isParent ? number(total) : total ? labelOf(table, columns, rows[0]?.cells ?? []) : "there is no such row"
      } catch (error) {
        if (error.name === "AbortError") return
        fact.textContent = plain(error.message)
      }
    }
  }
}

const isSameName = (one, other) => one.toLowerCase() === other.toLowerCase()

// Without names, those of the primary key are meant.
const columnsOf = (table, names) => (names.length ? names
  : table.columns.filter(column => column.key).sort((a, b) => a.key - b.key).map(column => column.name))

// What people call a row: its first text that is no part of its key.
function labelOf(table, columns, cells) {
  const isKey = name => table.columns.some(column => column.name === name && column.key)
  const at = columns.findIndex((name, i) => typeof cells[i] === "string" && cells[i] !== "" && !isKey(name))
  const text = at < 0 ? "" : plain(cells[at])
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

// A value as SQL has it; undefined where not all of it is here.
function sqlValue(value) {
  if (value?.$cut !== undefined || value?.$real === "nan") return undefined
  const { kind, text } = describe(value)
  if (kind === "null") return "NULL"
  // What is shown of an infinity is a sign.
  if (kind === "number") return value?.$real ?? text
  if (kind === "blob") return `x'${text}'`
  if (kind === "bytes") return `CAST(x'${text}' AS TEXT)`
  return text.includes("\0") ? undefined : literal(text)
}
