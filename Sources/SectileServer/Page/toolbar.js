// The line above the table: search, condition, and what the rows are ordered, grouped and totalled by.
import { append, el } from "./dom.js"
import { canArrange, toggleColumn } from "./columns.js"
import { conditionForm, titleOfCondition } from "./conditions.js"
import { openMenu } from "./menu.js"
import { aggregates } from "./rows.js"
import { isColumn, quoted, readSort, showsAll, titleOf } from "./state.js"
import { number, plain } from "./values.js"

export class Toolbar {
  constructor(app, form) {
    this.app = app
    this.search = el("input", {
      id: "search", type: "search", placeholder: "Search", "aria-label": "Search in all columns", autocomplete: "off", spellcheck: "false"
    })
    this.where = el("input", {
      id: "where", type: "text", placeholder: "WHERE …", "aria-label": "Condition in SQL", autocomplete: "off",
      spellcheck: "false", autocapitalize: "off"
    })
    this.chips = el("div", { class: "chips" })
    this.foldAll = el("button", { type: "button", id: "fold-all", class: "fold-all", onclick: () => app.toggleAllFolds() })
    this.chart = el("button", { type: "button", id: "show-chart", class: "fold-all", title: "A value of each section as a chart", onclick: () => app.togglePanel("chart") }, "Chart")
    this.totals = el("p", { class: "totals" })
    this.error = el("p", { class: "error", role: "alert", hidden: true })
    append(form, [
      el("div", { class: "fields" }, this.search, this.where), el("div", { class: "line" }, this.chips, this.totals), this.error,
      el("button", { type: "submit", class: "unseen", tabindex: "-1" }, "Apply")
    ])
    let timer = null
    const apply = () => {
      clearTimeout(timer)
      app.change({ search: this.search.value.trim(), where: this.where.value.trim() })
    }
    this.search.addEventListener("input", () => {
      clearTimeout(timer)
      timer = setTimeout(apply, 350)
    })
    this.where.addEventListener("change", apply)
    form.addEventListener("submit", event => {
      event.preventDefault()
      apply()
    })
    form.addEventListener("keydown", event => {
      if (event.key !== "Escape" || !event.target.matches("input")) return
      if (event.target.value) {
        event.target.value = ""
        apply()
      } else {
        app.grid.element.focus()
      }
    })
  }

  /** Shows a state. */
  show(state) {
    for (const name of ["search", "where"]) if (document.activeElement !== this[name] || !this[name].value) this[name].value = state[name]
    const { app } = this
    this.chart.setAttribute("aria-pressed", String(state.panel === "chart"))
    const had = document.activeElement
    this.chips.replaceChildren(
      chip("Group", state["section-by"] ? titleOf(state["section-by"]) : null, anchor => this.#groupMenu(anchor), () => app.change({ "section-by": "" })),
      ...(state["section-by"] ? [this.foldAll, this.chart] : []),
      ...state.filter.map((condition, i) => chip("Where", titleOfCondition(condition),
        anchor => openMenu(anchor, [conditionForm(app, { at: i })], "Condition"), () => app.change({ filter: state.filter.toSpliced(i, 1) }))),
      // One in SQL is changed in its field.
      state.where ? chip("SQL", plain(state.where), () => this.where.focus(), () => {
        this.where.value = ""
        app.change({ where: "" })
      }) : "",
      app.allColumns.length ? chip("Where", null, anchor => openMenu(anchor, [conditionForm(app, {})], "New condition")) : "",
      ...state.sort.map((term, i) => {
        const { expression, isDescending } = readSort(term)
        return chip(i ? "then" : "Sort", `${titleOf(expression)} ${isDescending ? "↓" : "↑"}`,
          () => app.change({ sort: state.sort.with(i, isDescending ? expression : `${expression} DESC`) }),
          () => app.change({ sort: state.sort.toSpliced(i, 1) }))
      }),
      state.sort.length ? "" : chip("Sort", null, anchor => this.#sortMenu(anchor)),
      ...state.aggregate.map(aggregate => chip("Total", plain(aggregate), null, () => app.change({ aggregate: state.aggregate.filter(each => each !== aggregate) }))),
      app.table?.key.length === 0 || state.key.length
        ? chip("Key", state.key.length ? state.key.map(plain).join(", ") : null, anchor => this.#keyMenu(anchor), () => app.change({ key: [] })) : "",
      app.allColumns.length ? chip("Columns", this.#columnsText(state), anchor => this.#columnMenu(anchor), () => app.change({ column: [], pin: "" })) : "",
      state.limit ? chip("Limit", state.limit, null, () => app.change({ limit: "" })) : "")
    if (had === this.chart) this.chart.focus({ preventScroll: true })
  }

  /** Says what the button for all sections does. */
  fold(folds) {
    this.foldAll.textContent = folds.isEach ? "Unfold all" : "Fold all"
    this.foldAll.title = `${this.foldAll.textContent} sections (Shift+F)`
  }

  #columnsText(state) {
    const { columnNames: { length }, allColumns } = this.app
    if (showsAll(state)) return "all"
    if (!state.column.length) return state.pin ? "pinned" : null
    return length < allColumns.length ? `${length} of ${allColumns.length}` : "in another order"
  }

  /** Shows what all rows come to. */
  total(view) {
    const sections = this.app.state["section-by"] ? ` in ${number(view.sections.length)} section${view.sections.length === 1 ? "" : "s"}` : ""
    this.totals.replaceChildren(
      el("span", { class: "count" }, `${number(view.total)} row${view.total === 1 ? "" : "s"}${sections}`), ...aggregates(view.aggregates))
  }

  /** Shows an error, or none; `isAboutRows` where it ends when rows are read. */
  fail(error, isAboutRows = false) {
    this.isAboutRows = Boolean(error) && isAboutRows
    this.error.hidden = !error
    if (error) this.error.replaceChildren(plain(error.message), error.hint ? el("span", { class: "hint" }, ` ${plain(error.hint)}`) : "")
  }

  #groupMenu(anchor) {
    const { app } = this
    const current = app.state["section-by"]
    const input = el("input", { type: "text", placeholder: "or an expression", "aria-label": "Expression in SQL", value: current, spellcheck: "false" })
    openMenu(anchor, [
      ...app.allColumns.map(name => ({
        title: plain(name), isOn: isColumn(current, name),
        run: () => app.change({ "section-by": isColumn(current, name) ? "" : quoted(name) })
      })),
      null,
      el("form", {
        class: "menu-form",
        onsubmit: event => {
          event.preventDefault()
          app.change({ "section-by": input.value.trim() })
        }
      }, input, el("button", { type: "submit", class: "small" }, "Group"))
    ], "Group by")
  }

  // Which columns tell the rows apart: without them a view is shown by the place of its rows, and none is marked.
  #keyMenu(anchor) {
    const { app } = this
    const { key } = app.state
    openMenu(anchor, app.allColumns.map(name => ({
      title: plain(name), isOn: key.includes(name),
      run: () => app.change({ key: key.includes(name) ? key.filter(each => each !== name) : [...key, name] })
    })), "Rows are told apart by")
  }

  // All columns, those that are hidden too.
  #columnMenu(anchor) {
    const { app } = this
    const shown = new Set(app.columnNames)
    openMenu(anchor, [
      shown.size < app.allColumns.length ? { title: "Show all columns", run: () => app.change({ column: ["*"] }) } : el("span"),
      app.grid.heads.hasChosen ? { title: "Forget all widths", run: () => app.grid.heads.forget() } : el("span"),
      ...(canArrange(app) ? app.allColumns.map(name => ({ title: plain(name), isOn: shown.has(name), run: () => toggleColumn(app, name) })) : [])
    ], "Columns that are shown")
  }

  #sortMenu(anchor) {
    const { app } = this
    openMenu(anchor, app.allColumns.map(name => ({ title: plain(name), run: () => app.change({ sort: [quoted(name)] }) })), "Sort by")
  }
}

function chip(title, value, run, remove) {
  const button = el("button", { type: "button", class: "chip-main", "aria-haspopup": run?.length ? "menu" : null },
    el("span", { class: "chip-title" }, title), value === null ? "" : el("span", { class: "chip-value" }, value))
  if (run) button.addEventListener("click", () => run(button))
  else button.disabled = true
  return el("span", { class: value === null ? "chip vacant" : "chip" }, button,
    value !== null && remove ? el("button", { type: "button", class: "chip-remove", "aria-label": `Remove: ${title} ${value}`, onclick: remove }, "×") : null)
}
