// The panel at the side: one of several views, made when it is opened.
import { byID, el, fill } from "./dom.js"
import { ChartPanel } from "./chart.js"
import { DiagramPanel } from "./diagram.js"
import { showExplanation } from "./explain.js"
import { FacetPanel } from "./facets.js"
import { showHelp } from "./help.js"
import { showHistory } from "./history.js"
import { Inspector } from "./inspector.js"
import { RowPanel } from "./row.js"
import { showSchema } from "./schema.js"
import { showStatistics } from "./stats.js"
import { plain } from "./values.js"

const titles = { inspector: "Cell", row: "Row", schema: "Schema", explain: "Explain", history: "History", stats: "Statistics", help: "Help", facets: "Values", chart: "Chart", diagram: "Schema" }
// Which button opens a panel that has none of its own.
const owners = { diagram: "schema" }
const wide = ["diagram", "chart"]

export class Panels {
  #end = null

  constructor(app) {
    this.app = app
    this.element = byID("panel")
    this.inspector = new Inspector(app)
    this.row = new RowPanel(app)
    this.facets = new FacetPanel(app)
    this.chart = new ChartPanel(app)
    this.diagram = new DiagramPanel(app)
    this.current = ""
  }

  /** Shows a panel; an empty name shows none. */
  async show(name) {
    this.#end?.()
    this.#end = null
    this.current = titles[name] ? name : ""
    this.element.hidden = !this.current
    this.element.classList.toggle("wide", wide.includes(this.current))
    document.body.classList.toggle("has-panel", Boolean(this.current))
    for (const button of document.querySelectorAll("[data-panel]")) {
      button.setAttribute("aria-pressed", String(this.isOf(button.dataset.panel)))
    }
    if (!this.current) return this.element.replaceChildren()
    const body = el("div", { class: "panel-body", tabindex: "0" })
    fill(this.element, el("header", {}, el("h2", {}, titles[name]),
      el("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => this.app.closePanel() }, "×")), body)
    const show = { inspector: () => this.inspector.open(body), row: () => this.row.open(body), facets: () => this.facets.open(body), chart: () => this.chart.open(body), diagram: () => this.diagram.open(body), schema: showSchema, explain: showExplanation, history: showHistory, stats: showStatistics, help: showHelp }[name]
    try {
      const end = await show(body, this.app)
      if (typeof end !== "function") return
      if (body.isConnected) this.#end = end
      else end()
    } catch (error) {
      if (error.name === "AbortError") return
      fill(body, el("p", { class: "error" }, plain(error.message)), error.hint ? el("p", { class: "hint" }, plain(error.hint)) : null)
    }
  }

  /** The cursor is elsewhere, or what is in sight was changed. */
  follow() {
    this.inspector.follow()
    this.row.follow()
    this.facets.follow()
    this.chart.follow()
    this.diagram.follow()
  }

  /** Whether the panel that is shown is that of a button. */
  isOf(name) { return Boolean(this.current) && (owners[this.current] ?? this.current) === name }

  /** Shows it again, where the rows that are asked for are others. */
  refresh(...names) {
    // A picture stays where it was moved to.
    if (names.includes("schema")) this.diagram.follow()
    if (names.includes(this.current)) this.show(this.current)
  }
}
