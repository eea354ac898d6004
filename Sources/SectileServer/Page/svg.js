// Pictures made of elements, and saved as they are seen.
import { furnish } from "./dom.js"

const namespace = "http://www.w3.org/2000/svg"

/** Makes an element of a picture; see `el`. */
export function svg(name, properties = {}, ...children) {
  return furnish(document.createElementNS(namespace, name), properties, children)
}

// What the style of the page says of an element, and a file has to say itself.
const looks = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor"]
// What a reader of the file has no use for.
const left = ["class", "style", "tabindex", "role", "href", "transform", "aria-label", "aria-current", "aria-roledescription"]

/** The text of an SVG file of a part of a picture: as it looks now, whole, on a ground of the page's colour. */
export function fileOf(part, { x = 0, y = 0, width, height }) {
  const copy = part.cloneNode(true)
  const originals = [part, ...part.querySelectorAll("*")]
  const copies = [copy, ...copy.querySelectorAll("*")]
  originals.forEach((original, i) => {
    const style = getComputedStyle(original)
    for (const name of left) copies[i].removeAttribute(name)
    for (const name of looks) if (original.tagName !== "title") copies[i].setAttribute(name, style.getPropertyValue(name))
  })
  // What is there for the mouse alone.
  for (const each of copy.querySelectorAll("[data-unsaved]")) each.remove()
  const ground = getComputedStyle(part.ownerSVGElement).backgroundColor
  const whole = svg("svg", { viewBox: `${x} ${y} ${width} ${height}`, width, height }, svg("rect", { x, y, width, height, fill: ground }), copy)
  // XML has no word for these two, whatever a name contains.
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(whole).replace(/[\ufffe\uffff]/g, "\ufffd")}\n`
}
