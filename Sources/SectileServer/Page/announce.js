// What changed, said to readers of the screen: not more often than they can follow.
import { byID } from "./dom.js"
import { number } from "./values.js"

const interval = 4000
const shownFor = 6000
const sums = { inserted: 0, moved: 0, updated: 0, removed: 0 }
let timer = null

/** Says a sentence at once. */
export function say(text) {
  byID("announcer").textContent = text
}

let hiding = null

/** Says a sentence, and shows it for a while. */
export function tell(text) {
  say(text)
  const place = byID("told")
  place.textContent = text
  place.hidden = false
  clearTimeout(hiding)
  hiding = setTimeout(() => { place.hidden = true }, shownFor)
}

/** Adds up a changeset; what came together is said now and then. */
export function announce({ changeset: { rows } }, total) {
  sums.inserted += rows.inserts.length
  sums.moved += rows.moves.length
  sums.updated += rows.updates.length
  sums.removed += rows.deletes.length
  timer ??= setTimeout(() => {
    timer = null
    const parts = Object.entries(sums).filter(([, count]) => count).map(([name, count]) => `${number(count)} ${name}`)
    for (const name of Object.keys(sums)) sums[name] = 0
    if (parts.length) say(`${parts.join(", ")}. ${number(total())} rows.`)
  }, interval)
}
