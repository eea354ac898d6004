// How wide people have made columns.
import { readKept, writeKept } from "./kept.js"

/** The widths of a table's columns, as they were kept. */
export const readWidths = (place, table) => new Map(readKept(place, table).filter(([, width]) => width >= 48 && width <= 4000))

/** Keeps the widths of a table's columns. */
export const writeWidths = writeKept
