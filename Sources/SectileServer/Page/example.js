// A live list in thirty lines: /example.html?table=package&section-by=section
import { subscribe } from "./sectile.js"

const request = Object.fromEntries(new URLSearchParams(location.search))
const list = document.getElementById("list")
const state = document.getElementById("state")

function show(view) {
  list.replaceChildren()
  view.sections.forEach(({ header, count }, section) => {
    const item = document.createElement("li")
    item.textContent = `${header.title}: ${count}`
    const rows = document.createElement("ol")
    for (let rank = view.structure.start(section); rank < view.structure.start(section) + Math.min(count, 3); rank++) {
      const row = document.createElement("li")
      row.textContent = view.row(rank)?.cells.join(", ") ?? "…"
      rows.append(row)
    }
    item.append(rows)
    list.append(item)
  })
  state.textContent = `${view.total} rows, version ${view.version}`
  view.want(0, Math.min(view.total, 200))
}

const error = (view, error) => { state.textContent = `${error.message} ${error.hint}` }
globalThis.view = subscribe("/api", request, { onReset: show, onChanges: show, onRows: show, onRecovered: show, onError: error })
