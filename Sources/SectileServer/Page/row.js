// One row as a whole: its columns, the rows that its keys lead to, and the rows that refer to it.
import { el, fill, here } from "./dom.js"
import { copyButton } from "./explain.js"
import { areSendable, columnsOf, conditionOf, foreignKeysOf, isSameName, stateOf } from "./foreignkeys.js"
import { lostWords } from "./rows.js"
import { getJSON, keyOf, queryOf } from "./sectile.js"
import { quoted, sqlValue, writeState } from "./state.js"
import { describe, number, plain, visible } from "./values.js"

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
      app.looks.put(value, name, cells[i], false)
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
    const valueOf = name => cells[names.findIndex(each => isSameName(each, name))]
    const links = []
    // In the order of the columns; SQLite tells of the last one first.
    const place = ({ columns }) => names.findIndex(name => isSameName(name, columns[0]))
    for (const { columns, target, targets } of foreignKeysOf(table, schema).toSorted((a, b) => place(a) - place(b))) {
      const values = columns.map(valueOf)
      const where = conditionOf(targets, values)
      const label = this.app.looks.foreignKeyOf(columns[0])?.label
      if (where !== null) links.push({ table: target, columns, targets, values, label, where, isParent: true, fact: el("span", { class: "quiet" }) })
    }
    for (const other of schema.tables) {
      for (const { columns, table: name, targetColumns } of other.foreignKeys) {
        if (!isSameName(name, table.name)) continue
        const values = columnsOf(table, targetColumns).map(valueOf)
        const where = conditionOf(columns, values)
        if (where !== null) links.push({ table: other, columns, targets: columns, values, where, isParent: false, fact: el("span", { class: "quiet" }) })
      }
    }
    return links.slice(0, most)
  }

  #draw(place, links) {
    const { app } = this
    const list = (title, shown) => (shown.length ? [el("h3", {}, title), el("ul", { class: "links" }, shown.map(({ table, columns, where, isParent, fact }) => {
      const state = stateOf(table, where)
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
    for (const { table, targets, values, label, isParent, fact } of links) {
      // Bytes that are no text are looked for by their condition alone.
      if (!areSendable(values)) continue
      try {
        const request = { table: table.name, column: targets, keys: JSON.stringify([values]) }
        if (isParent) {
          const { rows: [row] } = await getJSON(`${this.app.base}/labels?${queryOf({ ...request, label })}`, asking.signal)
          fact.textContent = row === undefined ? "not found in time" : row ? labelOf(row.label) : "there is no such row"
        } else {
          const { counts: [{ count, isMore }] } = await getJSON(`${this.app.base}/references?${queryOf(request)}`, asking.signal)
          fact.textContent = `${number(count)}${isMore ? "+" : ""}`
        }
      } catch (error) {
        if (error.name === "AbortError") return
        fact.textContent = plain(error.message)
      }
    }
  }
}

// What the other row is called.
function labelOf(label) {
  const { kind, text } = describe(label)
  if (kind === "null" || kind === "blob" || kind === "bytes") return ""
  return text.length > 60 ? `${plain(text.slice(0, 60))}…` : plain(text)
}
