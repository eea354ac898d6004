// The transactions of the change log, the newest first.
import { el, fill } from "./dom.js"
import { noLog } from "./explain.js"
import { getJSON, queryOf } from "./sectile.js"
import { describe, number, plain, visible } from "./values.js"

const most = 200
const mostChanges = 200

export async function showHistory(place, app) {
  if (!app.schema.hasLog) return fill(place, el("p", {}, "The file has no change log."), el("p", { class: "hint" }, noLog(app.schema.file)))
  const onlyTable = el("input", { type: "checkbox" })
  const listPlace = el("div", { class: "transactions" })
  fill(place, app.state.table ? el("label", { class: "quiet" }, onlyTable, " this table alone") : null, listPlace)
  let shown = ""
  const show = async () => {
    const log = await getJSON(`${app.base}/log?${queryOf({ table: onlyTable.checked ? app.state.table : "", count: most })}`)
    const text = JSON.stringify(log.transactions)
    if (text === shown) return
    shown = text
    fill(listPlace, log.transactions.length ? [...log.transactions].reverse().map(one) : el("p", { class: "quiet" }, "Nothing yet."))
  }
  onlyTable.addEventListener("change", show)
  await show()
  const timer = setInterval(() => place.isConnected && show().catch(() => null), 2000)
  return () => clearInterval(timer)
}

function one({ author, tag, date, isAttributed, changes }) {
  const tables = [...new Set(changes.map(change => change.table))]
  const what = `${number(changes.length)} row${changes.length === 1 ? "" : "s"} of ${tables.map(plain).join(", ")}`
  const who = [author, tag, date].filter(Boolean).map(part => plain(part)).join(", ")
  return el("details", { open: changes.length <= 10 }, el("summary", {}, what,
    el("span", { class: "quiet" }, ` ${isAttributed ? who : "by programs that do not say who they are"}`)),
  el("ul", {}, changes.slice(0, mostChanges).map(({ table, operation, key }) => el("li", { class: "code" },
    el("span", { class: `operation ${operation}` }, plain(operation)), " ", tables.length > 1 ? [visible(table), " "] : null,
    el("span", {}, (Array.isArray(key) ? key : [key]).map(part => plain(describe(part).text)).join(", "))))),
  changes.length > mostChanges ? el("p", { class: "quiet" }, `and ${number(changes.length - mostChanges)} more`) : null)
}
