// JSON as a tree that opens and closes. The numbers are shown as they are written.
import { el } from "./dom.js"
import { visible } from "./values.js"

const mostMembers = 200

/** Makes the tree of a text; null where it is no JSON. */
export function jsonTree(text) {
  let value
  try {
    value = JSON.parse(text, (_, each, context) => (typeof each === "number" && context?.source ? { [number]: context.source } : each))
  } catch {
    return null
  }
  return el("div", { class: "tree code" }, node(null, value, 0))
}

const number = Symbol("number")

function node(name, value, depth) {
  const label = name === null ? null : el("span", { class: "tree-name" }, visible(String(name)), ": ")
  if (value === null || typeof value !== "object" || value[number] !== undefined) return el("div", {}, label, leaf(value))
  const isArray = Array.isArray(value)
  const members = isArray ? [...value.entries()] : Object.entries(value)
  const summary = el("summary", {}, label, el("span", { class: "quiet" }, isArray ? `[ ${members.length} ]` : `{ ${members.length} }`))
  const details = el("details", { open: depth < 2 && members.length <= 50 }, summary)
  // Members are made when they are looked at: what is nested deeply stays unmade.
  let made = 0
  const make = () => {
    for (const [key, member] of members.slice(made, made + mostMembers)) details.append(node(key, member, depth + 1))
    made += mostMembers
    if (made >= members.length) return
    const more = el("button", {
      type: "button", class: "small",
      onclick: () => {
        more.remove()
        make()
      }
    }, `${members.length - made} more`)
    details.append(more)
  }
  if (details.open) make()
  else details.addEventListener("toggle", make, { once: true })
  return details
}

function leaf(value) {
  if (typeof value === "string") return el("span", { class: "json-text" }, "“", visible(value), "”")
  if (value === null) return el("span", { class: "null" }, "null")
  return el("span", { class: "json-number" }, String(value?.[number] ?? value))
}
