// What can follow in a SELECT that is being written: names of the schema, words of SQL, functions.
import { keywords, quoted } from "./state.js"

const most = 12

// What is of use in a SELECT.
const offered = `ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS CURRENT_DATE CURRENT_TIMESTAMP DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS FILTER FROM FULL GLOB
  GROUP HAVING IN INNER INTERSECT IS ISNULL JOIN LAST LEFT LIKE LIMIT MATCH NATURAL NOT NOTNULL NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION
  RECURSIVE RIGHT ROWS SELECT THEN UNION USING VALUES WHEN WHERE WINDOW WITH`.split(/\s+/)
const functions = `abs avg ceil coalesce concat concat_ws count date datetime dense_rank exp first_value floor format glob group_concat hex ifnull iif instr json
  json_array json_array_length json_each json_extract json_group_array json_group_object json_object json_type json_valid julianday lag last_value
  lead length like ln log lower ltrim max min mod nth_value ntile nullif octet_length percent_rank pow power printf quote random rank replace round
  row_number rtrim sign sqrt strftime string_agg substr sum time timediff total trim trunc typeof unicode unixepoch upper`.split(/\s+/)

/**
 * The words of a text: `{ text, start, end, kind }`. A `name` is a word or a name in quotation marks, `text` is what stands in
 * apostrophes, and all else is a sign. `isOpen` where it has no end. Comments are `comment`.
 */
export function wordsOf(sql) {
  const pattern = /(--[^\n]*|\/\*[^]*?(?:\*\/|$))|('[^']*(?:''[^']*)*(?:'|$))|("[^"]*(?:""[^"]*)*(?:"|$)|`[^`]*(?:``[^`]*)*(?:`|$)|\[[^\]]*(?:\]|$))|([\p{L}_][\p{L}\p{M}\p{N}_$]*)|(\d[\p{L}\d_.]*)|\S/gu
  return [...sql.matchAll(pattern)].map(match => {
    const [text, comment, string, inMarks, word, digits] = match
    const kind = comment !== undefined ? "comment" : string !== undefined ? "text" : inMarks !== undefined || word !== undefined ? "name" : digits !== undefined ? "number" : "sign"
    const isOpen = comment !== undefined ? (comment.startsWith("--") ? !sql.includes("\n", match.index) : comment.length < 4 || !comment.endsWith("*/"))
      : string !== undefined ? isUnclosed(string, "'") : inMarks !== undefined && (inMarks[0] === "[" ? !inMarks.endsWith("]") : isUnclosed(inMarks, inMarks[0]))
    return { text, start: match.index, end: match.index + text.length, kind, isOpen, name: inMarks !== undefined ? unquoted(inMarks) : text, isQuoted: inMarks !== undefined }
  })
}

// Marks in pairs are part of it.
const isUnclosed = (text, sign) => text.slice(1).split(sign).length % 2 === 1
const unquoted = text => (text[0] === "[" ? text.slice(1).replace(/\]$/, "") : text.slice(1).replace(new RegExp(`${text[0]}$`), "").replaceAll(text[0] + text[0], text[0]))

/**
 * What can be put in the place of the word before a position: `{ start, end, candidates }`, the best first; null where nothing is
 * to be completed, as within texts and comments. Each candidate is `{ title, kind, insert }`. `isAsked` where it was asked for.
 */
export function completionsOf(sql, caret, tables, isAsked = false) {
  const words = wordsOf(sql)
  const at = words.find(each => each.start < caret && (caret < each.end || (caret === each.end && (each.kind === "name" || each.kind === "number" || each.isOpen))))
  if (at && (at.kind === "text" || at.kind === "comment" || at.kind === "number")) return null
  const current = at?.kind === "name" ? at : null
  // Within a name in marks only what stands before the position counts.
  const start = current?.start ?? caret
  const raw = sql.slice(start, caret)
  const written = (current?.isQuoted ? raw.slice(1) : raw).toLowerCase()
  const before = words.filter(each => each.end <= start && each.kind !== "comment")
  const isQualified = before.at(-1)?.text === "." && before.at(-2)?.kind === "name"
  if (!written && !isQualified && !isAsked) return null
  // In the middle of a word there is nothing to be completed, unless somebody asks.
  if (!isAsked && current && !current.isQuoted && caret < current.end) return null
  const named = tablesNamed(words.filter(each => each !== current), tables)
  const found = isQualified ? columnsFor(before.at(-2).name, named, tables) : allFor(before.at(-1), named, tables, current?.isQuoted, raw)
  const candidates = ranked(found, written)
  // Whoever has written all of a word goes on.
  if (!isAsked && candidates.some(each => each.title.toLowerCase() === written)) return null
  return candidates.length ? { start, end: current && !current.isOpen ? current.end : caret, candidates: candidates.slice(0, most) } : null
}

const isSame = (one, other) => one.toLowerCase() === other.toLowerCase()
const isWord = (word, ...texts) => word?.kind === "name" && !word.isQuoted && texts.includes(word.text.toUpperCase())

/** The tables that a text names, each with the name it has there. */
function tablesNamed(words, tables) {
  const byName = new Map(tables.map(table => [table.name.toLowerCase(), table]))
  const real = words.filter(each => each.kind !== "comment")
  return real.flatMap((word, i) => {
    const table = word.kind === "name" ? byName.get(word.name.toLowerCase()) : undefined
    // A column may have the name of a table.
    if (!table || real[i - 1]?.text === ".") return []
    const next = isWord(real[i + 1], "AS") ? real[i + 2] : real[i + 1]
    const alias = next?.kind === "name" && (next.isQuoted || !keywords.has(next.text.toUpperCase())) ? next.name : table.name
    return [{ table, alias }]
  })
}

const columnsIn = table => table.columns.filter(column => !column.hidden).map(({ name }) => ({ title: name, kind: `column of ${table.name}`, insert: quoted(name), rank: 0 }))

function columnsFor(qualifier, named, tables) {
  const found = named.find(each => isSame(each.alias, qualifier))?.table ?? tables.find(each => isSame(each.name, qualifier))
  return found ? columnsIn(found) : []
}

function allFor(last, named, tables, isQuoted, raw) {
  const expectsTable = isWord(last, "FROM", "JOIN")
  const seen = new Set()
  const columns = named.flatMap(({ table }) => columnsIn(table)).filter(({ title }) => !seen.has(title.toLowerCase()) && seen.add(title.toLowerCase()))
  const aliases = named.filter(({ table, alias }) => alias !== table.name).map(({ table, alias }) => ({ title: alias, kind: `alias of ${table.name}`, insert: quoted(alias), rank: 1 }))
  const names = tables.map(({ name, kind }) => ({ title: name, kind, insert: quoted(name), rank: expectsTable ? -1 : 3 }))
  if (isQuoted) return [...columns, ...aliases, ...names]
  // Words of SQL are written as the first letters are.
  const asWritten = raw !== raw.toUpperCase() && raw === raw.toLowerCase() ? word => word.toLowerCase() : word => word
  return [
    ...(expectsTable ? [] : [...columns, ...aliases]), ...names,
    ...(expectsTable ? [] : offered).map(word => ({ title: asWritten(word), kind: "keyword", insert: `${asWritten(word)} `, rank: 2 })),
    ...(expectsTable ? [] : functions.map(name => ({ title: name, kind: "function", insert: `${name}(`, rank: 2 })))
  ]
}

// Those that begin so, then those of which a part does.
function ranked(found, written) {
  const scored = found.flatMap(each => {
    const title = each.title.toLowerCase()
    const score = title.startsWith(written) ? 0 : written.length > 1 && each.kind !== "keyword" && title.includes(written) ? 10 : null
    return score === null ? [] : [{ ...each, score: score + each.rank }]
  })
  return scored.sort((a, b) => a.score - b.score)
}
