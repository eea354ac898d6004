// A menu at an element: one at a time, closed by Escape and by a click elsewhere.
import { el } from "./dom.js"

let open = null

export function closeMenu() {
  open?.close()
}

/** Opens a menu. Items are `{ title, run, isOn }`, `null` for a line, or elements. */
export function openMenu(anchor, items, label) {
  closeMenu()
  const returnTo = document.activeElement
  const menu = el("div", { class: "menu", role: "menu", "aria-label": label }, items.map(item => {
    if (item === null) return el("hr", { role: "separator" })
    if (item instanceof Node) return item
    return el("button", {
      type: "button", role: item.isOn === undefined ? "menuitem" : "menuitemcheckbox",
      "aria-checked": item.isOn === undefined ? null : String(item.isOn), tabindex: "-1",
      onclick: () => {
        closeMenu()
        item.run()
      }
    }, item.title)
  }))
  document.body.append(menu)
  const place = anchor.getBoundingClientRect()
  menu.style.left = `${Math.max(4, Math.min(place.left, innerWidth - menu.offsetWidth - 4))}px`
  menu.style.top = `${Math.max(4, Math.min(place.bottom + 2, innerHeight - menu.offsetHeight - 4))}px`
  const entries = () => [...menu.querySelectorAll("button, input, select")].filter(each => !each.hidden)
  const outside = event => {
    if (!menu.contains(event.target) && event.target !== anchor) closeMenu()
  }
  menu.addEventListener("keydown", event => {
    const all = entries()
    const at = all.indexOf(document.activeElement)
    const isField = event.target.matches("input, select")
    const isInForm = event.target.closest("form")
    if (event.key === "Escape") closeMenu()
    else if (isInForm && event.key === "Tab") all[(at + (event.shiftKey ? all.length - 1 : 1)) % all.length].focus()
    else if (event.target.matches("select") && /^Arrow/.test(event.key)) return event.stopPropagation()
    else if (event.key === "ArrowDown") all[(at + 1) % all.length].focus()
    else if (event.key === "ArrowUp") all[(at - 1 + all.length) % all.length].focus()
    else if (event.key === "Home" && !isField) all[0].focus()
    else if (event.key === "End" && !isField) all.at(-1).focus()
    else if (event.key === "Tab") closeMenu()
    else {
      event.stopPropagation()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  })
  document.addEventListener("pointerdown", outside, true)
  open = {
    close() {
      open = null
      document.removeEventListener("pointerdown", outside, true)
      menu.remove()
      returnTo?.focus?.({ preventScroll: true })
    }
  }
  entries()[0]?.focus()
}
