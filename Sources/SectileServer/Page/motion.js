// What moved is seen to move: first, last, invert, play. Places are known as numbers, so nothing is measured.

const calm = matchMedia("(prefers-reduced-motion: reduce)")
const time = 240
const markTime = 1600

/** Whether motion is wanted. */
export const isMoving = () => !calm.matches && document.visibilityState === "visible"

/** Lets an element glide to where it is now, from `distance` pixels below. */
export function glide(element, distance) {
  element.animate(
    [{ translate: `0 ${distance}px` }, { translate: "0 0" }], { duration: time, easing: "cubic-bezier(.2,.7,.2,1)" })
}

/** Lets an element fade, and takes it away. It is no row any more, for readers of the page. */
export function fade(element) {
  for (const name of ["role", "id", "aria-rowindex", "aria-selected"]) element.removeAttribute(name)
  element.setAttribute("aria-hidden", "true")
  element.className = "row gone"
  if (!isMoving()) return element.remove()
  const animation = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: time, fill: "forwards" })
  animation.onfinish = () => element.remove()
  animation.oncancel = () => element.remove()
}

const timers = new WeakMap()

/** Marks an element for a while. */
export function flash(element, name) {
  const running = timers.get(element) ?? {}
  clearTimeout(running[name])
  element.classList.remove(name)
  // The animation of the class begins again in the next frame.
  requestAnimationFrame(() => element.classList.add(name))
  running[name] = setTimeout(() => element.classList.remove(name), markTime)
  timers.set(element, running)
}
