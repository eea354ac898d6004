// The elements of a chart, and its scale.
import { svg } from "./svg.js"

const edges = { top: 14, right: 12, bottom: 46, left: 64 }
const mostTicks = 12
const labelWidth = 74

/** The values at which lines are drawn between two values: round ones, or the two where there are none. */
export function ticksOf(low, high, wanted = 5) {
  // Halves, since the distance of two finite numbers may not be one.
  const rough = (high / 2 - low / 2) / wanted * 2
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map(each => each * size).find(each => each >= rough)
  if (!(rough > 0) || !Number.isFinite(step) || step === 0) return low === high ? [low] : [low, high]
  const ticks = []
  const first = Math.ceil(low / step)
  for (let i = 0; i < mostTicks; i++) {
    const tick = (first + i) * step
    if (!(tick <= high)) break
    ticks.push(tick)
  }
  return ticks.length ? ticks : [low, high]
}

/** The least and the greatest value that a chart shows. Bars stand on zero. */
export function domainOf(values, kind) {
  const all = values.filter(value => value !== null)
  let low = all.length ? all.reduce((a, b) => Math.min(a, b)) : 0
  let high = all.length ? all.reduce((a, b) => Math.max(a, b)) : 1
  // A line shows how values differ; where they begin near zero, so does it.
  if (kind === "bar" || (low > 0 && low < high / 2)) low = Math.min(0, low)
  if (kind === "bar" || (high < 0 && high > low / 2)) high = Math.max(0, high)
  if (low < high) return { low, high }
  const some = Math.abs(low) / 10 || 1
  return { low: low - some, high: Number.isFinite(high + some) ? high + some : high }
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 })
const exact = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 })

/** A value beside its line. */
export function tickText(value) {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return value.toExponential(2).replace("e+", "e")
  return size >= 1e6 ? compact.format(value) : exact.format(value)
}

const short = (text, most) => {
  const letters = [...text.slice(0, 4 * most)]
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text
}

/**
 * Draws values of sections. Gives `indexAt`, the number of the section at a place from the left, and `mark`, which marks one.
 */
export function drawChart(surface, { kind, sections, measure, by }) {
  const { width, height } = surface.getBoundingClientRect()
  const room = { width: Math.max(40, width - edges.left - edges.right), height: Math.max(40, height - edges.top - edges.bottom) }
  const { low, high } = domainOf(sections.map(each => each.value), kind)
  const y = value => edges.top + room.height * (1 - (value / 2 - low / 2) / (high / 2 - low / 2))
  const step = room.width / Math.max(1, sections.length)
  const x = i => edges.left + step * (i + 0.5)
  const zero = y(Math.min(Math.max(0, low), high))
  const lines = ticksOf(low, high, Math.max(2, Math.floor(room.height / 44))).map(tick => [
    svg("path", { class: tick === 0 ? "chart-zero" : "chart-grid", d: `M${edges.left} ${y(tick)}h${room.width}` }),
    svg("text", { class: "chart-label", "text-anchor": "end", x: edges.left - 7, y: y(tick) + 4 }, tickText(tick))
  ])
  const every = Math.max(1, Math.ceil(labelWidth / step))
  const letters = Math.max(3, Math.floor(Math.max(labelWidth, step) / 7.5))
  const labels = sections.flatMap(({ title }, i) => (i % every || (i && x(i) > edges.left + room.width - 12) ? [] : [
    svg("text", { class: "chart-label", "text-anchor": "middle", x: Math.max(x(i), 4 + Math.min(letters, title.length) * 3.6), y: edges.top + room.height + 17 }, short(title, letters))
  ]))
  const marks = sections.map(({ value }, i) => {
    if (value === null) return null
    if (kind === "line") return svg("circle", { class: "chart-point", cx: x(i), cy: y(value), r: sections.length > 80 ? 1.5 : 3 })
    const [top, bottom] = [Math.min(y(value), zero), Math.max(y(value), zero)]
    return svg("rect", { class: "chart-bar", x: edges.left + step * (i + 0.1), width: Math.max(0.5, step * 0.8), y: top, height: Math.max(1, bottom - top) })
  })
  const cursor = svg("path", { class: "chart-cursor", visibility: "hidden" })
  surface.replaceChildren(svg("g", { "aria-hidden": "true" }, lines, cursor,
    kind === "line" ? svg("path", { class: "chart-line", d: lineOf(sections, x, y) }) : null, marks, labels,
    svg("text", { class: "chart-label", "text-anchor": "middle", x: edges.left + room.width / 2, y: edges.top + room.height + 37 }, short(by, 60)),
    svg("text", { class: "chart-label", "text-anchor": "middle", transform: `translate(13 ${edges.top + room.height / 2}) rotate(-90)` }, short(measure, 40))))
  let marked = null
  return {
    indexAt: left => Math.min(Math.max(0, Math.floor((left - edges.left) / step)), sections.length - 1),
    mark(i) {
      marked?.classList.remove("lit")
      marked = marks[i] ?? null
      marked?.classList.add("lit")
      cursor.setAttribute("visibility", i >= 0 ? "visible" : "hidden")
      if (i >= 0) cursor.setAttribute("d", `M${x(i)} ${edges.top}v${room.height}`)
    }
  }
}

// A line that is broken where there is no value.
function lineOf(sections, x, y) {
  let shape = ""
  let isOn = false
  sections.forEach(({ value }, i) => {
    if (value !== null) shape += `${isOn ? "L" : "M"}${x(i)} ${y(value)}`
    isOn = value !== null
  })
  return shape
}
