// What the server has to do, read again every two seconds while it is looked at.
import { el, fill } from "./dom.js"
import { getJSON } from "./sectile.js"
import { number, plain, size } from "./values.js"

export async function showStatistics(place, app) {
  const show = async () => {
    const stats = await getJSON(`${app.base}/stats`)
    const view = app.view
    fill(place,
      list({ "Running for": time(stats.uptime), "Streams": number(stats.streams), "Memory of the server": size(stats.residentBytes) }),
      view ? [el("h3", {}, "This page"), list({
        "Version": number(view.version), "Changesets": number(view.statistics.changesets), "Begun anew": number(view.statistics.resets + view.statistics.keyed),
        "Reads of rows": number(view.statistics.reads), "Versions that were gone": number(view.statistics.gone), "Misfits": number(view.statistics.misfits)
      })] : null,
      el("h3", {}, "Views"),
      stats.views.map(each => el("details", { open: (each.request?.table || each.request?.sql) === (app.state.table || app.state.sql) }, el("summary", {}, plain(titleOf(each.request)), el("span", { class: "quiet" }, ` ${each.clients} client${each.clients === 1 ? "" : "s"}`)),
        list({ "Rows": number(each.rows), "Sections": number(each.sections), "Version": number(each.version), "Versions held": number(each.heldVersions), "Followed by": plain(each.strategy ?? ""), ...numbers(each.statistics) }))))
  }
  await show()
  const timer = setInterval(() => place.isConnected && show().catch(() => null), 2000)
  return () => clearInterval(timer)
}

const titleOf = request => (request?.view ?? [request?.table ?? request?.sql, request?.sectionBy && `by ${request.sectionBy}`, request?.filter && `where ${request.filter}`].filter(Boolean).join(" ")) || "view"
const numbers = values => Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => typeof value === "number").map(([name, value]) => [words(name), number(value)]))
const words = name => {
  const text = name.replace(/Count$/, "s").replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return text[0].toUpperCase() + text.slice(1)
}
const list = values => el("dl", {}, Object.entries(values).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))

function time(seconds) {
  const whole = Math.floor(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
