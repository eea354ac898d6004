// How values of SQLite are shown: as text, with what cannot be seen as marked escapes.
import { el } from "./dom.js"

// Controls, what turns the direction of text, what has no width, and halves of surrogate pairs. What joins letters or
// pictures is left where it does: between the parts of an emoji, and in scripts whose letters take other forms by it.
const joined = "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}"
const picture = "(?:\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?|\\p{Emoji_Modifier})"
const unseen = new RegExp(
  "[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff\\u{e0000}-\\u{e007f}]"
  + `|(?!(?<=${picture})\\u200d\\p{Extended_Pictographic})(?!(?<=[${joined}])[\\u200c\\u200d](?:[${joined}]|$|\\s))[\\u200c\\u200d]`, "gu")
const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" }

/** The escape of a character that cannot be seen. */
export const escapeOf = character =>
  short[character] ?? `\\u{${character.codePointAt(0).toString(16).toUpperCase().padStart(2, "0")}}`

/** A text with escapes in the place of what cannot be seen, as one text. */
export const plain = text => String(text).replace(unseen, escapeOf)

/** A text as nodes: what cannot be seen are escapes of a class of their own. `kept` are shown as they are. */
export function visible(text, kept = "") {
  const fragment = document.createDocumentFragment()
  let last = 0
  for (const match of String(text).matchAll(unseen)) {
    if (kept.includes(match[0])) continue
    if (match.index > last) fragment.append(text.slice(last, match.index))
    fragment.append(el("span", { class: "escape" }, escapeOf(match[0])))
    last = match.index + match[0].length
  }
  if (last < text.length) fragment.append(text.slice(last))
  return fragment
}

/** What a JSON value of the server is: its kind, and what is shown of it. */
export function describe(value) {
  if (value === null || value === undefined) return { kind: "null", text: "NULL" }
  if (typeof value === "number") return { kind: "number", text: String(value) }
  if (typeof value === "string") return { kind: "text", text: value }
  if (typeof value === "boolean") return { kind: "number", text: value ? "1" : "0" }
  if (value.$integer !== undefined) return { kind: "number", text: value.$integer }
  if (value.$real !== undefined) {
    const names = { "9e999": "∞", "-9e999": "−∞", nan: "NaN" }
    return { kind: "number", text: names[value.$real] ?? value.$real }
  }
  if (value.$blob !== undefined) return { kind: "blob", text: value.$blob, length: value.$blob.length / 2 }
  if (value.$text !== undefined) return { kind: "bytes", text: value.$text, length: value.$text.length / 2 }
  if (value.$cut === "text") return { kind: "text", text: value.head, length: value.length, isCut: true }
  if (value.$cut === "blob") return { kind: "blob", text: value.head, length: value.length, isCut: true }
  return { kind: "text", text: JSON.stringify(value) }
}

/** Puts a value into a cell. */
export function showValue(cell, value) {
  const { kind, text, length, isCut } = describe(value)
  cell.dataset.kind = kind
  cell.replaceChildren()
  if (kind === "blob") {
    cell.append(el("span", { class: "tag" }, "BLOB"), ` ${text.slice(0, 32)}${text.length > 32 || isCut ? "…" : ""} `, size(length))
  } else if (kind === "bytes") {
    cell.append(el("span", { class: "tag" }, "not UTF-8"), ` ${text.slice(0, 64)}`)
  } else if (kind === "text") {
    cell.append(visible(text.length > 512 ? text.slice(0, 512) : text))
    if (isCut || text.length > 512) cell.append("…", el("span", { class: "tag" }, size(length ?? text.length)))
  } else {
    cell.append(text)
  }
}

/** A number of bytes, in the unit that fits. */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`
  const units = ["kB", "MB", "GB", "TB"]
  let value = bytes / 1000
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 2 })

/** A count, with separators. */
export function number(value) {
  const real = Number(value?.$real)
  if (Number.isFinite(real)) return numbers.format(real)
  return typeof value === "number" ? numbers.format(value) : plain(describe(value).text)
}

// How many digits of a total are shown; of a large one all before the point, and two behind it.
const digits = 6

/** A total as it is shown, with separators and a sign where it is rounded; and all of it, as it was told. */
export function total(value) {
  const { kind, text: exact } = describe(value)
  if (kind !== "number") return { text: kind === "text" ? shortened(plain(exact)) : exact, exact: plain(exact) }
  if (/^-?\d+$/.test(exact)) return { text: BigInt(exact).toLocaleString("en"), exact }
  const real = Number(exact)
  if (!Number.isFinite(real)) return { text: exact, exact }
  const size = Math.abs(real)
  if (size !== 0 && (size < 1e-6 || size >= 1e15)) {
    const short = Number(real.toPrecision(digits))
    return { text: `${short === real ? "" : "≈ "}${String(short).replace("e+", "e")}`, exact }
  }
  const precision = Math.max(digits, Math.floor(Math.log10(size || 1)) + 3)
  const short = Number(real.toPrecision(precision))
  return { text: `${short === real ? "" : "≈ "}${short.toLocaleString("en", { maximumSignificantDigits: 21 })}`, exact }
}

const shortened = text => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
