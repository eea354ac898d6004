// What is looked at, as the query of the address: a permalink holds all of it.
import { sqlOf } from "./conditions.js"
import { describe, plain } from "./values.js"

const many = ["sort", "aggregate", "column", "key", "filter", "fold"]
// What is looked at, before all else.
const first = ["table", "sql", "section-by"]
const last = ["where", "search", "limit", "pin", "at", "inspect", "panel", "item", "facet", "chart"]

/** Reads the state from the query of an address. */
export function readState(query) {
  const parameters = new URLSearchParams(query)
  const state = {}
  for (const name of [...first, ...last]) state[name] = parameters.get(name) ?? ""
  for (const name of many) state[name] = parameters.getAll(name).filter(Boolean)
  return state
}

/** Writes a state as the query of an address. */
export function writeState(state) {
  const parameters = new URLSearchParams()
  for (const name of first) if (state[name]) parameters.append(name, state[name])
  for (const name of many) for (const value of name === "fold" && isLong(state.fold) ? [] : state[name]) parameters.append(name, value)
  for (const name of last) if (state[name]) parameters.append(name, state[name])
  const query = parameters.toString()
  return query ? `?${query}` : location.pathname
}

// An address is as long as a server takes it; what does not fit is kept by the tab.
const isLong = fold => encodeURIComponent(fold.join()).length > longestFold
const longestFold = 2000

/** What is looked at, as the address and the tab have it. */
export function stateHere() {
  const state = readState(location.search)
  const kept = history.state?.fold
  return Array.isArray(kept) ? { ...state, fold: kept } : state
}

/** What the tab has to keep of a state beside its address. */
export const keptOf = state => (isLong(state.fold) ? { fold: state.fold } : null)

/** Whether a state asks for all columns, however many there are. */
export const showsAll = state => state.column.length === 1 && state.column[0] === "*"

/** The request to the server that a state asks for. */
export function requestOf(state, table) {
  const conditions = state.filter.map(each => sqlOf(each, table))
  const column = namedColumns(state, table)
  if (state.where) conditions.push(state.where)
  if (state.search) conditions.push(searchCondition(state.search, table, column))
  return {
    table: state.table,
    sql: state.sql,
    "section-by": state["section-by"],
    sort: state.sort,
    where: conditions.length > 1 ? conditions.map(each => `(${each}\n)`).join(" AND ") : conditions[0],
    limit: state.limit,
    key: state.key,
    aggregate: state.aggregate,
    column
  }
}

// The columns as the table has them, whatever order they are shown in: the same rows are asked for. The server reads all
// columns where none is named.
function namedColumns(state, table) {
  if (showsAll(state)) return []
  const all = (table?.columns ?? []).filter(column => !column.hidden).map(column => column.name)
  if (!all.length || !state.column.every(name => all.includes(name))) return state.column
  const named = all.filter(name => state.column.includes(name))
  return named.length === all.length ? [] : named
}

/** Whether two states ask for the same rows. */
export const isSameRequest = (a, b, table) =>
  JSON.stringify(requestOf(a, table)) === JSON.stringify(requestOf(b, table))

/** A name as SQL has it: plain where it may be, in quotation marks otherwise. */
export function quoted(name) {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !keywords.has(name.toUpperCase()) ? name : `"${name.replaceAll('"', '""')}"`
}

/** A text as SQL has it. */
export const literal = text => `'${text.replaceAll("'", "''")}'`

/** A value as SQL has it; undefined where not all of it is here, and for what is no value. */
export function sqlValue(value) {
  if (value?.$cut !== undefined || value?.$real === "nan") return undefined
  const { kind, text } = describe(value)
  if (kind === "null") return "NULL"
  if (typeof text !== "string") return undefined
  // What is shown of an infinity is a sign.
  const number = typeof value?.$real === "string" ? value.$real : text
  if (kind === "number") return /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(number) ? number : undefined
  if (kind === "blob" || kind === "bytes") {
    if (!/^([0-9a-f]{2})*$/i.test(text)) return undefined
    return kind === "blob" ? `x'${text}'` : `CAST(x'${text}' AS TEXT)`
  }
  return text.includes("\0") ? undefined : literal(text)
}

// The server takes an expression of 8 KiB.
const longestCondition = 6000

// All columns that can hold text; where that is too much for one expression, those that are shown.
function searchCondition(text, table, shown) {
  const columns = (table?.columns ?? []).filter(column => !/BLOB/i.test(column.type)).map(column => column.name)
  if (!columns.length) return "1"
  const isShort = condition => new TextEncoder().encode(condition).length <= longestCondition
  const condition = (names, texts) => names.flatMap(name => texts.map(each => likeCondition(quoted(name), each))).join(" OR ")
  const cases = inEitherCase(text)
  const all = [[columns, cases], [columns, cases.slice(0, 3)], [shown, cases], [shown, cases.slice(0, 3)], [columns, [text]]]
  return all.filter(([names]) => names.length && names[0] !== "*").map(each => condition(...each)).find(isShort)
    ?? condition(shown.length && shown[0] !== "*" ? shown : columns, [text])
}

/** A condition that holds where a column contains a text. */
export const likeCondition = (column, text) => `${column} LIKE ${literal(`%${text.replace(/[\\%_]/g, "\\$&")}%`)} ESCAPE '\\'`

/**
 * A text as it may be written: LIKE takes the letters of ASCII in either case, and no others.
 *
 * As it is, small and large first; then with each of its first letters beyond ASCII in either case.
 */
export function inEitherCase(text) {
  const texts = new Set([text, text.toLowerCase(), text.toUpperCase()])
  const letters = [...text]
  const places = letters.flatMap((letter, i) => (letter > "\x7f" && letter.toLowerCase() !== letter.toUpperCase() ? [i] : [])).slice(0, 3)
  for (let choice = 0; choice < 2 ** places.length; choice++) {
    const variant = [...letters]
    places.forEach((place, bit) => { variant[place] = choice >> bit & 1 ? variant[place].toUpperCase() : variant[place].toLowerCase() })
    texts.add(variant.join(""))
  }
  // Those that differ in letters of ASCII alone are one to LIKE.
  const seen = new Set()
  return [...texts].filter(each => {
    const folded = each.replace(/[A-Z]/g, letter => letter.toLowerCase())
    return !seen.has(folded) && seen.add(folded)
  })
}

/** A sort term in its parts. */
export function readSort(term) {
  const match = /^(.*?)\s+(ASC|DESC)$/is.exec(term)
  return { expression: match ? match[1] : term, isDescending: match?.[2].toUpperCase() === "DESC" }
}

/** Whether an expression of SQL is a column's name. */
export const isColumn = (expression, name) => expression === quoted(name) || expression === name || expression === `"${name.replaceAll('"', '""')}"`

/** The name of an expression for people: a column's without its quotation marks. */
export function titleOf(expression) {
  const match = /^"((?:[^"]|"")*)"$/.exec(expression)
  return plain(match ? match[1].replaceAll('""', '"') : expression)
}

/** The words of SQL that SQLite knows. */
export const keywords = new Set(
  `ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY CASCADE CASE
  CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP
  DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE
  EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE
  IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED
  NATURAL NO NOT NOTHING NOTNULL NULL NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY
  QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS
  SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE UPDATE USING VACUUM
  VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT`.split(/\s+/))
