// How the cells of a column look: with the row that a foreign key leads to beside it, and as what their values stand for.
import { el, here } from "./dom.js"
import { areSendable, conditionOf, foreignKeysOf, stateOf } from "./foreignkeys.js"
import { formatted, forms, rawOf } from "./formats.js"
import { readKept, writeKept } from "./kept.js"
import { Labels } from "./labels.js"
import { openMenu } from "./menu.js"
import { keyOf } from "./sectile.js"
import { writeState } from "./state.js"
import { describe, plain, showValue, visible } from "./values.js"

// How many pixels a label has beside its key, and a date instead of its number.
const roomOfLabel = 130
const roomOfForm = 60

export class Looks {
  #keys = []
  #begun = ""
  // The chosen form of a column, and the chosen label of the rows that it leads to.
  #forms = new Map()
  #chosen = new Map()

  constructor(app) {
    this.app = app
    this.labels = new Labels(app, { onChange: () => app.grid.redraw(), inSight: () => this.#inSight() })
  }

  #place(kind) { return `sectile.${kind}.${this.app.schema.source ?? this.app.schema.file}` }
  get #name() { return this.app.title ?? "" }

  /** Something else is looked at, or the schema is another one. */
  begin() {
    const { table, schema } = this.app
    const begun = keyOf([this.#place(""), this.#name, table?.foreignKeys ?? null])
    if (begun !== this.#begun) this.labels.begin()
    this.#begun = begun
    const texts = kind => new Map(readKept(this.#place(kind), this.#name).filter(([, choice]) => typeof choice === "string"))
    this.#forms = texts("forms")
    this.#chosen = texts("labels")
    this.#keys = foreignKeysOf(table, schema).map(key => ({ ...key, label: this.#labelOf(key) }))
  }

  // A column that was chosen and is gone is none.
  #labelOf({ columns, target }) {
    const chosen = this.#chosen.get(columns[0])
    return target.columns.some(each => each.name === chosen) ? chosen : undefined
  }

  /** The foreign key that a column is part of. */
  foreignKeyOf(name) { return this.#keys.find(each => each.columns.includes(name)) }

  /** How much wider a column is than its values are. */
  roomFor(name) {
    if (this.#keys.some(each => each.columns[0] === name)) return roomOfLabel
    return this.#forms.has(name) ? roomOfForm : 0
  }

  /** Whether what is shown in a column depends on others of the row. */
  followsRow(name) { return (this.foreignKeyOf(name)?.columns.length ?? 0) > 1 }

  // MARK: Cells

  /** Puts a value of a row into its cell. */
  show(cell, name, value, row, read) {
    if (cell.title) cell.removeAttribute("title")
    this.put(cell, name, value)
    const found = this.#targetOf(name, row, read)
    if (!found) return
    const { key, values, state } = found
    const known = areSendable(values) ? this.labels.of(key, values) : null
    const isFirst = key.columns[0] === name
    if (known && !known.isFound) {
      if (isFirst) cell.append(" ", el("span", { class: "key-label dangling" }, "no such row"))
      return
    }
    cell.replaceChildren(el("a", {
      class: "key-link", href: writeState(state), tabindex: "-1", title: `${plain(key.target.name)}: ${plain(state.where)}`, onclick: here(() => this.#go(state))
    }, [...cell.childNodes]), isFirst && known ? labelOf(known.label) : "")
  }

  /** Puts a value into a cell, in the form that was chosen for its column. */
  put(cell, name, value, allowsLinks = true) {
    showValue(cell, value)
    const form = this.#forms.get(name)
    const shown = form ? formatted(form, value, allowsLinks) : null
    if (shown === null) return
    cell.title = plain(describe(value).text)
    cell.replaceChildren(shown)
  }

  /** What a value stands for, as a text; null where it is shown as it is. */
  meaning(name, value) {
    const form = this.#forms.get(name)
    const shown = form ? formatted(form, value, false) : null
    return shown?.textContent ?? shown
  }

  /** What people wrote for a column of dates, as its values are; the text itself in other columns. */
  raw(name, text, isEnd) { return rawOf(this.#forms.get(name), text, isEnd) ?? text }

  // Where a cell leads; nothing where its key is NULL, or one of its columns is hidden.
  #targetOf(name, row, read) {
    const key = this.foreignKeyOf(name)
    if (!key || !row) return null
    const values = valuesOf(key, row, read)
    const where = conditionOf(key.targets, values)
    return where === null ? null : { key, values, state: stateOf(key.target, where) }
  }

  /** Goes to the row that the cell at the cursor leads to; returns whether there is one. */
  follow() {
    const { app } = this
    const { rank, column } = app.grid.cursor
    const row = app.grid.isHidden(rank) ? undefined : app.view?.row(rank)
    const found = row && this.#targetOf(app.grid.heads.names[column], row, app.view.columns)
    if (!found || (areSendable(found.values) && this.labels.of(found.key, found.values)?.isFound === false)) return false
    this.#go(found.state)
    return true
  }

  #go(state) {
    this.app.change(state)
    this.app.grid.element.focus({ preventScroll: true })
  }

  *#inSight() {
    const { grid, view } = this.app
    if (!view || !this.#keys.length) return
    for (const { from, count } of grid.inSight) {
      for (let rank = from; rank < from + count; rank++) {
        const row = view.row(rank)
        if (!row) continue
        for (const key of this.#keys) {
          const values = valuesOf(key, row, view.columns)
          if (areSendable(values) && conditionOf(key.targets, values) !== null) yield { key, values }
        }
      }
    }
  }

  // MARK: Choices

  /** Opens the menu of what the values of a column stand for. */
  openForms(anchor, name) {
    const current = this.#forms.get(name)
    const item = (form, title) => ({ title, isOn: form === current, run: () => this.#choose("forms", this.#forms, name, form) })
    openMenu(anchor, [item(undefined, "As it is stored"), null, ...forms.map(([form, title]) => item(form, title))], `Column ${plain(name)} is shown as`)
  }

  /** Opens the menu of what the rows are called that a column leads to. */
  openLabels(anchor, name) {
    const key = this.foreignKeyOf(name)
    if (!key) return
    const [first] = key.columns
    const item = (label, title) => ({ title, isOn: label === key.label, run: () => this.#choose("labels", this.#chosen, first, label) })
    openMenu(anchor, [item(undefined, "Its name or first text"), null, ...key.target.columns.filter(each => !each.hidden).map(each => item(each.name, plain(each.name)))],
      `Rows of ${plain(key.target.name)} are called by`)
  }

  #choose(kind, choices, name, choice) {
    if (choice === undefined) choices.delete(name)
    else choices.set(name, choice)
    writeKept(this.#place(kind), this.#name, choices)
    this.#keys = this.#keys.map(key => ({ ...key, label: this.#labelOf(key) }))
    this.labels.begin()
    this.app.grid.redraw()
    this.app.panels.refresh("inspector", "row", "facets")
  }
}

const valuesOf = (key, row, read) => key.columns.map(name => {
  const at = read.indexOf(name)
  return at < 0 ? undefined : row.cells[at]
})

function labelOf(label) {
  if (label === null || label === undefined) return ""
  const { kind, text } = describe(label)
  if (kind === "blob" || kind === "bytes" || text === "") return ""
  return el("span", { class: "key-label" }, visible(text.length > 80 ? `${text.slice(0, 80)}…` : text))
}
