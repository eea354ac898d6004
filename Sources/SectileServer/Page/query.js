// The SELECT in the place of a table: what is written, and what was run before.
import { append, el } from "./dom.js"
import { openMenu } from "./menu.js"
import { plain } from "./values.js"

const mostRemembered = 20
const storage = "sectile.queries"

export class Editor {
  #shown = ""

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
    this.text.addEventListener("keydown", event => {
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
    this.fact.hidden = true
    this.#fit()
  }

  focus() { this.text.focus() }

  /** Says how its rows are followed, and remembers it: it is one that the server can run. */
  tell({ maintenance, outsideCommits }) {
    this.fact.hidden = !maintenance
    this.fact.textContent = !maintenance?.isIncremental ? "Read again at each commit: why?"
      : outsideCommits?.isFollowedByRow ? "Followed row by row" : "Read again at commits of other programs: why?"
    write([this.#shown, ...read().filter(each => each !== this.#shown)].slice(0, mostRemembered))
  }

  #run() {
    const sql = this.text.value.trim()
    if (!sql) return
    this.#shown = sql
    if (sql === this.app.state.sql) this.app.again()
    else this.app.change({ sql })
  }

  #fit() { this.text.rows = Math.min(12, Math.max(3, this.text.value.split("\n").length)) }

  #openRecent() {
    const queries = read()
    openMenu(this.recent, queries.length ? queries.map(sql => ({ title: shortened(sql), run: () => this.app.showQuery(sql) }))
      : [el("p", { class: "menu-title" }, "None yet.")], "Queries that were run")
  }
}

function shortened(sql) {
  const line = plain(sql.replace(/\s+/g, " "))
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}

// A browser may keep nothing.
function read() {
  try {
    const queries = JSON.parse(localStorage.getItem(storage) ?? "[]")
    return Array.isArray(queries) ? queries.filter(each => typeof each === "string") : []
  } catch {
    return []
  }
}

function write(queries) {
  try {
    localStorage.setItem(storage, JSON.stringify(queries))
  } catch {
    // It is remembered by nobody.
  }
}
