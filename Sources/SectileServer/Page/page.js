// The page: what is looked at, and who shows it. The state is the address; everything follows from it.
import { connect, getJSON, keyOf, pendingText, queryOf } from "./sectile.js"
import { canArrange, moveColumn, mostColumns, pinsOf, togglePin } from "./columns.js"
import { announce, say } from "./announce.js"
import { openColumnMenu, toggledSort } from "./columnmenu.js"
import { installCopy, openCopyMenu } from "./copy.js"
import { byID, el, fill } from "./dom.js"
import { Folds } from "./folds.js"
import { sayEmpty } from "./hints.js"
import { Looks } from "./looks.js"
import { installKeyboard } from "./keyboard.js"
import { closeMenu, openMenu } from "./menu.js"
import { togglePalette } from "./palette.js"
import { Panels } from "./panels.js"
import { Editor } from "./query.js"
import { noLog } from "./explain.js"
import { isSameRequest, keptOf, quoted, readState, requestOf, showsAll, stateHere, writeState } from "./state.js"
import { Table } from "./table.js"
import { showTables } from "./tables.js"
import { applyTheme } from "./theme.js"
import { Toolbar } from "./toolbar.js"
import { number, plain } from "./values.js"

class App {
  base = "/api"
  schema = { tables: [], file: "", hasLog: false }
  state = stateHere()
  view = null
  isPaused = false
  #writing = null
  #wasConnected = false
  // What the server says of the view or SELECT that is looked at; how often it was asked, and whether it is being asked.
  #said = null
  #asked = 0
  #isAsking = false
  #schemaReads = 0
  // Whether the server's file is another one whose schema is being read.
  #isOther = false
  #notices = { connection: "", file: "" }
  // What is shown of what waits while it is paused.
  #waiting = ""

  async start() {
    this.grid = new Table(byID("grid-place"), {
      onHead: head => this.#head(head),
      onMove: (name, to) => this.#arranging(() => moveColumn(this, name, to)),
      onFold: (header, rank) => this.toggleFold(header, rank),
      onInspect: () => this.inspect(),
      onCursor: () => this.panels.follow(),
      onScrolled: () => {
        this.#rememberPlace()
        if (this.isPaused && this.#waits() !== this.#waiting) this.#facts()
      },
      onSettled: () => this.panels.follow(),
      onEmpty: place => sayEmpty(place, this)
    })
    this.looks = this.grid.looks = new Looks(this)
    this.toolbar = new Toolbar(this, byID("query"))
    this.editor = new Editor(this, byID("editor"))
    this.panels = new Panels(this)
    applyTheme()
    installKeyboard(this)
    installCopy(this)
    byID("copy").addEventListener("click", () => openCopyMenu(this, byID("copy")))
    byID("commands").addEventListener("click", () => togglePalette(this))
    byID("pause").addEventListener("click", () => this.togglePause())
    byID("skip").addEventListener("click", event => {
      event.preventDefault()
      this.grid.element.focus({ preventScroll: true })
    })
    byID("tables-button").addEventListener("click", () => this.toggleTables())
    for (const button of document.querySelectorAll("[data-panel]")) {
      button.addEventListener("click", () => this.togglePanel(button.dataset.panel))
    }
    addEventListener("popstate", () => this.#go(stateHere()))
    this.connection = connect(this.base, { onState: (_, state) => this.#connected(state), onSource: () => this.#otherFile(), onSchema: () => this.#schemaChanged() })
    await this.#readSchema()
    this.#go(this.state)
    this.grid.element.focus({ preventScroll: true })
  }

  /** The table that is looked at; a SELECT is described as one. */
  get table() {
    const { sql, table } = this.state
    const found = sql ? { name: "Query", kind: "query", rows: null, columns: [], key: [] } : this.schema.tables.find(each => each.name === table)
    const said = found && this.#said?.of === this.#subject ? this.#said : null
    if (!said) return found
    return { ...found, key: said.key, columns: sql ? said.columns.map(name => ({ name, type: "" })) : found.columns }
  }

  get #subject() { return keyOf([this.state.table, this.state.sql]) }

  // Of a view and of a SELECT the server has to say what they have.
  get #hasToAsk() { return ["view", "query"].includes(this.table?.kind) }
  get #isUndescribed() { return this.#hasToAsk && this.#said?.of !== this.#subject }

  get allColumns() { return (this.table?.columns ?? []).filter(column => !column.hidden).map(column => column.name) }
  get columnNames() { return this.state.column.length && !showsAll(this.state) ? this.state.column : this.allColumns }
  /** Whether nothing tells the rows apart but their place: none is then marked. */
  get isByPlace() { return this.table?.key.length === 0 && !this.state.key.length }

  async #readSchema() {
    const number = ++this.#schemaReads
    for (let attempt = 0; ; attempt++) {
      try {
        const schema = await getJSON(`${this.base}/schema`)
        // Of two answers that of the later question is the newer one.
        if (number === this.#schemaReads) this.schema = schema
        break
      } catch (error) {
        this.#notice("connection", error.status === 401 ? unauthorized : plain(error.message))
        await new Promise(done => setTimeout(done, Math.min(5000, 500 * 2 ** attempt)))
      }
    }
    this.#stands()
    byID("file").textContent = plain(this.schema.file)
    document.querySelector("[data-panel=history]").hidden = !this.schema.hasLog
  }

  // MARK: The state

  /** Changes what is looked at. */
  change(changes) {
    const isOther = Object.keys(changes).some(name => keyOf(changes[name]) !== keyOf(this.state[name]))
    if (!isOther) return
    const state = { ...this.state, ...changes }
    // Sections of something else are others.
    if (state["section-by"] !== this.state["section-by"] && !changes.fold) state.fold = []
    const isSame = isSameRequest(state, this.state, this.table)
    // With other columns the rows are the same, in the same places.
    const isPlaced = !isSame && this.view?.isLoaded && isSameRequest({ ...state, column: [] }, { ...this.state, column: [] }, this.table)
    const { cursor, heads, first } = this.grid
    const name = heads.names[cursor.column]
    if (!isSame) state.at = state.item = ""
    if (isPlaced && first.rank > 0) state.at = String(first.rank)
    history.pushState(keptOf(state), "", writeState(state))
    this.#go(state)
    if (isPlaced) this.grid.cursor = { rank: cursor.rank, column: Math.max(0, this.columnNames.indexOf(name)) }
  }

  /** Goes to a SELECT of one's own, at first one of the table that is shown. */
  goToQuery() {
    this.toggleTables(false)
    if (!this.state.sql) this.showQuery(this.state.table ? `SELECT * FROM ${quoted(this.state.table)}` : "SELECT 1 AS value")
    this.editor.focus()
  }

  /** Shows the rows of a SELECT. */
  showQuery(sql) { this.change({ ...readState(""), sql, panel: this.state.panel === "explain" ? "explain" : "" }) }

  /** Asks for what is looked at once more. */
  again() {
    this.#forget()
    this.#empty()
    this.#go(this.state)
  }

  // Forgets what the server has said, and is about to say.
  #forget() {
    this.#said = null
    this.#asked++
    this.#isAsking = false
  }

  /** Goes to another table. */
  choose(table) {
    this.change({ ...readState(""), table, panel: ["schema", "diagram"].includes(this.state.panel) ? this.state.panel : "" })
    this.toggleTables(false)
    this.grid.element.focus({ preventScroll: true })
  }

  async #go(state) {
    const before = this.state
    this.state = state
    if (state.table !== before.table || state.sql !== before.sql) this.#forget()
    if (!state.table && !state.sql && this.schema.tables.length) {
      state.table = (this.schema.tables.find(table => table.followable !== false) ?? this.schema.tables[0]).name
    }
    // More are not to be read at a glance; the menu of a column shows them all.
    if (state.column.length === 0 && this.allColumns.length > mostColumns) state.column = this.allColumns.slice(0, mostColumns)
    this.#entitle()
    showTables(byID("tables"), this)
    this.editor.show(state)
    this.toolbar.show(state)
    const folds = new Folds(state.fold)
    this.toolbar.fold(folds)
    this.grid.arrange(this.columnNames, pinsOf(state))
    const isUndescribed = this.#isUndescribed
    if (isUndescribed) this.#empty()
    else if (!this.view || !isSameRequest(state, before, this.table)) this.#open()
    else if (keyOf(state.fold) !== keyOf(this.grid.folds.list)) this.grid.fold(folds)
    if (state.panel !== this.panels.current) this.panels.show(state.panel)
    else this.panels.follow()
    if (isUndescribed && await this.#describe()) this.#go(this.state)
  }

  // Asks what a view or a SELECT has: its columns, and what tells its rows apart. False where that cannot be said, and
  // where it was asked once more, or something else is looked at by then.
  async #describe() {
    const { table, sql } = this.state
    const of = this.#subject
    const number = ++this.#asked
    this.#isAsking = true
    this.#stands()
    for (;;) {
      const said = await getJSON(`${this.base}/explain?${queryOf({ table, sql })}`).catch(error => ({ error }))
      if (number !== this.#asked) return false
      if (!said.error) {
        this.#isAsking = false
        this.#said = { of, columns: said.columns, key: said.key }
        if (sql) this.editor.tell(said)
        return true
      }
      if (!passing.has(said.error.status)) {
        this.#isAsking = false
        this.#empty()
        this.toolbar.fail(said.error)
        this.#stands()
        return false
      }
      // What is shown goes on meanwhile.
      if (!this.view) this.toolbar.fail(said.error)
      await new Promise(done => setTimeout(done, 1000))
      if (number !== this.#asked) return false
    }
  }

  // Widths of another file, which may be served at the same address, are not taken.
  #beginHeads() {
    this.looks.begin()
    this.grid.heads.begin(this.columnNames, this.state.sort, this.table, `sectile.widths.${this.schema.source ?? this.schema.file}`, pinsOf(this.state))
  }

  /** What is looked at, by its name. */
  get title() { return this.state.sql ? "Query" : this.state.table }

  #entitle() { document.title = this.title ? `${plain(this.title)} · ${plain(this.schema.file)}` : "Sectile" }

  // Shows no rows, and none of what was shown.
  #empty() {
    this.view?.close()
    this.view = null
    this.grid.clear()
    this.toolbar.totals.replaceChildren()
  }

  #open() {
    const { state } = this
    const before = this.view
    this.toolbar.fail(null)
    if (!this.title) return
    const at = Math.max(0, Number.parseInt(state.at, 10) || 0)
    this.#beginHeads()
    let hasOpened = false
    this.view = this.connection.open(requestOf(state, this.table), {
      onReset: view => {
        if (view !== this.view) return
        this.toolbar.fail(null)
        this.toolbar.total(view)
        this.grid.reset()
        if (!hasOpened && state.inspect) this.grid.moveTo(Number(state.item) || at, this.columnNames.indexOf(state.inspect))
        if (!hasOpened) say(`${plain(this.title)}: ${number(view.total)} rows.`)
        hasOpened = true
        this.#facts()
      },
      onState: view => view === this.view && this.#stands(),
      onChanges: (view, step) => {
        if (view !== this.view) return
        this.toolbar.total(view)
        this.grid.follow(step)
        announce(step, () => view.total)
        this.#facts()
      },
      onRows: view => {
        if (view !== this.view) return
        this.grid.arrived()
        if (this.toolbar.isAboutRows) this.toolbar.fail(null)
      },
      onError: (view, error) => {
        if (view !== this.view) return
        this.toolbar.fail(error, view.isLoaded)
        this.grid.element.classList.remove("loading")
      },
      onRecovered: view => view === this.view && this.toolbar.fail(null),
      onWaiting: view => {
        if (view !== this.view) return
        // Rows that are being read may be lost by now.
        this.grid.draw()
        this.#facts()
      }
    })
    before?.close()
    // What is asked for now is another view, which nobody has paused.
    this.#setPaused(false)
    this.grid.show(this.view, Boolean(state["section-by"]), at, !this.isByPlace, new Folds(state.fold))
    this.panels.refresh("explain", "inspector", "row")
  }

  async #schemaChanged() {
    const before = keyOf(this.schema.tables.map(({ rows, ...others }) => others))
    await this.#readSchema()
    const isSame = keyOf(this.schema.tables.map(({ rows, ...others }) => others)) === before
    // A view that was refused meanwhile, as between two renames, is asked for once more.
    const isRefused = this.view?.state === "refused"
    if (isSame && !this.#isUndescribed && !isRefused) return
    showTables(byID("tables"), this)
    if (this.state.table && !this.table) return this.#gone()
    if (this.#hasToAsk && !await this.#describe()) return
    // A table that came after the page was opened is known by now, and so is whether it has a key.
    this.toolbar.show(this.state)
    this.grid.arrange(this.columnNames, pinsOf(this.state))
    if (!this.view || isRefused) this.#open()
    this.#beginHeads()
    this.panels.refresh("schema", "explain")
    say("The schema changed.")
  }

  // The table that was shown is dropped: its rows are no more. When it is there again, so are they.
  #gone() {
    this.#empty()
    this.panels.refresh("schema")
    this.toolbar.fail({
      message: `There is no table “${this.state.table}” in the file any more.`, hint: "Choose another one; it is shown again when it is back."
    })
    this.#facts()
    say("The table is gone.")
  }

  // The server was started anew with another file: nothing that is shown is of it.
  async #otherFile() {
    const before = this.schema.file
    this.#isOther = true
    this.#forget()
    this.#empty()
    await this.#readSchema()
    this.#isOther = false
    const after = this.schema.file
    const text = before === after
      ? `This is another file now, of the same name: ${plain(after)}. The server was started anew with it.`
      : `This is another file now: ${plain(after)}, not ${plain(before)}. The server was started anew with it.`
    this.#notice("file", text)
    say(text)
    this.#go(this.state)
  }

  // The place is part of the address, but no step of the browser's history.
  #rememberPlace() {
    clearTimeout(this.#writing)
    this.#writing = setTimeout(() => {
      const { rank } = this.grid.first
      this.state.at = rank > 0 ? String(rank) : ""
      if (this.panels.current === "inspector") this.#rememberCell()
      this.#rewrite()
    }, 300)
  }

  #rewrite() { history.replaceState(keptOf(this.state), "", writeState(this.state)) }

  #rememberCell() {
    this.state.item = String(this.grid.cursor.rank)
    this.state.inspect = this.grid.heads.names[this.grid.cursor.column] ?? ""
  }

  // MARK: What people do

  #head({ name, element, isMenu, isMore }) {
    if (isMenu) openColumnMenu(this, element, name)
    else this.change({ sort: toggledSort(this.state.sort, name, isMore) })
  }

  sortByCursor() {
    const name = this.grid.heads.names[this.grid.cursor.column]
    if (name !== undefined) this.change({ sort: toggledSort(this.state.sort, name, false) })
  }

  /** Asks for the number of a row, counted from 1 over all sections, and goes there; its section is unfolded. */
  askForRow() {
    if (!this.view?.total) return
    const input = el("input", {
      type: "number", min: "1", max: String(this.view.total), required: true, "aria-label": "Number of a row", placeholder: `1 – ${number(this.view.total)}`
    })
    const go = event => {
      event.preventDefault()
      closeMenu()
      this.grid.element.focus({ preventScroll: true })
      const rank = Math.min(Math.max(1, Math.trunc(input.valueAsNumber) || 1), this.view.total) - 1
      if (this.grid.isHidden(rank)) this.toggleFold(this.view.sections[this.view.structure.path(rank).section].header, rank)
      this.grid.moveTo(rank)
    }
    openMenu(this.grid.heads.element, [el("form", { class: "menu-form", novalidate: true, onsubmit: go }, el("span", {}, "Row"), input, el("button", { type: "submit", class: "small" }, "Go"))], "Go to a row")
  }

  nextSection(step) {
    const { structure } = this.view
    if (!structure.total) return
    const { section, item } = structure.path(this.grid.cursor.rank)
    const target = step < 0 && item > 0 ? section : section + step
    this.grid.moveTo(structure.start(Math.min(Math.max(0, target), structure.sections.length - 1)))
  }

  // MARK: Sections

  /** Folds the section of a header, or unfolds it; it stays where it is. `rank` is that of one of its rows. */
  toggleFold(header, rank) {
    const folds = this.grid.folds.toggling(header)
    this.#fold(folds, rank)
    const section = this.view.sections.find(each => each.header === header)
    say(`${header.identity === null ? "NULL" : plain(header.title)} ${folds.has(header) ? "folded" : "unfolded"}${section ? `, ${number(section.count)} rows` : ""}.`)
  }

  foldAtCursor() {
    const { rank } = this.grid.cursor
    if (!this.state["section-by"] || !this.view?.total) return
    this.toggleFold(this.view.sections[this.view.structure.path(rank).section].header, rank)
  }

  /** Folds all sections, those too that are still to come; or unfolds them. */
  toggleAllFolds() {
    if (!this.state["section-by"] || !this.view) return
    const folds = this.grid.folds.togglingAll()
    this.#fold(folds)
    say(folds.isEach ? "All sections are folded." : "No section is folded.")
  }

  // What is folded is part of the address, but no step of the browser's history.
  #fold(folds, rank) {
    this.state.fold = folds.list
    this.#rewrite()
    this.toolbar.fold(folds)
    this.grid.fold(folds, rank)
    this.#rememberPlace()
    this.panels.follow()
  }

  // MARK: Columns

  get #columnAtCursor() { return this.grid.heads.names[this.grid.cursor.column] }

  // The cursor stays in its column, and that in sight.
  #arranging(run) {
    if (!canArrange(this)) return say("There are too many columns for an order of one's own: hide some of them.")
    run()
    if (this.view?.total) this.grid.moveTo(this.grid.cursor.rank)
  }

  moveColumn(step) {
    const name = this.#columnAtCursor
    if (name === undefined) return
    this.#arranging(() => moveColumn(this, name, this.columnNames.indexOf(name) + step))
    say(`${plain(name)}: column ${this.columnNames.indexOf(name) + 1} of ${this.columnNames.length}.`)
  }

  pinColumn() {
    const name = this.#columnAtCursor
    if (name === undefined) return
    this.#arranging(() => togglePin(this, name))
    say(`${plain(name)} ${this.columnNames.indexOf(name) < pinsOf(this.state) ? "stays at the left" : "is not pinned"}.`)
  }

  widenColumn(step) {
    const name = this.#columnAtCursor
    if (name !== undefined) this.grid.heads.widen(name, this.grid.heads.width(name) + step)
  }

  fitColumn() {
    const name = this.#columnAtCursor
    if (name !== undefined) this.grid.heads.fit(name)
  }

  /** Goes to the row that the cell at the cursor leads to, or looks at the cell. */
  enter() { if (!this.looks.follow()) this.inspect() }

  inspect() {
    if (!this.view?.total) return
    if (this.grid.isHidden(this.grid.cursor.rank)) return this.foldAtCursor()
    this.#rememberCell()
    this.change({ panel: "inspector", item: this.state.item, inspect: this.state.inspect })
  }

  togglePanel(name) { this.change({ panel: this.panels.isOf(name) ? "" : name }) }

  closePanel() {
    this.toggleTables(false)
    if (!this.panels.current) return
    this.change({ panel: "", inspect: "", item: "", facet: "", chart: "" })
    this.grid.element.focus({ preventScroll: true })
  }

  toggleTables(isOpen = !document.body.classList.contains("has-tables")) {
    document.body.classList.toggle("has-tables", isOpen)
    byID("tables-button").setAttribute("aria-expanded", String(isOpen))
    if (isOpen) byID("tables").querySelector("a[aria-current], a")?.focus()
  }

  togglePause() { this.#setPaused(!this.isPaused) }

  #setPaused(isPaused) {
    if (isPaused !== this.isPaused) {
      this.isPaused = isPaused
      const waiting = isPaused ? "" : this.#waits()
      if (isPaused) this.view?.pause()
      else this.view?.resume()
      say(isPaused ? "Paused." : waiting ? `Live: ${waiting}.` : "Live.")
      // Rows that are not here may be lost now, or be read again.
      this.grid.draw()
    }
    byID("pause").setAttribute("aria-pressed", String(isPaused))
    byID("pause").textContent = isPaused ? "Resume" : "Pause"
    byID("pause").title = isPaused ? "Show what has changed (P)" : "Pause (P)"
    document.body.classList.toggle("is-paused", isPaused)
    this.#facts()
  }

  // What waits while it is paused, and how much of it is in sight: "12 new, 3 changed; 4 in sight".
  #waits() {
    const pending = this.view?.pending
    if (!pending) return ""
    const counts = this.grid.inSight.map(({ from, count }) => this.view.pendingWithin(from, count))
    const inSight = counts.includes(null) ? null : counts.reduce((sum, count) => sum + count, 0)
    return `${pendingText(pending)}${inSight === null ? "" : `; ${number(inSight)} in sight`}`
  }

  // MARK: How it stands

  #connected(state) {
    this.#stands()
    if (state !== "open") return
    // What happened meanwhile to the tables nobody has told.
    if (this.#wasConnected && !this.#isOther) this.#schemaChanged()
    this.#wasConnected = true
  }

  // How what is shown stands; a table that is not there has no rows that could be live.
  get #standing() {
    const state = this.view?.state ?? this.connection?.state ?? "connecting"
    return this.view || state !== "open" ? state : this.#isAsking || !this.title ? "reading" : "refused"
  }

  #stands() {
    this.#notice("connection", reasons[this.#standing] ?? "")
    this.#facts()
  }

  #facts() {
    const { view } = this
    const standing = this.#standing
    this.#countTable()
    // What is held back can only be what is told.
    const state = this.isPaused && standing === "open" ? "paused" : standing
    this.#waiting = this.isPaused ? this.#waits() : ""
    fill(byID("facts"), el("span", { class: `dot ${state}` }), el("span", { class: "state" }, words[state]),
      this.#waiting ? el("span", { class: "quiet pending" }, ` ${this.#waiting}`) : "",
      view?.isLoaded && view.total >= manyRows && !this.schema.hasLog
        ? el("button", { type: "button", class: "small no-log", title: noLog(this.schema.file), onclick: () => this.togglePanel("explain") }, "no change log")
        : "")
  }

  // What the list of tables says of this one, where all of it is shown.
  #countTable() {
    const { state, view, table } = this
    if (!view?.isLoaded || state.where || state.filter.length || state.search || state.limit || !table || table.rows === null) return
    const count = byID("tables").querySelector("a[aria-current] .count")
    if (count) count.textContent = number(view.total)
  }

  #notice(kind, text) {
    this.#notices[kind] = text
    const shown = ["connection", "file"].find(each => this.#notices[each])
    byID("notice").hidden = !shown
    fill(byID("notice"), el("span", {}, this.#notices[shown] ?? ""), shown === "file"
      ? el("button", { type: "button", class: "small", onclick: () => this.#notice("file", "") }, "I see") : null)
  }
}

const words = {
  open: "Live", connecting: "Connecting …", waiting: "Waiting for other pages …", lost: "Not live: trying to connect again …",
  asleep: "Asleep", unauthorized: "Not let in", paused: "Paused", closed: "Ended", reading: "Reading …", slow: "Waiting for an answer …",
  refused: "Not shown"
}

const unauthorized =
  "The server was started anew and does not know this browser. Open the address that it printed last in this browser; this page then goes on by itself."

// Why a page is not live, where somebody can do something about it.
const reasons = {
  unauthorized,
  waiting: "Other pages of this browser follow the server already, and a browser has six connections for one server. Close one of them, or look at this page alone: it then goes on by itself.",
  slow: "The server has not answered for five seconds. It may be reading still, or other pages of this browser have all connections to it: close or hide some of them.",
  lost: "The server is not heard of: what is shown may be out of date."
}

// Errors that pass: there is no answer, the browser is not known, too much is asked for, others have the file.
const passing = new Set([0, 401, 429, 503])

// From how many rows on it is felt that all are read again at each commit of another program.
const manyRows = 10_000

const app = new App()
// For tests, and for those who look at the page with their browser's tools.
globalThis.sectile = app
await app.start()
