// The picture of a schema: what is in it, and its elements.
import { here } from "./dom.js"
import { columnsOf, foreignKeysOf, isSameName } from "./foreignkeys.js"
import { layOut } from "./layering.js"
import { svg } from "./svg.js"
import { plain } from "./values.js"

const mostTables = 300
const mostLinks = 1000
const mostRows = 12
const mostLetters = 30
const titleHeight = 26
const rowHeight = 18
const inset = 10
// So much is left for the sign of a key.
const signWidth = 18

/** The tables that are drawn, each with the columns of its keys; and the foreign keys between them. `isAll` where none is left out. */
export function diagramOf(schema, current) {
  const all = schema.tables.filter(table => table.kind !== "view")
  const keys = new Map(all.map(table => [table, foreignKeysOf(table, schema)]))
  const tables = all.length > mostTables ? nearest(all, keys, current) : all
  const places = new Map(tables.map((table, i) => [table, i]))
  const referred = new Map(tables.map(table => [table, new Set()]))
  for (const table of tables) for (const { target, targets } of keys.get(table)) for (const name of targets) referred.get(target)?.add(name)
  const boxes = tables.map(table => boxOf(table, referred.get(table)))
  const links = tables.flatMap((table, from) => keys.get(table).filter(({ target }) => places.has(target)).map(({ columns, target, targets }) => {
    const to = places.get(target)
    return {
      from, to, fromY: heightOf(boxes[from], columns[0]), toY: heightOf(boxes[to], targets[0]),
      text: `${table.name} (${columns.join(", ")}) → ${target.name} (${targets.join(", ")})`
    }
  }))
  return { boxes, links: links.slice(0, mostLinks), linkCount: links.length, count: all.length, isAll: tables.length === all.length }
}

// The table that is looked at, those that keys connect it with, and so on; then others by their names.
function nearest(all, keys, current) {
  const near = new Map(all.map(table => [table, new Set()]))
  for (const table of all) {
    for (const { target } of keys.get(table)) {
      near.get(table).add(target)
      near.get(target)?.add(table)
    }
  }
  const found = new Set()
  for (const start of [...all.filter(table => table.name === current), ...all]) {
    const waiting = found.has(start) ? [] : [start]
    for (let i = 0; i < waiting.length && found.size < mostTables; i++) {
      if (found.has(waiting[i])) continue
      found.add(waiting[i])
      waiting.push(...near.get(waiting[i]))
    }
  }
  return all.filter(table => found.has(table))
}

function boxOf(table, referred) {
  const primary = new Set(columnsOf(table, []))
  const foreign = table.foreignKeys.flatMap(({ columns }) => columns)
  const isForeign = name => foreign.some(each => isSameName(each, name))
  const rows = table.columns.filter(({ name, hidden }) => !hidden && (primary.has(name) || referred.has(name) || isForeign(name)))
    .map(({ name }) => ({ name, isKey: primary.has(name), isForeign: isForeign(name) }))
  const shown = rows.slice(0, mostRows)
  return { table, rows: shown, more: rows.length - shown.length }
}

// How far below its upper edge a line ends that belongs to a column.
function heightOf(box, name) {
  const at = box.rows.findIndex(row => row.name === name)
  return titleHeight + rowHeight * ((at < 0 ? box.rows.length : at) + 0.5)
}

const shortened = name => {
  const letters = [...plain(name)]
  return letters.length > mostLetters ? `${letters.slice(0, mostLetters - 1).join("")}…` : letters.join("")
}

const widths = (() => {
  let context = null
  return (text, font) => {
    context ??= document.createElement("canvas").getContext("2d")
    if (!context) return text.length * 7
    context.font = font
    return context.measureText(text).width
  }
})()

/** Draws a diagram. Gives its root, its size, and of each table its link and its place. `onOpen` gets a table's name. */
export function drawDiagram({ boxes, links }, { family, aspect, onOpen }) {
  const measured = boxes.map(({ table, rows, more }) => ({
    width: Math.ceil(Math.max(110, widths(shortened(table.name), `600 13px ${family}`) + 2 * inset,
      ...rows.map(({ name }) => widths(shortened(name), `12px ${family}`) + 2 * inset + signWidth + 14)) + 4),
    height: titleHeight + rowHeight * (rows.length + (more ? 1 : 0)) + (rows.length ? 6 : 0)
  }))
  const layout = layOut(measured, links, aspect)
  const lines = links.map((link, i) => {
    const points = layout.paths[i]
    return svg("g", { class: "diagram-link", "data-from": link.from, "data-to": link.to },
      svg("title", {}, plain(link.text)),
      svg("path", { class: "diagram-reach", "data-unsaved": true, d: shapeOf(points) }),
      svg("path", { class: "diagram-line", d: shapeOf(points) }),
      svg("path", { class: "diagram-arrow", d: arrowAt(points.at(-1), Math.sign(points.at(-2).x - points.at(-1).x) || 1) }))
  })
  const tables = boxes.map((box, i) => tableAt(box, layout.boxes[i], i, onOpen))
  return {
    root: svg("g", {}, svg("g", {}, lines), svg("g", {}, tables)),
    lines, tables, width: layout.width, height: layout.height, places: layout.boxes
  }
}

function tableAt({ table, rows, more }, { x, y, width, height }, i, onOpen) {
  const text = (properties, words) => svg("text", properties, words)
  const foreign = rows.filter(row => row.isForeign).length
  const says = `${table.name}${foreign ? `, ${foreign} column${foreign === 1 ? "" : "s"} of foreign keys` : ""}`
  return svg("a", {
    class: "diagram-table", href: `?${new URLSearchParams({ table: table.name })}`, tabindex: i === 0 ? "0" : "-1", "data-table": i, "aria-label": plain(says),
    onclick: here(() => onOpen(table.name))
  }, svg("title", {}, plain(table.name)),
  svg("rect", { class: "diagram-box", x, y, width, height, rx: 7 }),
  text({ class: "diagram-name", x: x + inset, y: y + 18 }, shortened(table.name)),
  rows.length ? svg("path", { class: "diagram-rule", d: `M${x} ${y + titleHeight}h${width}` }) : null,
  rows.map(({ name, isKey, isForeign }, row) => [
    isKey ? svg("circle", { class: "diagram-key", cx: x + inset + 4, cy: y + titleHeight + rowHeight * (row + 0.5), r: 3 }) : null,
    text({ class: isForeign ? "diagram-column foreign" : "diagram-column", x: x + inset + signWidth, y: y + titleHeight + rowHeight * (row + 0.5) + 4 },
      shortened(name))
  ]),
  more ? text({ class: "diagram-column", x: x + inset + signWidth, y: y + titleHeight + rowHeight * (rows.length + 0.5) + 4 }, `${more} more`) : null)
}

// Between columns a curve, past a column a straight line.
function shapeOf(points) {
  const at = ({ x, y }) => `${round(x)} ${round(y)}`
  // One that comes back to its column.
  if (points.length === 4 && points[0].x === points[3].x) return `M${at(points[0])}C${at(points[1])} ${at(points[2])} ${at(points[3])}`
  let shape = `M${at(points[0])}`
  for (let i = 1; i < points.length; i++) {
    const [one, other] = [points[i - 1], points[i]]
    const middle = (one.x + other.x) / 2
    shape += i % 2 ? `C${at({ x: middle, y: one.y })} ${at({ x: middle, y: other.y })} ${at(other)}` : `L${at(other)}`
  }
  return shape
}

const round = value => Math.round(value * 10) / 10

const arrowAt = ({ x, y }, side) => `M${round(x)} ${round(y)}l${side * 8} -4v8z`
