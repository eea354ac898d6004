// The transactions of the change log, the newest first.
import { el, fill } from "./dom.js"
import { getJSON, queryOf } from "./sectile.js"
import { describe, plain } from "./values.js"

const most = 200

export async function showHistory(place, app) {
  if (!app.schema.hasLog) return fill(place, el("p", {}, "The file has no change log."), el("p", { class: "hint" }, "Switch it on: sectile log FILE enable"))
  const onlyTable = el("input", { type: "checkbox" })
  const listPlace = el("div", { class: "transactions" })
  fill(place, el("label", { class: "quiet" }, onlyTable, " this table alone"), listPlace)
  let shown = ""
  const show = async () => {
    const log = await getJSON(`${app.base}/log?${queryOf({ table: onlyTable.checked ? app.state.table : "", count: most })}`)
    const text = JSON.stringify(log.transactions)
    if (text === shown) return
    shown = text
    fill(listPlace, log.transactions.length ? [...log.transactions].reverse().map(transaction => one(transaction)) : el("p", { class: "quiet" }, "Nothing yet."))
  }
  onlyTable.addEventListener("change", show)
  await show()
  const timer = setInterval(() => place.isConnected && show().catch(() => null), 2000)
  return () => clearInterval(timer)
}

function one(transaction) {
  const rows = transaction.changes ?? transaction.rows ?? []
  const title = transaction.token ?? transaction.sequence ?? transaction.id ?? ""
  return el("details", {}, el("summary", {}, plain(String(title)), el("span", { class: "quiet" }, ` ${rows.length} row${rows.length === 1 ? "" : "s"}`)),
    el("ul", {}, rows.slice(0, 200).map(row => el("li", { class: "code" }, line(row)))))
}

function line(row) {
  const { table, ...others } = row
  return [plain(table ?? ""), " ", Object.entries(others).map(([name, value]) => `${plain(name)}: ${typeof value === "object" ? plain(JSON.stringify(value)) : plain(describe(value).text)}`).join(", ")]
}
