// Conditions on columns, each by itself: column, comparison, value. In the address a condition is a list in JSON. The value
// is what people write; of a range two of these, and of a choice the values themselves.
import { el } from "./dom.js"
import { closeMenu } from "./menu.js"
import { keyOf } from "./sectile.js"
import { inEitherCase, likeCondition, literal, quoted, sqlValue } from "./state.js"
import { describe, plain } from "./values.js"

const operators = {
  "=": (column, value) => `${column} = ${value}`, "≠": (column, value) => `${column} IS NOT ${value}`,
  "<": (column, value) => `${column} < ${value}`, "≤": (column, value) => `${column} <= ${value}`,
  ">": (column, value) => `${column} > ${value}`, "≥": (column, value) => `${column} >= ${value}`,
  between, contains: (column, _, text) => containing(column, text),
  "is NULL": column => `${column} IS NULL`, "is not NULL": column => `${column} IS NOT NULL`, in: among
}

// One end of a range may be left out.
function between(column, [low, high]) {
  if (low !== null && high !== null) return `${column} BETWEEN ${low} AND ${high}`
  return low !== null ? `${column} >= ${low}` : high !== null ? `${column} <= ${high}` : `${column} IS NOT NULL`
}

function among(column, values) {
  const texts = values.map(sqlValue).filter(text => text !== undefined && text !== "NULL")
  const parts = [texts.length ? `${column} IN (${texts.join(", ")})` : null, values.includes(null) ? `${column} IS NULL` : null].filter(Boolean)
  return parts.length > 1 ? `(${parts.join(" OR ")})` : parts[0] ?? "0"
}

const isPair = value => Array.isArray(value) && value.length === 2 && value.every(each => typeof each === "string")
const isSuited = (operator, value) => (operator === "between" ? isPair(value) : operator === "in" ? Array.isArray(value) && value.length > 0 : typeof value === "string")

/** A condition as the address has it. */
export const writeCondition = (column, operator, value) => JSON.stringify(/NULL$/.test(operator) ? [column, operator] : [column, operator, value])

/** The parts of a condition; null where it is none. */
export function readCondition(text) {
  try {
    const [column, operator, value = ""] = JSON.parse(text)
    return typeof column === "string" && Object.hasOwn(operators, operator) && isSuited(operator, value) ? { column, operator, value } : null
  } catch {
    return null
  }
}

/** A condition in SQL. What is none is left as it is: the server then says so, and shows no rows that were not asked for. */
export function sqlOf(text, table) {
  const parts = readCondition(text)
  if (!parts) return text
  const { column, operator, value } = parts
  if (operator === "in") return among(quoted(column), value)
  // In a column of no type a range of numbers is one of numbers.
  const isWord = isText(table, column) && !(operator === "between" && isUntyped(table, column))
  const one = text => (/^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text.trim()) && !isWord ? text.trim() : literal(text))
  if (operator === "between") return between(quoted(column), value.map(text => (text.trim() === "" ? null : one(text))))
  return operators[operator](quoted(column), one(value), value)
}

/** A condition for people. */
export function titleOfCondition(text) {
  const parts = readCondition(text)
  if (!parts) return plain(text)
  const { column, operator, value } = parts
  const words = operator === "between" ? value.map(each => each.trim() || "…").join(" and ") : operator === "in" ? value.map(each => describe(each).text).join(", ") : value
  return plain([column, operator, words].join(" ").trim())
}

// MARK: Choices

/** The values that a condition chooses in a column; null where it does something else. */
export function chosenIn(text, column) {
  const parts = readCondition(text)
  return parts?.operator === "in" && parts.column === column ? parts.value : null
}

/** Conditions with a value among those that are chosen in a column; without it, where it was among them. */
export function toggledChoice(filter, column, value) {
  const at = filter.findIndex(text => chosenIn(text, column))
  const chosen = at < 0 ? [] : chosenIn(filter[at], column)
  const others = chosen.filter(each => keyOf(each) !== keyOf(value))
  const values = others.length < chosen.length ? others : [...chosen, value]
  const condition = values.length ? [writeCondition(column, "in", values)] : []
  return at < 0 ? [...filter, ...condition] : filter.toSpliced(at, 1, ...condition)
}

const isText = (table, name) => !/INT|REAL|NUM|FLO|DOUB|DEC/i.test(table?.columns.find(each => each.name === name)?.type ?? "")

const isUntyped = (table, name) => table?.columns.find(each => each.name === name)?.type === ""

function containing(column, text) {
  const conditions = inEitherCase(text).map(each => likeCondition(column, each))
  return conditions.length > 1 ? `(${conditions.join(" OR ")})` : conditions[0]
}

/** The fields of a condition: of the one at a place, or of a new one. `name` is its column; without, it can be chosen. */
export function conditionForm(app, { name, at }) {
  const { filter } = app.state
  const parts = at === undefined ? null : readCondition(filter[at])
  if (parts?.operator === "in") {
    // Opened by the menu that the form is in, which is closed by then.
    const show = event => {
      event.preventDefault()
      closeMenu()
      app.change({ panel: "facets", facet: parts.column })
    }
    return el("form", { class: "menu-form", onsubmit: show }, el("span", {}, titleOfCondition(filter[at])), el("button", { type: "submit", class: "small" }, "Values …"))
  }
  const names = name === undefined ? app.allColumns : [name]
  const choice = (label, choices) => el("select", { "aria-label": label }, choices.map(each => el("option", { value: each }, plain(each))))
  const column = choice("Column", names)
  const operator = choice("Comparison", Object.keys(operators).filter(each => each !== "in"))
  const input = el("input", { type: "text", "aria-label": "Value", placeholder: "value", size: "10", spellcheck: "false", autocomplete: "off" })
  const end = el("input", { type: "text", "aria-label": "Up to", placeholder: "up to", size: "10", spellcheck: "false", autocomplete: "off" })
  const suit = () => {
    input.hidden = /NULL$/.test(operator.value)
    end.hidden = operator.value !== "between"
    input.placeholder = end.hidden ? "value" : "from"
  }
  const begin = () => {
    operator.value = isText(app.table, column.value) ? "contains" : "="
    suit()
  }
  if (parts) {
    column.value = parts.column
    operator.value = parts.operator
    const [from, to] = [parts.value].flat()
    input.value = from
    end.value = to ?? ""
    suit()
  } else {
    begin()
  }
  column.addEventListener("change", () => !parts && begin())
  operator.addEventListener("change", suit)
  return el("form", {
    class: "menu-form",
    onsubmit: event => {
      event.preventDefault()
      // In a column that is shown as dates these can be written.
      const raw = (text, isEnd) => app.looks.raw(column.value, text, isEnd)
      const value = operator.value === "between" ? [raw(input.value, false), raw(end.value, true)] : raw(input.value, ["≤", ">"].includes(operator.value))
      const condition = writeCondition(column.value, operator.value, value)
      closeMenu()
      app.change({ filter: at === undefined ? [...filter, condition] : filter.with(at, condition) })
    }
  }, name === undefined ? column : el("span", {}, "Where"), operator, input, end, el("button", { type: "submit", class: "small" }, at === undefined ? "Add" : "Apply"))
}
