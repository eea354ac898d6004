// Rows as text, for the clipboard and for files: values as the server tells them, in several formats.
import { literal, quoted } from "./state.js"
import { describe } from "./values.js"

/** The formats: what people call them, what a file of them ends with, and what the server calls them, where it knows them. */
export const formats = {
  text: { title: "Text", ending: "tsv", server: "tsv" },
  csv: { title: "CSV", ending: "csv", server: "csv" },
  json: { title: "JSON", ending: "json", server: "json" },
  ndjson: { title: "JSON lines", ending: "ndjson", server: "ndjson" },
  markdown: { title: "Markdown", ending: "md", server: null },
  sql: { title: "SQL INSERT", ending: "sql", server: "sql" }
}

/** Rows of values in a format. `names` are those of the columns, `table` is what statements name. */
export function textOf(format, { names, rows, table }) {
  switch (format) {
    case "csv": return [names.map(csvText), ...rows.map(row => row.map(csvValue))].map(fields => `${fields.join(",")}\r\n`).join("")
    case "json": return rows.length ? `[${rows.map(row => jsonRow(names, row)).join(",\n")}]\n` : "[]\n"
    case "ndjson": return rows.map(row => `${jsonRow(names, row)}\n`).join("")
    case "markdown": return markdown(names, rows)
    case "sql": {
      const head = `INSERT INTO ${quoted(table)}(${names.map(quoted).join(",")}) VALUES(`
      return rows.map(row => `${head}${row.map(sqlValue).join(",")});\n`).join("")
    }
    default: return rows.map(row => row.map(cellText).join("\t")).join("\n")
  }
}

/** One value by itself, as it is. */
export function valueText(value) {
  const { kind, text } = describe(value)
  return kind === "null" ? "" : kind === "number" ? value?.$real ?? text : text
}

// What a sheet takes for one cell.
function cellText(value) {
  const text = valueText(value)
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// As `sectile export` does: what stands in quotes is text, an empty field is NULL.
const csvText = text =>
  text === "" || /[,"\r\n]|^\ufeff|^[xt]'[0-9a-f]*'$/i.test(text) || isNumber(text) ? `"${text.replaceAll('"', '""')}"` : text

const isNumber = text => /^[-+.\d]/.test(text) && Number.isFinite(Number(text))

function csvValue(value) {
  const { kind, text } = describe(value)
  if (kind === "text") return text.includes("\0") ? `t'${hexadecimal(text)}'` : csvText(text)
  return kind === "blob" ? `x'${text}'` : kind === "bytes" ? `t'${text}'` : valueText(value)
}

// Of two columns of one name, JSON would hold the last alone.
const jsonRow = (names, row) => `{${names.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify(row[i] ?? null)}`).join(",")}}`

function markdown(names, rows) {
  const isNumeric = names.map((_, i) => rows.some(row => describe(row[i]).kind === "number")
    && rows.every(row => ["number", "null"].includes(describe(row[i]).kind)))
  const line = cells => `| ${cells.join(" | ")} |\n`
  return line(names.map(markdownText)) + line(isNumeric.map(is => (is ? "--:" : "---")))
    + rows.map(row => line(row.map(value => (describe(value).kind === "null" ? "NULL" : markdownText(valueText(value)))))).join("")
}

// A value is no markup, neither of Markdown nor of HTML.
const markdownText = text => text.replace(/[\\`*_[\]|~]/g, "\\$&").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replace(/\r\n|\r|\n/g, "<br>")

/** A value as SQL has it. */
export function sqlValue(value) {
  const { kind, text } = describe(value)
  if (kind === "null" || value?.$real === "nan") return "NULL"
  // What is shown of an infinity is a sign.
  if (kind === "number") return value?.$real ?? text
  if (kind === "blob") return `x'${text}'`
  if (kind === "bytes") return `CAST(x'${text}' AS TEXT)`
  return text.includes("\0") ? `(${text.split("\0").map(literal).join("||char(0)||")})` : literal(text)
}

/** The bytes of a text in UTF-8, or bytes, in hexadecimal. */
export function hexadecimal(bytes) {
  const all = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes
  return Array.from(all, byte => byte.toString(16).padStart(2, "0")).join("")
}
