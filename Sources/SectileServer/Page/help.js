// The keys, and how to read what is seen.
import { el, fill } from "./dom.js"

const keys = [
  ["↑ ↓ ← →", "go from cell to cell"], ["Page Up, Page Down", "a page"], ["Home, End", "first row, last row"], ["g", "go to a row by its number"], ["n, N", "next section, previous section"],
  ["f, F", "fold the section, all of them; or unfold"], ["< >", "move the column"], ["- + =", "narrower, wider, as wide as its values"], ["l", "pin the column to the left"],
  ["Shift + ↑ ↓", "select rows; Esc selects none"], ["Ctrl+C", "copy the cell, or the selected rows"], ["c", "copy or save, in several formats"], ["Ctrl+K", "all commands, tables and columns"],
  ["Enter", "follow a key, or look at the cell"], ["r", "the whole row"], ["s", "sort by the column"], ["m", "menu of the column"], ["/", "search"], ["w", "condition in SQL"], ["q", "a SELECT of your own"], ["Ctrl+Enter", "run it"], ["Ctrl+Space", "names and words that fit"],
  ["p", "pause and resume"], ["d", "schema"], ["e", "explain"], ["t", "tables"], ["?", "this help"], ["Esc", "close"]
]

export function showHelp(place) {
  fill(place,
    el("h3", {}, "Keys"),
    el("dl", { class: "keys" }, keys.map(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
    el("h3", {}, "What is marked"),
    el("p", { class: "legend" }, el("span", { class: "swatch inserted" }), "inserted ", el("span", { class: "swatch moved" }), "moved ", el("span", { class: "swatch changed" }), "changed"),
    el("p", {}, "Rows that are removed fade. Every commit of any process is shown as it happens; the row at the upper edge stays where it is when others come and go above it. At the very top, new rows are let in."),
    el("p", {}, "While it is paused, the page shows the rows as they were then, also those that are read later. A row that was changed or deleted before it was read is not shown, and says so."),
    el("p", {}, "A click on a column sorts by it, with Shift in addition to the others; ▾ groups, filters and adds totals. The address holds all of what you see: keep it as a bookmark, or send it to somebody who has the page open on this machine."),
    el("p", {}, "A click on the header of a section folds it: its count and its totals stay live. Drag the name of a column to another place, and its edge to make it wider; a double click there fits it to its values. Columns that are hidden are in the menu of “Columns”. The address keeps what is folded, shown and pinned; the browser keeps widths."),
    el("p", {}, "“Chart” beside the group draws a value of each section. “Diagram” in the schema draws the tables and their foreign keys."),
    el("p", {}, "“Where” adds a condition on a column; each is a chip, which is changed by a click and removed by ×. All of them hold, and so do the condition in SQL and the search."),
    el("p", {}, "What is copied is what is shown, up to 10,000 rows. All rows are saved as a file by the server, as they are at that moment, however many there are."),
    el("p", {}, "The file is opened for reading. Nothing that you do here changes it."))
}
