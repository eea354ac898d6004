// Foreign keys: which there are, and the way to the rows that they lead to.
import { quoted, readState, sqlValue } from "./state.js"

/** Whether two names are one to SQLite. */
export const isSameName = (one, other) => one.toLowerCase() === other.toLowerCase()

/** The columns that a foreign key refers to: without names, those of the primary key are meant. */
export const columnsOf = (table, names) => (names.length ? names
  : table.columns.filter(column => column.key).sort((a, b) => a.key - b.key).map(column => column.name))

/** The foreign keys of a table that lead somewhere: their columns, the table, and its columns, each as the schema writes it. */
export function foreignKeysOf(table, schema) {
  if (table?.kind !== "table") return []
  const find = (columns, name) => columns.find(each => isSameName(each.name, name))?.name
  return (table.foreignKeys ?? []).flatMap(({ columns, table: name, targetColumns }) => {
    const target = schema.tables.find(each => isSameName(each.name, name))
    if (!target) return []
    const own = columns.map(each => find(table.columns, each))
    const targets = columnsOf(target, targetColumns).map(each => find(target.columns, each))
    const isSound = targets.length === own.length && [...own, ...targets].every(each => each !== undefined)
    return isSound ? [{ columns: own, target, targets }] : []
  })
}

/** The condition for the rows that have values in some columns; null where a value is NULL, or not all of it is here. */
export function conditionOf(columns, values) {
  const texts = values.map(sqlValue)
  if (!columns.length || columns.length !== values.length || texts.some(text => text === undefined || text === "NULL")) return null
  return columns.map((column, i) => `${quoted(column)} = ${texts[i]}`).join(" AND ")
}

/** Whether values can be sent as they are: bytes that are no text, and parts of values, cannot. */
export const areSendable = values => values.every(value =>
  value !== null && value !== undefined && value.$cut === undefined && value.$text === undefined && value.$real !== "nan")

/** The state of the page that shows the rows of a table for which a condition holds, with the panel of the first. */
export const stateOf = (table, where) => ({ ...readState(""), table: table.name, where, panel: "row" })
