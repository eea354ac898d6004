// Elements from plain values. Text is set as text, never as markup.

/** Makes an element: properties that begin with `on` are listeners, the others attributes. */
export function el(name, properties = {}, ...children) {
  return furnish(document.createElement(name), properties, children)
}

/** Gives an element its properties, as of `el`, and its children; returns it. */
export function furnish(element, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value)
    else element.setAttribute(key, value === true ? "" : value)
  }
  append(element, children)
  return element
}

/** Appends nodes and texts; null and undefined are left out. */
export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child)
  }
}

/** Puts children in the place of all there are. */
export function fill(element, ...children) {
  element.replaceChildren()
  append(element, children)
}

/** A listener of a link that goes there on this page; to another tab the browser goes by itself. */
export const here = run => event => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return
  event.preventDefault()
  run()
}

/** Gives the element of the page with an id. */
export const byID = id => document.getElementById(id)

/** Sets a class or takes it away. */
export const mark = (element, name, isOn) => element.classList.toggle(name, isOn)
