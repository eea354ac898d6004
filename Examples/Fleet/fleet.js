// The page of a machine: sections with their counts and the first rows, live; and where the machine stands.
import { subscribe } from "/sectile.js"

const shown = 20
const element = id => document.getElementById(id)

function fill(list, texts) {
  list.replaceChildren(...texts.map(text => Object.assign(document.createElement("li"), { textContent: text })))
}

function show(view) {
  fill(element("sections"), view.sections.map(({ header, count }) => `${header.title}: ${count}`))
  const ranks = [...Array(Math.min(view.total, shown)).keys()]
  fill(element("rows"), ranks.map(rank => view.row(rank)?.cells.join(" ") ?? "…"))
}

const view = subscribe("/live", { view: "parcels" }, { onReset: show, onChanges: show, onRows: show })
view.want(0, shown)

async function showStatus() {
  try {
    const status = await (await fetch("/status")).json()
    element("name").textContent = document.title = status.name
    const lag = status.lag === undefined ? "nobody knows how far" : `${status.lag.toFixed(1)} s`
    element("status").textContent = `${status.phase}; ${lag} behind; ${status.waiting} writes wait for the hub`
  } catch {
    element("status").textContent = "the machine does not answer"
  }
  setTimeout(showStatus, 1000)
}

showStatus()
// For who looks at it from outside.
globalThis.view = view
