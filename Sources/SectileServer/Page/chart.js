// A chart of the sections: one value of each, as bars or a line, as the sections are now.
import { el, fill } from "./dom.js"
import { drawChart } from "./chartdraw.js"
import { keyOf } from "./sectile.js"
import { quoted, titleOf } from "./state.js"
import { svg } from "./svg.js"
import { number, plain, total, visible } from "./values.js"

const mostSections = 200
const mostOffered = 12
// At most four times a second.
const interval = 250
const kinds = { bar: "Bars", line: "Line" }
const counts = "rows"

/** What the address says of a chart: its kind, and the aggregate; that of a count of rows is `rows`. */
export function readChart(text) {
  const at = text.indexOf(":")
  const kind = at < 0 ? text : text.slice(0, at)
  return { kind: Object.hasOwn(kinds, kind) ? kind : "bar", measure: at < 0 ? "" : text.slice(at + 1) }
}

/** A value as a number that can be drawn; null where it is none. */
export function drawable(value) {
  const real = typeof value === "number" ? value : Number(value?.$integer ?? value?.$real ?? NaN)
  return Number.isFinite(real) ? real : null
}

export class ChartPanel {
  #moment = ""
  #last = 0
  #timer = null
  #frame = 0
  #drawn = null
  // The section that is looked at, by its identity.
  #at = null

  constructor(app) { this.app = app }

  /** Shows the chart that the state names. */
  open(place) {
    this.place = place
    this.#moment = ""
    this.#last = 0
    this.#drawn = null
    this.controls = el("div", { class: "chart-controls" })
    this.surface = svg("svg", { class: "chart", tabindex: "0", role: "slider", "aria-label": "Section in the chart", "aria-valuemin": "1" })
    this.readout = el("p", { class: "chart-readout" })
    this.note = el("p", { class: "quiet" })
    this.surface.addEventListener("keydown", event => this.#key(event))
    this.surface.addEventListener("pointermove", event => this.#point(event))
    this.surface.addEventListener("click", event => {
      this.#point(event)
      this.#go()
    })
    this.follow()
    const observer = new ResizeObserver(() => this.#drawn && this.#soon())
    observer.observe(place)
    return () => {
      observer.disconnect()
      clearTimeout(this.#timer)
      cancelAnimationFrame(this.#frame)
      this.#timer = null
      this.#frame = 0
    }
  }

  get #isShown() { return Boolean(this.place?.isConnected) && this.app.panels.current === "chart" }

  /** The sections changed, or others are looked at. */
  follow() {
    if (!this.#isShown) return
    const { state, view } = this.app
    const moment = keyOf([state.chart, state["section-by"], state.table, state.sql, view?.request ?? null, view?.version ?? null, view?.isLoaded ?? false])
    if (moment === this.#moment) return
    this.#moment = moment
    this.#soon()
  }

  #soon() {
    if (this.#timer !== null || this.#frame) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0
        this.#last = performance.now()
        if (this.#isShown) this.#draw()
      })
    }, Math.max(0, this.#last + interval - performance.now()))
  }

  #draw() {
    const { state, view } = this.app
    if (!state["section-by"]) return this.#offer()
    if (!view?.isLoaded) {
      // The sections of something else are not those that are asked for.
      this.#drawn = null
      return fill(this.place, el("p", { class: "quiet" }, view ? "Reading …" : "There is no section to draw."))
    }
    const names = Object.keys(view.sections[0]?.header.aggregates ?? view.aggregates ?? {})
    const chart = readChart(state.chart)
    const measure = names.includes(chart.measure) ? chart.measure : chart.measure === counts || !names.length ? counts : names[0]
    const sections = view.sections.slice(0, mostSections).map(({ header, count }) => ({
      key: keyOf(header.identity), title: header.identity === null ? "NULL" : plain(header.title) || "(empty)", count,
      value: measure === counts ? count : drawable(header.aggregates?.[measure]),
      text: measure === counts ? number(count) : total(header.aggregates?.[measure] ?? null).text
    }))
    if (this.surface.parentNode !== this.place) fill(this.place, this.controls, this.readout, this.surface, this.note)
    this.#control(names, { ...chart, measure })
    const title = measure === counts ? "rows" : plain(measure)
    this.#drawn = { sections, measure: title, ...drawChart(this.surface, { kind: chart.kind, sections, measure: title, by: titleOf(state["section-by"]) }) }
    const missing = sections.filter(each => each.value === null).length
    const { length } = view.sections
    this.note.textContent = (!length ? "There is no section. " : length > mostSections ? `The first ${number(mostSections)} of ${number(length)} sections are drawn: sort or filter the rows to see others. ` : "")
      + (missing ? `${number(missing)} section${missing === 1 ? " has" : "s have"} no number to draw. ` : "")
      + (names.length ? "" : "The chart draws how many rows there are: add a total in the menu ▾ of a column to draw that. ")
      + "The headers of the sections contain the same values. The arrow keys go from section to section, and Enter goes to its rows."
    this.#show()
  }

  // Without sections there is nothing to draw.
  #offer() {
    const { app } = this
    this.#drawn = null
    fill(this.place, el("p", {}, "A chart shows one value for each section."), app.allColumns.length ? el("p", { class: "hint" }, "Group the rows by a column:") : null,
      app.columnNames.filter(name => name !== "*").slice(0, mostOffered).map(name =>
        el("button", { type: "button", class: "small", onclick: () => app.change({ "section-by": quoted(name) }) }, visible(name))))
  }

  // Made anew only where they say something else: one of them may have the focus.
  #control(names, { kind, measure }) {
    const { app, controls } = this
    const said = keyOf([names, kind, measure])
    if (controls.dataset.said === said) return
    controls.dataset.said = said
    const had = controls.contains(document.activeElement) ? document.activeElement.dataset.name : null
    const select = el("select", {
      "aria-label": "Value", "data-name": "measure", onchange: () => app.change({ chart: `${readChart(app.state.chart).kind}:${select.value}` })
    }, [counts, ...names].map(name => el("option", { value: name, selected: name === measure }, name === counts ? "number of rows" : plain(name))))
    fill(controls, Object.entries(kinds).map(([name, title]) => el("button", {
      type: "button", class: "small", "data-name": name, "aria-pressed": String(name === kind), onclick: () => app.change({ chart: `${name}:${readChart(app.state.chart).measure || measure}` })
    }, title)), select)
    if (had) [...controls.children].find(each => each.dataset.name === had)?.focus({ preventScroll: true })
  }

  // MARK: The section that is looked at

  get #index() { return this.#drawn ? this.#drawn.sections.findIndex(each => each.key === this.#at) : -1 }

  #look(i) {
    const section = this.#drawn?.sections[i]
    if (!section) return
    this.#at = section.key
    this.#show()
  }

  #show() {
    const { sections, measure, mark } = this.#drawn
    const i = this.#index
    const section = sections[i]
    mark(i)
    this.surface.setAttribute("aria-valuemax", String(Math.max(1, sections.length)))
    this.surface.setAttribute("aria-valuenow", String(Math.max(0, i) + 1))
    const says = section ? `${section.title}: ${measure} ${section.text}` : "Point at the chart to see a value"
    this.surface.setAttribute("aria-valuetext", says)
    fill(this.readout, section ? [el("strong", {}, section.title), ` ${section.text}`, el("span", { class: "quiet" }, ` ${measure}`)] : el("span", { class: "quiet" }, says))
  }

  #point(event) {
    if (!this.#drawn) return
    const { left } = this.surface.getBoundingClientRect()
    this.#look(this.#drawn.indexAt(event.clientX - left))
  }

  #key(event) {
    if (!this.#drawn || event.ctrlKey || event.metaKey || event.altKey) return
    const last = this.#drawn.sections.length - 1
    const i = this.#index
    const next = { ArrowLeft: Math.max(0, i - 1), ArrowDown: Math.max(0, i - 1), ArrowRight: Math.min(last, i + 1), ArrowUp: Math.min(last, i + 1), Home: 0, End: last }[event.key]
    if (event.key === "Enter" || event.key === " ") this.#go()
    else if (next !== undefined) this.#look(next)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  // Goes to the first row of the section in the table, as it is there now.
  #go() {
    const { view, grid } = this.app
    const i = view?.isLoaded ? view.sections.findIndex(({ header }) => keyOf(header.identity) === this.#at) : -1
    if (i >= 0) grid.moveTo(view.structure.start(i))
  }
}
