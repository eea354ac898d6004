// The SELECT in the place of a table: what is written, and what was run before.
import { Completion } from "./completion.js"
import { append, el } from "./dom.js"
import { openMenu } from "./menu.js"
import { plain } from "./values.js"

const mostRemembered = 20

export class Editor {
  #shown = ""
  #ran = ""

  constructor(app, form) {
    this.app = app
    this.form = form
    this.text = el("textarea", {
      id: "sql", "aria-label": "SELECT", placeholder: "SELECT …", spellcheck: "false", autocapitalize: "off", autocomplete: "off"
    })
    this.recent = el("button", { type: "button", class: "small", "aria-haspopup": "menu", onclick: () => this.#openRecent() }, "Recent")
    this.fact = el("button", { type: "button", class: "fact", title: "What following it costs (E)", hidden: true, onclick: () => app.togglePanel("explain") })
    append(form, [
      this.text,
      el("div", { class: "line" }, el("button", { type: "submit", class: "small", title: "Run (Ctrl+Enter)" }, "Run"), this.recent, this.fact)
    ])
    form.addEventListener("submit", event => {
      event.preventDefault()
      this.#run()
    })
    this.text.addEventListener("input", () => this.#fit())
    this.completion = new Completion(this.text, () => app.schema.tables)
    this.text.addEventListener("keydown", event => {
      // The list of completions has taken the key.
      if (event.defaultPrevented) return
      if (event.key === "Escape") return app.grid.element.focus()
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      this.#run()
    })
  }

  /** Shows the SELECT of a state; hides where it has none. What is being written stays as it is. */
  show({ sql }) {
    this.form.hidden = !sql
    if (sql === this.#shown) return
    this.text.value = this.#shown = sql
    this.completion.close()
    this.fact.hidden = true
    this.#fit()
  }

  focus() { this.text.focus() }

  // Those of another file, which may be served at the same address, are not offered.
  get place() { return `sectile.queries.${this.app.schema.source ?? this.app.schema.file}` }

  /** Says how its rows are followed; remembers what was run here, and can be. */
  tell({ maintenance, outsideCommits }) {
    this.fact.hidden = !maintenance
    this.fact.textContent = !maintenance?.isIncremental ? "Read again at each commit: why?"
      : outsideCommits?.isFollowedByRow ? "Followed row by row" : "Read again at commits of other programs: why?"
    if (this.#ran !== this.#shown) return
    const { place } = this
    write(place, [this.#ran, ...read(place).filter(each => each !== this.#ran)].slice(0, mostRemembered))
  }

  #run() {
    const sql = this.text.value.trim()
    if (!sql) return
    this.#shown = this.#ran = sql
    this.fact.hidden = true
    if (sql === this.app.state.sql) this.app.again()
    else this.app.change({ sql })
  }

  #fit() { this.text.rows = Math.min(12, Math.max(3, this.text.value.split("\n").length)) }

  #openRecent() {
    const queries = read(this.place)
    openMenu(this.recent, queries.length ? queries.map(sql => ({ title: shortened(sql), run: () => this.app.showQuery(sql) }))
      : [el("p", { class: "menu-title" }, "None yet.")], "Queries that were run")
  }
}

function shortened(sql) {
  const line = plain(sql.replace(/\s+/g, " "))
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}

// A browser may keep nothing.
function read(place) {
  try {
    const queries = JSON.parse(localStorage.getItem(place) ?? "[]")
    return Array.isArray(queries) ? queries.filter(each => typeof each === "string") : []
  } catch {
    return []
  }
}

function write(place, queries) {
  try {
    localStorage.setItem(place, JSON.stringify(queries))
  } catch {
    // It is remembered by nobody.
  }
}
