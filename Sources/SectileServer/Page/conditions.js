// Conditions on columns, each by itself: column, comparison, value. In the address a condition is a list in JSON.
import { el } from "./dom.js"
import { closeMenu } from "./menu.js"
import { inEitherCase, likeCondition, literal, quoted } from "./state.js"
import { plain } from "./values.js"

const operators = {
  "=": (column, value) => `${column} = ${value}`, "≠": (column, value) => `${column} IS NOT ${value}`,
  "<": (column, value) => `${column} < ${value}`, "≤": (column, value) => `${column} <= ${value}`,
  ">": (column, value) => `${column} > ${value}`, "≥": (column, value) => `${column} >= ${value}`,
  contains: (column, _, text) => containing(column, text),
  "is NULL": column => `${column} IS NULL`, "is not NULL": column => `${column} IS NOT NULL`
}

/** A condition as the address has it. */
export const writeCondition = (column, operator, value) => JSON.stringify(/NULL$/.test(operator) ? [column, operator] : [column, operator, value])

/** The parts of a condition; null where it is none. */
export function readCondition(text) {
  try {
    const [column, operator, value = ""] = JSON.parse(text)
    return typeof column === "string" && typeof value === "string" && Object.hasOwn(operators, operator) ? { column, operator, value } : null
  } catch {
    return null
  }
}

/** A condition in SQL. What is none is left as it is: the server then says so, and shows no rows that were not asked for. */
export function sqlOf(text, table) {
  const parts = readCondition(text)
  if (!parts) return text
  const { column, operator, value } = parts
  const isNumber = /^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(value.trim())
  return operators[operator](quoted(column), isNumber && !isText(table, column) ? value.trim() : literal(value), value)
}

/** A condition for people. */
export function titleOfCondition(text) {
  const parts = readCondition(text)
  return parts ? plain([parts.column, parts.operator, parts.value].join(" ").trim()) : plain(text)
}

const isText = (table, name) => !/INT|REAL|NUM|FLO|DOUB|DEC/i.test(table?.columns.find(each => each.name === name)?.type ?? "")

function containing(column, text) {
  const conditions = inEitherCase(text).map(each => likeCondition(column, each))
  return conditions.length > 1 ? `(${conditions.join(" OR ")})` : conditions[0]
}

/** The fields of a condition: of the one at a place, or of a new one. `name` is its column; without, it can be chosen. */
export function conditionForm(app, { name, at }) {
  const { filter } = app.state
  const parts = at === undefined ? null : readCondition(filter[at])
  const names = name === undefined ? app.allColumns : [name]
  const choice = (label, choices) => el("select", { "aria-label": label }, choices.map(each => el("option", { value: each }, plain(each))))
  const column = choice("Column", names)
  const operator = choice("Comparison", Object.keys(operators))
  const input = el("input", { type: "text", "aria-label": "Value", placeholder: "value", size: "10", spellcheck: "false", autocomplete: "off" })
  const suit = () => { input.hidden = /NULL$/.test(operator.value) }
  const begin = () => {
    operator.value = isText(app.table, column.value) ? "contains" : "="
    suit()
  }
  if (parts) {
    column.value = parts.column
    operator.value = parts.operator
    input.value = parts.value
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
      const condition = writeCondition(column.value, operator.value, input.value)
      closeMenu()
      app.change({ filter: at === undefined ? [...filter, condition] : filter.with(at, condition) })
    }
  }, name === undefined ? column : el("span", {}, "Where"), operator, input, el("button", { type: "submit", class: "small" }, at === undefined ? "Add" : "Apply"))
}
