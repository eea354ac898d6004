// The most frequent values of a column, with how many rows have each: a click adds one to the condition, or takes it out.
import { chosenIn, toggledChoice } from "./conditions.js"
import { el, fill } from "./dom.js"
import { getJSON, keyOf, queryOf } from "./sectile.js"
import { requestOf } from "./state.js"
import { describe, number, plain, visible } from "./values.js"

const most = 50
// How far apart the values are counted at least, as rows change; and how often where none that is shown does.
const distance = 2000
const interval = 10_000

export class FacetPanel {
  #asked = ""
  #moment = ""
  #last = 0
  #timer = null
  #asking = null
  #answer = null
  // Whether rows changed while an answer was waited for.
  #isDue = false

  constructor(app) { this.app = app }

  /** Shows the values of the column that the state names. */
  open(place) {
    this.place = place
    this.#asked = this.#moment = ""
    this.#answer = null
    this.follow()
    // A value that is left out by the condition may be another one's, and no row that is shown changes.
    const ticks = setInterval(() => this.#isLive && !this.#asking && this.#soon(0), interval)
    return () => {
      clearInterval(ticks)
      clearTimeout(this.#timer)
      this.#timer = null
      this.#asking?.abort()
      this.#asking = null
    }
  }

  get #isShown() { return Boolean(this.place?.isConnected) && this.app.panels.current === "facets" }
  get #isLive() { return this.#isShown && !this.app.isPaused && this.app.view?.state === "open" && document.visibilityState === "visible" }

  // All conditions hold but the choice itself, so that others can be chosen.
  get #request() {
    const { state, table } = this.app
    const filter = state.filter.filter(text => !chosenIn(text, state.facet))
    const { sql, where } = requestOf({ ...state, filter }, table)
    return { table: state.table, sql, where, column: state.facet }
  }

  /** Something else is looked at, or the rows changed. */
  follow() {
    if (!this.#isShown) return
    const { app } = this
    if (!app.allColumns.includes(app.state.facet)) {
      this.#answer = null
      return fill(this.place, el("p", { class: "quiet" }, "Choose “Values …” in the menu ▾ of a column."))
    }
    const asked = queryOf(this.#request)
    const moment = keyOf([asked, app.state.filter, app.view?.version])
    if (moment === this.#moment) return
    this.#moment = moment
    if (asked === this.#asked) {
      if (this.#answer) this.#draw()
      return this.#soon(distance)
    }
    this.#asked = asked
    this.#answer = null
    fill(this.place, el("p", { class: "quiet" }, "Counting …"))
    this.#asking?.abort()
    this.#asking = null
    clearTimeout(this.#timer)
    this.#timer = null
    this.#last = 0
    this.#soon(distance)
  }

  #soon(distance) {
    this.#timer ??= setTimeout(() => this.#ask(), Math.max(50, this.#last + distance - performance.now()))
  }

  async #ask() {
    this.#timer = null
    if (!this.#isShown) return
    // An answer that takes long is waited for.
    if (this.#asking) return void (this.#isDue = true)
    this.#isDue = false
    const asked = this.#asked
    const asking = this.#asking = new AbortController()
    const start = performance.now()
    try {
      const answer = await getJSON(`${this.app.base}/facets?${queryOf(this.#request, { count: most })}`, asking.signal)
      if (!this.#isShown || asked !== this.#asked) return
      this.#answer = answer
      this.#draw()
    } catch (error) {
      if (error.name === "AbortError" || !this.#isShown || asked !== this.#asked) return
      this.#answer = null
      fill(this.place, el("p", { class: "error" }, plain(error.message)), error.hint ? el("p", { class: "hint" }, plain(error.hint)) : null)
    } finally {
      if (this.#asking === asking) {
        this.#asking = null
        // What takes long is not asked for all the time.
        this.#last = performance.now() + 4 * (performance.now() - start)
        if (this.#isDue && this.#isShown) this.#soon(distance)
      }
    }
  }

  #draw() {
    const { app } = this
    const name = app.state.facet
    const { values, distinct, rows, isComplete } = this.#answer
    const chosen = app.state.filter.map(text => chosenIn(text, name)).find(Boolean) ?? []
    const isChosen = value => chosen.some(each => keyOf(each) === keyOf(value))
    const known = new Set(values.map(each => keyOf(each.value)))
    const listed = [...chosen.filter(value => !known.has(keyOf(value))).map(value => ({ value, count: null })), ...values]
    const had = this.place.contains(document.activeElement) ? document.activeElement.dataset?.value : undefined
    fill(this.place,
      el("p", {}, el("strong", {}, visible(name)), el("span", { class: "quiet" },
        ` ${number(distinct)} value${distinct === 1 ? "" : "s"}${values.length < distinct ? `, the ${number(values.length)} most frequent` : ""}${isComplete ? "" : ` of the first ${number(rows)} rows`}`)),
      chosen.length ? el("button", { type: "button", class: "small", onclick: () => app.change({ filter: app.state.filter.filter(text => !chosenIn(text, name)) }) }, "All values") : null,
      el("ul", { class: "facets" }, listed.map(({ value, count }) => {
        const text = el("span", { class: "cell" })
        app.looks.put(text, name, value, false)
        return el("li", {}, el("button", {
          type: "button", role: "checkbox", "aria-checked": String(isChosen(value)), "data-value": keyOf(value), disabled: describe(value).isCut === true,
          onclick: () => {
            app.change({ filter: toggledChoice(app.state.filter, name, value) })
            this.follow()
          }
        }, text, el("span", { class: "count" }, count === null ? "–" : number(count))))
      })))
    if (had !== undefined) [...this.place.querySelectorAll("button")].find(each => each.dataset.value === had)?.focus({ preventScroll: true })
  }
}
