// Copies what is shown, and saves it: a cell, rows, a section, all rows. What is copied is made here of rows that are held or
// read; all rows and sections are saved by the server, which writes a file as long as it takes.
import { tell } from "./announce.js"
import { el } from "./dom.js"
import { closeMenu, openMenu } from "./menu.js"
import { formats, hexadecimal, sqlValue, textOf, valueText } from "./rowtext.js"
import { SectileError, getJSON, keyOf, queryOf } from "./sectile.js"
import { readSort } from "./state.js"
import { describe, number, plain } from "./values.js"

// So much is copied at once, and made here for a file.
const mostRows = 10_000
const mostBytes = 32_000_000
const pageSize = 1000
const attempts = 5

/** What can be copied now: `cell`, `rows`, `section`, `all`, each with its title. */
export function scopes(app) {
  const { grid, view, state } = app
  if (!view?.total) return {}
  const count = grid.selection.count
  const found = { cell: "Cell", rows: count > 1 ? `${number(count)} selected rows` : "Row" }
  if (grid.isHidden(grid.cursor.rank)) delete found.cell
  if (state["section-by"]) found.section = `Section ${sectionTitle(app)}`
  found.all = `All ${number(view.total)} rows`
  return found
}

const sectionAt = app => app.view.sections[app.view.structure.path(app.grid.cursor.rank).section]

function sectionTitle(app) {
  const { identity, title } = sectionAt(app).header
  const text = identity === null ? "NULL" : plain(title)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** Asks what to copy or save, and in which format. */
export function openCopyMenu(app, anchor) {
  const found = scopes(app)
  if (!found.all) return tell("There are no rows to copy.")
  const choice = (label, entries) => el("select", { "aria-label": label }, Object.entries(entries).map(([value, title]) => el("option", { value }, title)))
  const scope = choice("What", found)
  const format = choice("Format", Object.fromEntries(Object.entries(formats).map(([name, { title }]) => [name, title])))
  scope.value = app.grid.selection.count > 1 ? "rows" : "all"
  const run = action => () => {
    closeMenu()
    app.grid.element.focus({ preventScroll: true })
    action(app, scope.value, format.value)
  }
  openMenu(anchor, [el("form", {
    class: "menu-form", onsubmit: event => {
      event.preventDefault()
      run(copy)()
    }
  }, scope, format, el("button", { type: "submit", class: "small" }, "Copy"),
  el("button", { type: "button", class: "small", onclick: run(save) }, "Save"))], "Copy or save rows")
}

/** Copies through the clipboard. */
export async function copy(app, scope, format) {
  try {
    const { text, says } = await made(app, scope, format)
    await put(text)
    tell(`Copied: ${says}.`)
  } catch (error) {
    tell(error.hint ? `${plain(error.message)}. ${plain(error.hint)}` : plain(error.message))
  }
}

/** Saves as a file: all rows and sections come from the server, as they are now. */
export async function save(app, scope, format) {
  const request = exportRequest(app, scope)
  const { server, ending } = formats[format]
  if (request && server) return download(`${app.base}/export?${queryOf(request, { format: server })}`, "")
  try {
    const { text, says } = await made(app, scope, format)
    saveText(text, `${fileName(app.title)}.${ending}`)
    tell(`Saved: ${says}.`)
  } catch (error) {
    tell(error.hint ? `${plain(error.message)}. ${plain(error.hint)}` : plain(error.message))
  }
}

/** Saves a text as a file. */
export function saveText(text, name) {
  const link = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }))
  download(link, name)
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link), 60_000)
}

/** The name of something as that of a file. */
export const fileName = title => title.replace(/[^\p{L}\p{N}_-]/gu, "_").slice(0, 64) || "rows"

function download(href, name) {
  const link = el("a", { href, download: name, hidden: true })
  document.body.append(link)
  link.click()
  link.remove()
}

/** The request of an export of all rows, or of a section; null where the server knows none. */
export function exportRequest(app, scope) {
  const { view, state, grid } = app
  const { names } = grid.heads
  // With totals it is the same, only slower; columns come in the order in which they are shown.
  const request = { ...view.request, aggregate: [], column: names.length <= mostNamed ? names : view.request.column }
  if (scope === "all") return request
  // The first rows of all are not the first rows of a section.
  if (scope !== "section" || state.limit) return null
  const condition = `(${readSort(state["section-by"]).expression}\n) IS ${sqlValue(sectionAt(app).header.identity)}`
  return { ...request, where: request.where ? `(${request.where}\n) AND (${condition})` : condition }
}

// A request has no more parameters than a server takes.
const mostNamed = 150

// MARK: Rows

async function made(app, scope, format) {
  const { view, grid } = app
  const names = [...grid.heads.names]
  if (scope === "cell") {
    const { column, rank } = grid.cursor
    const [row] = await rowsAt(app, () => [rank], [names[column]])
    if (!row) throw new Error("The row is not here any more.")
    const value = row[column]
    return { text: format === "text" ? valueText(value) : textOf(format, { names: [names[column]], rows: [[value]], table: app.title }), says: "the cell" }
  }
  const found = await rowsAt(app, () => ranksOf(app, scope), names)
  const rows = found.filter(Boolean)
  const missing = found.length - rows.length
  if (view !== app.view) throw new Error("Other rows are shown now.")
  const says = `${number(rows.length)} row${rows.length === 1 ? "" : "s"}${missing ? `; ${number(missing)} changed since the pause, and are left out` : ""}`
  return { text: textOf(format, { names, rows, table: app.title }), says }
}

function ranksOf(app, scope) {
  const { grid, view } = app
  const section = scope === "section" ? app.view.structure.path(grid.cursor.rank).section : 0
  const [from, count] = scope === "all" ? [0, view.total]
    : scope === "section" ? [view.structure.start(section), view.sections[section].count] : [grid.selection.from, grid.selection.count]
  if (count > mostRows) {
    throw Object.assign(new Error(`${number(count)} rows are more than are copied at once`), { hint: `Save them, or copy up to ${number(mostRows)}.` })
  }
  const ranks = Array.from({ length: count }, (_, i) => from + i)
  // What is folded is not seen among selected rows.
  return scope === "rows" && count > 1 ? ranks.filter(rank => !grid.isHidden(rank)) : ranks
}

// The values of rows, in the order in which they are shown; null for those that a pause has lost. They are of one version.
async function rowsAt(app, ranksNow, wanted) {
  const { view, grid } = app
  for (let attempt = 0; ; attempt++) {
    const ranks = ranksNow()
    // Who paused keeps what was read; all others have a place where the server finds them.
    const places = ranks.map(rank => view.placeOf(rank))
    const rows = ranks.map(rank => {
      const row = view.row(rank)
      return row && !row.stale ? row.cells : null
    })
    try {
      await readMissing(view, rows, places)
      await readWhole(view, rows, places, wanted)
      return rows.map(cells => cells && grid.cells({ cells }))
    } catch (error) {
      // They were overwritten just now: of which the page is told, too.
      if (![410, 503].includes(error.status) || attempt === attempts - 1) {
        throw error.status === 410 ? Object.assign(new Error("The rows are written all the time"), { hint: "Save them, or pause." }) : error
      }
      await new Promise(done => setTimeout(done, 200 * (attempt + 1)))
      if (view.isClosed || view !== app.view) throw new Error("Other rows are shown now.")
    }
  }
}

async function readMissing(view, rows, places) {
  for (let i = 0; i < rows.length;) {
    if (rows[i] || !places[i]) {
      i++
      continue
    }
    let end = i + 1
    while (end < rows.length && end - i < pageSize && !rows[end] && places[end]?.at === places[i].at + end - i) end++
    const { version, after, at } = places[i]
    const answer = await getJSON(view.url("rows", { version, after, from: at, count: end - i }))
    if (!answer.rows.length) throw new SectileError(410, null)
    for (const { cells } of answer.rows) rows[i++] = cells
  }
}

// Values that the server has cut are read one by one.
async function readWhole(view, rows, places, wanted) {
  const names = new Set(wanted)
  const cuts = []
  let bytes = 0
  rows.forEach((cells, i) => cells?.forEach((value, column) => {
    if (!names.has(view.columns[column])) return
    const { text, length, isCut } = describe(value)
    bytes += length ?? text.length
    if (isCut) cuts.push({ i, column })
  }))
  if (bytes > mostBytes) throw Object.assign(new Error("That is too much to copy"), { hint: "Save all rows, or leave columns out." })
  for (const { i, column } of cuts) {
    if (!places[i]) throw new Error("A value is not here as a whole any more, because it has changed since the pause")
    // What is held of a row is not changed.
    const cells = [...rows[i]]
    cells[column] = await wholeValue(view, places[i], view.columns[column])
    rows[i] = cells
  }
}

async function wholeValue(view, place, column) {
  const response = await fetch(`${view.url("cell", place)}&${new URLSearchParams({ column })}`).catch(() => { throw new SectileError(0, null) })
  if (!response.ok) throw new SectileError(response.status, await response.json().catch(() => null))
  const kind = response.headers.get("X-Sectile-Type")
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isText = kind === "text" && (response.headers.get("Content-Type") ?? "").startsWith("text/plain")
  return isText ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : kind === "text" ? { $text: hexadecimal(bytes) } : { $blob: hexadecimal(bytes) }
}

// MARK: The clipboard

/** Copies the cell, or the selected rows, where the browser's own key is pressed in the table. */
export function installCopy(app) {
  document.addEventListener("copy", event => {
    const isInGrid = [app.grid.element, document.body].includes(document.activeElement)
    if (!isInGrid || !getSelection()?.isCollapsed || !app.view?.total) return
    event.preventDefault()
    const { count } = app.grid.selection
    copy(app, count > 1 ? "rows" : "cell", "text")
  })
}

async function put(text) {
  // Where the page is not that of a safe origin there is no other way.
  if (!navigator.clipboard) return putByCommand(text)
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    putByCommand(text)
  }
}

function putByCommand(text) {
  const give = event => {
    event.preventDefault()
    event.stopImmediatePropagation()
    event.clipboardData.setData("text/plain", text)
  }
  addEventListener("copy", give, { capture: true })
  const isDone = document.execCommand("copy")
  removeEventListener("copy", give, { capture: true })
  if (!isDone) throw Object.assign(new Error("The browser does not let the page copy"), { hint: "Save the rows instead." })
}

/** The entries of the palette: each scope in each format. */
export function copyCommands(app) {
  const entries = []
  for (const [scope, title] of Object.entries(scopes(app))) {
    const what = title[0].toLowerCase() + title.slice(1)
    for (const [format, { title: name }] of Object.entries(formats)) {
      entries.push({ kind: "Copy", title: `Copy ${what} as ${name}`, run: () => copy(app, scope, format) })
      if (scope !== "cell") entries.push({ kind: "Export", title: `Export ${what} as ${name}`, run: () => save(app, scope, format) })
    }
  }
  return entries
}
