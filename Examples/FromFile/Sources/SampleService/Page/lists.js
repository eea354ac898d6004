// The page: the first rows of a list, live, /?list=NAME.
import { subscribe } from "/sectile.js"

const shown = 100
const element = id => document.getElementById(id)
const make = (name, text) => Object.assign(document.createElement(name), { textContent: text })
// What JSON has no word for, such as a BLOB, is an object.
const text = cell => cell !== null && typeof cell === "object" ? JSON.stringify(cell) : String(cell ?? "")

function show(view) {
  const count = Math.min(view.total, shown)
  view.want(0, count)
  element("columns").replaceChildren(...view.columns.map(column => make("th", column)))
  element("rows").replaceChildren(...[...Array(count).keys()].map(rank => {
    const row = document.createElement("tr")
    row.append(...(view.row(rank)?.cells.map(cell => make("td", text(cell))) ?? [make("td", "…")]))
    return row
  }))
}

// What is shown is live in the state "open" alone.
function showState(view) {
  element("state").textContent = view.state === "open" ? `live, ${view.total} rows` : view.state
}

function showAll(view) {
  show(view)
  showState(view)
}

const lists = await (await fetch("/lists")).json()
const wanted = new URLSearchParams(location.search).get("list") ?? lists[0]
element("lists").replaceChildren(...lists.flatMap(name => [
  Object.assign(make("a", name), { href: `/?list=${encodeURIComponent(name)}` }), " "
]))
if (wanted) {
  // For who looks at it from outside.
  globalThis.view = subscribe("/live", { view: wanted }, {
    onReset: showAll, onChanges: showAll, onRows: showAll, onState: showState,
    onError: (view, error) => { element("state").textContent = `${error.message} ${error.hint ?? ""}` }
  })
}
