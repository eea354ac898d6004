// The schema as a picture, which is moved and enlarged; the list of tables beside it says the same in words.
import { el, fill } from "./dom.js"
import { fileName, saveText } from "./copy.js"
import { diagramOf, drawDiagram } from "./diagramdraw.js"
import { keyOf } from "./sectile.js"
import { svg, fileOf } from "./svg.js"
import { tell } from "./announce.js"
import { number, plain } from "./values.js"

const margin = 16
const step = 60
const scales = { least: 0.08, most: 3 }
// The least scale at which names are read with ease.
const readable = 0.7
// From so many pixels on it is a drag, and no click.
const slack = 5

/** The way from the list to the diagram, and back. */
export const schemaTabs = app => el("p", { class: "panel-tabs" }, [["schema", "List"], ["diagram", "Diagram"]].map(([name, title]) =>
  el("button", { type: "button", class: "small", "aria-pressed": String(app.state.panel === name), onclick: () => app.change({ panel: name }) }, title)))

export class DiagramPanel {
  #view = { x: 0, y: 0, scale: 1 }
  #diagram = null
  #drawn = null
  #schema = null
  #shown = ""
  #current = null
  // Whether it is still as large as it was made to fit; then it goes on fitting.
  #fits = true
  // Where it was dragged from: null while nothing is dragged.
  #drag = null
  #wasDragged = false

  constructor(app) { this.app = app }

  /** Shows the diagram of all tables. */
  open(place) {
    const button = (title, label, run) => el("button", { type: "button", class: "small", "aria-label": label, title: label, onclick: run }, title)
    this.place = place
    this.#schema = null
    this.#shown = ""
    this.#fits = true
    this.surface = svg("svg", { class: "diagram", tabindex: "0", role: "group", "aria-label": "Diagram of the tables. The arrow keys move it; plus and minus change its size." })
    this.status = el("p", { class: "quiet" })
    fill(place, schemaTabs(this.app),
      el("div", { class: "diagram-tools" },
        button("−", "Smaller (−)", () => this.#zoom(1 / 1.25)), button("+", "Larger (+)", () => this.#zoom(1.25)), button("Fit", "All of it (0)", () => this.#fit()),
        button("Save as SVG", "Save as SVG", () => this.#save())),
      this.surface, this.status)
    this.#listen()
    const observer = new ResizeObserver(() => {
      if (this.#fits) this.#fit()
      else this.#move()
    })
    observer.observe(this.surface)
    this.follow()
    return () => observer.disconnect()
  }

  /** Another table is looked at, or the schema changed. */
  follow() {
    const { app } = this
    if (app.panels.current !== "diagram" || !this.place?.isConnected) return
    // It is read anew now and then, and seldom another one.
    if (app.schema !== this.#schema) {
      this.#schema = app.schema
      const shown = keyOf(app.schema.tables.map(({ rows, ...others }) => others))
      if (shown !== this.#shown) this.#draw()
      this.#shown = shown
    }
    if (this.#current === app.state.table) return
    this.#current = app.state.table
    this.#drawn.tables.forEach((table, i) => {
      const isCurrent = this.#diagram.boxes[i].table.name === app.state.table
      if (isCurrent) table.setAttribute("aria-current", "page")
      else table.removeAttribute("aria-current")
    })
  }

  #draw() {
    const { app, surface } = this
    this.#diagram = diagramOf(app.schema, app.state.table)
    const { boxes, links, linkCount, count, isAll } = this.#diagram
    const { width, height } = surface.getBoundingClientRect()
    this.#drawn = drawDiagram(this.#diagram, {
      family: getComputedStyle(surface).fontFamily, aspect: Math.min(2.5, Math.max(0.6, width / height || 1.5)), onOpen: name => this.#opened(name)
    })
    this.#current = null
    surface.classList.remove("has-highlight")
    surface.replaceChildren(this.#drawn.root)
    this.status.textContent = !count ? "There is no table that could be drawn."
      : `${isAll ? `${number(count)} table${count === 1 ? "" : "s"}` : `${number(boxes.length)} of ${number(count)} tables: those nearest to ${plain(app.state.table)}`}, ${links.length < linkCount ? `${number(links.length)} of ` : ""}${number(linkCount)} foreign key${linkCount === 1 ? "" : "s"}. `
        + "● is a key. Drag it, or move it with the arrow keys; Ctrl and the wheel, + and − change its size, 0 shows all of it. A click opens a table; arrow keys at a table go to the next one."
    if (this.#fits) this.#begin()
    else this.#move()
  }

  #opened(name) {
    if (this.#wasDragged) return
    this.app.choose(name)
    // There it lies above the rows.
    if (matchMedia("(max-width: 860px)").matches) this.app.closePanel()
  }

  // MARK: What is in sight

  // All of it where names can be read then; otherwise what is around the table that is open.
  #begin() {
    this.#fit()
    if (this.#view.scale >= readable) return
    const i = Math.max(0, this.#diagram.boxes.findIndex(({ table }) => table.name === this.app.state.table))
    const { width, height } = this.surface.getBoundingClientRect()
    const { x, y, width: wide, height: high } = this.#drawn.places[i]
    this.#view = { scale: readable, x: width / 2 - (x + wide / 2) * readable, y: height / 2 - (y + high / 2) * readable }
    this.#fits = false
    this.#move()
  }

  #fit() {
    const { width, height } = this.surface.getBoundingClientRect()
    const { width: wide, height: high } = this.#drawn
    const scale = Math.min(1, Math.max(scales.least, Math.min((width - 2 * margin) / (wide || 1), (height - 2 * margin) / (high || 1))))
    this.#view = { scale, x: Math.max(margin, (width - wide * scale) / 2), y: Math.max(margin, (height - high * scale) / 2) }
    this.#fits = true
    this.#move()
  }

  #zoom(factor, at) {
    const { width, height } = this.surface.getBoundingClientRect()
    const { x, y, scale } = this.#view
    const point = at ?? { x: width / 2, y: height / 2 }
    const next = Math.min(scales.most, Math.max(scales.least, scale * factor))
    // What is at the point stays there.
    this.#view = { scale: next, x: point.x - (point.x - x) * next / scale, y: point.y - (point.y - y) * next / scale }
    this.#fits = false
    this.#move()
  }

  #pan(x, y) {
    this.#view.x += x
    this.#view.y += y
    this.#fits = false
    this.#move()
  }

  // A piece of it stays in sight, wherever it is moved.
  #move() {
    const { width, height } = this.surface.getBoundingClientRect()
    const view = this.#view
    const kept = (value, size, room) => Math.min(Math.max(value, Math.min(margin, step - size)), Math.max(margin, room - step))
    view.x = kept(view.x, this.#drawn.width * view.scale, width)
    view.y = kept(view.y, this.#drawn.height * view.scale, height)
    this.#drawn.root.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`)
  }

  #reveal(i) {
    const { x, y, width, height } = this.#drawn.places[i]
    const { scale, ...view } = this.#view
    const room = this.surface.getBoundingClientRect()
    const off = (from, size, all) => (from < margin ? margin - from : from + size > all - margin ? Math.max(all - margin - size - from, margin - from) : 0)
    const dx = off(view.x + x * scale, width * scale, room.width)
    const dy = off(view.y + y * scale, height * scale, room.height)
    if (dx || dy) this.#pan(dx, dy)
  }

  // MARK: What people do

  #listen() {
    const { surface } = this
    surface.addEventListener("wheel", event => {
      event.preventDefault()
      const size = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1
      if (event.ctrlKey || event.metaKey) {
        const { left, top } = surface.getBoundingClientRect()
        this.#zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY * size)) / 240), { x: event.clientX - left, y: event.clientY - top })
      } else if (event.shiftKey) this.#pan(-event.deltaY * size, 0)
      else this.#pan(-event.deltaX * size, -event.deltaY * size)
    }, { passive: false })
    surface.addEventListener("pointerdown", event => {
      if (event.button) return
      this.#drag = { x: event.clientX, y: event.clientY, pointer: event.pointerId }
      this.#wasDragged = false
    })
    surface.addEventListener("pointermove", event => {
      const drag = this.#drag
      if (!drag || drag.pointer !== event.pointerId) return
      // It was let go elsewhere.
      if (!event.buttons) return void (this.#drag = null)
      const [x, y] = [event.clientX - drag.x, event.clientY - drag.y]
      if (!this.#wasDragged && Math.hypot(x, y) < slack) return
      // Only now: a click is the table's.
      if (!this.#wasDragged) surface.setPointerCapture(event.pointerId)
      this.#wasDragged = true
      this.#drag = { ...drag, x: event.clientX, y: event.clientY }
      this.#pan(x, y)
    })
    for (const name of ["pointerup", "pointercancel"]) surface.addEventListener(name, () => { this.#drag = null })
    surface.addEventListener("dragstart", event => event.preventDefault())
    // A drag that ends at a table opens none.
    surface.addEventListener("click", event => {
      if (!this.#wasDragged) return
      event.preventDefault()
      event.stopPropagation()
      this.#wasDragged = false
    }, { capture: true })
    surface.addEventListener("pointerover", event => this.#highlight(tableOf(event.target)))
    surface.addEventListener("pointerleave", () => this.#highlight(tableOf(document.activeElement)))
    surface.addEventListener("focusin", event => {
      const i = tableOf(event.target)
      this.#highlight(i)
      if (i === null) return
      this.#drawn.tables.forEach((table, at) => table.setAttribute("tabindex", at === i ? "0" : "-1"))
      if (!this.#drag) this.#reveal(i)
    })
    surface.addEventListener("focusout", () => this.#highlight(null))
    surface.addEventListener("keydown", event => this.#key(event))
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    const at = tableOf(event.target)
    if (way && at !== null && !event.shiftKey) this.#drawn.tables[this.#next(at, way)].focus({ preventScroll: true })
    else if (way) this.#pan(-way[0] * step, -way[1] * step)
    else if (event.key === "+" || event.key === "=") this.#zoom(1.25)
    else if (event.key === "-") this.#zoom(1 / 1.25)
    else if (event.key === "0") this.#fit()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  // The nearest table in a direction; this one where there is none.
  #next(at, [right, down]) {
    const { places } = this.#drawn
    const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 })
    const own = middle(places[at])
    let best = at
    let least = Infinity
    places.forEach((place, i) => {
      const { x, y } = middle(place)
      const ahead = (x - own.x) * right + (y - own.y) * down
      if (i === at || ahead <= 1) return
      const aside = Math.abs((x - own.x) * down) + Math.abs((y - own.y) * right)
      if (ahead + 2 * aside >= least) return
      least = ahead + 2 * aside
      best = i
    })
    return best
  }

  #highlight(i) {
    const { surface } = this
    surface.classList.toggle("has-highlight", i !== null)
    const near = new Set([i])
    this.#drawn.lines.forEach((line, at) => {
      const { from, to } = this.#diagram.links[at]
      const isOwn = i !== null && (from === i || to === i)
      line.classList.toggle("lit", isOwn)
      if (isOwn) near.add(from).add(to)
    })
    this.#drawn.tables.forEach((table, at) => table.classList.toggle("lit", near.has(at)))
  }

  #save() {
    const { width, height, root } = this.#drawn
    this.#highlight(null)
    saveText(fileOf(root, { x: -margin, y: -margin, width: Math.ceil(width + 2 * margin), height: Math.ceil(height + 2 * margin) }), `${fileName(this.app.schema.file)}.svg`)
    tell("Saved: the diagram.")
  }
}

// The number of the table that an element belongs to.
function tableOf(element) {
  const table = element?.closest?.(".diagram-table")
  return table ? Number(table.dataset.table) : null
}
