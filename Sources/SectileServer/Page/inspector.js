// One cell as a whole: JSON as a tree, long text, bytes in hexadecimal, images.
import { el, fill } from "./dom.js"
import { copyButton } from "./explain.js"
import { lostWords } from "./rows.js"
import { SectileError, keyOf } from "./sectile.js"
import { jsonTree } from "./tree.js"
import { describe, plain, size, visible } from "./values.js"

const step = 64 * 1024
const images = ["image/png", "image/jpeg", "image/gif", "image/webp"]

export class Inspector {
  #reading = null
  #shown = ""
  #link = null

  constructor(app) { this.app = app }

  /** Shows the cell at the cursor. */
  async open(place) {
    this.place = place
    this.#shown = ""
    await this.follow()
    return () => this.#release()
  }

  /** The cursor is elsewhere, or the row was changed. */
  async follow() {
    const { app, place } = this
    if (!place?.isConnected || app.panels.current !== "inspector") return
    const { rank, column } = app.grid.cursor
    const row = app.view?.row(rank)
    const name = app.grid.heads.names[column]
    if (app.grid.isHidden(app.grid.cursor.rank)) {
      this.#release()
      this.#shown = ""
      return fill(place, el("p", { class: "quiet" }, "The section is folded."))
    }
    if (!row || name === undefined) {
      const lost = app.view?.lost(rank)
      if (lost) {
        this.#release()
        this.#shown = ""
        return fill(place, el("p", { class: "quiet" }, `The row was ${lostWords[lost]}.`))
      }
      if (!this.#shown) fill(place, el("p", { class: "quiet" }, app.view?.total === 0 ? "There is no row." : "The row is being read …"))
      return
    }
    const value = app.grid.cells(row)[column]
    const key = keyOf([row.id, name, value, app.state.table, app.state.sql])
    if (key === this.#shown || row.stale) return
    this.#shown = key
    this.#release()
    const { kind, length, isCut } = describe(value)
    const body = el("div", { class: "value" })
    const meaning = app.looks.meaning(name, value)
    fill(place, el("dl", {}, el("dt", {}, "Column"), el("dd", {}, visible(name)), el("dt", {}, "Row"), el("dd", { class: "code" }, plain(row.id.map?.(part => describe(part).text).join(", ") ?? row.key)),
      el("dt", {}, "Type"), el("dd", {}, { null: "NULL", number: "number", text: "text", blob: "BLOB", bytes: "text that is not UTF-8" }[kind], length === undefined ? "" : `, ${size(length)}`),
      meaning === null ? null : [el("dt", {}, "Shown as"), el("dd", {}, meaning)]), body)
    if (kind === "null" || kind === "number") return fill(body, el("pre", { class: "code" }, describe(value).text), copyButton(describe(value).text))
    if (kind === "text" && !isCut) return this.#text(body, value)
    if (kind === "bytes") return fill(body, hex(bytesOf(value.$text)))
    this.#reading = new AbortController()
    fill(body, el("p", { class: "quiet" }, "Reading …"))
    try {
      await this.#read(body, rank, name, this.#reading.signal)
    } catch (error) {
      if (error.name === "AbortError") return
      this.#shown = ""
      fill(body, el("p", { class: "error" }, plain(error.message)), el("p", { class: "hint" }, plain(error.hint ?? "")))
    }
  }

  #release() {
    this.#reading?.abort()
    this.#reading = null
    if (this.#link) URL.revokeObjectURL(this.#link)
    this.#link = null
  }

  async #read(body, at, column, signal) {
    const { view } = this.app
    const found = view.placeOf(at)
    if (!found) throw new SectileError(410, { code: "gone", message: "the row has changed since the pause", hint: "Resume to see it as it is now." })
    const url = `${view.url("cell", found)}&${new URLSearchParams({ column })}`
    const response = await fetch(url, { signal }).catch(error => {
      throw error.name === "AbortError" ? error : new SectileError(0, null)
    })
    if (!response.ok) throw new SectileError(response.status, await response.json().catch(() => null))
    const type = (response.headers.get("Content-Type") ?? "").split(";")[0]
    const bytes = new Uint8Array(await response.arrayBuffer())
    this.#link = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }))
    const save = el("a", { class: "button small", href: this.#link, download: "cell.bin" }, "Save")
    if (images.includes(type)) {
      const source = this.#imageLink(bytes, type)
      fill(body, el("img", { class: "picture", alt: "The image in this cell", src: source }), save, hex(bytes))
    } else if (type === "text/plain") {
      this.#text(body, new TextDecoder().decode(bytes), save)
    } else {
      fill(body, save, hex(bytes))
    }
  }

  #imageLink(bytes, type) {
    URL.revokeObjectURL(this.#link)
    return (this.#link = URL.createObjectURL(new Blob([bytes], { type })))
  }

  #text(body, text, save = null) {
    const tree = /^\s*[[{]/.test(text) && text.length < 2_000_000 ? jsonTree(text) : null
    const asText = longText(text)
    if (!tree) return fill(body, copyButton(text), save, asText)
    const toggle = el("button", {
      type: "button", class: "small", "aria-pressed": "false",
      onclick: () => {
        const isText = !asText.isConnected
        toggle.setAttribute("aria-pressed", String(isText))
        if (isText) tree.replaceWith(asText)
        else asText.replaceWith(tree)
      }
    }, "As text")
    fill(body, toggle, copyButton(text), save, tree)
  }
}

// The first part of a text; more when it is asked for.
function longText(text) {
  const block = el("pre", { class: "code long" })
  let shown = 0
  const more = el("button", { type: "button", class: "small", onclick: () => add() })
  const add = () => {
    block.append(visible(text.slice(shown, shown + step), "\n\t"))
    shown += step
    more.hidden = shown >= text.length
    more.textContent = `More (${size(text.length - shown)})`
  }
  add()
  return el("div", {}, block, more)
}

const bytesOf = digits => Uint8Array.from(digits.match(/../g) ?? [], pair => parseInt(pair, 16))

// Sixteen bytes a line, with their letters.
function hex(bytes) {
  const block = el("pre", { class: "code hex" })
  let shown = 0
  const more = el("button", { type: "button", class: "small", onclick: () => add() })
  const add = () => {
    const lines = []
    for (const end = Math.min(bytes.length, shown + 4096); shown < end; shown += 16) {
      const line = bytes.subarray(shown, Math.min(shown + 16, end))
      const digits = Array.from(line, byte => byte.toString(16).padStart(2, "0")).join(" ")
      const letters = Array.from(line, byte => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join("")
      lines.push(`${shown.toString(16).padStart(8, "0")}  ${digits.padEnd(47)}  ${letters}\n`)
    }
    block.append(lines.join(""))
    more.hidden = shown >= bytes.length
    more.textContent = `More (${size(bytes.length - shown)})`
  }
  add()
  return el("div", {}, block, more)
}
