// A head of a column that is dragged to another place. A mouse and a pen drag; a finger scrolls.

const least = 6
const edge = 40

/** Lets a head be dragged: `cells` gives all heads, `onMove` is told where it goes, counted without it. */
export function draggable(button, { cells, scroller, onMove }) {
  let wasDragged = false
  button.addEventListener("click", event => {
    if (!wasDragged) return
    // The click that ends it is none.
    event.stopImmediatePropagation()
    wasDragged = false
  }, true)
  button.addEventListener("pointerdown", down => {
    wasDragged = false
    if (down.button !== 0 || down.pointerType === "touch") return
    const cell = button.parentElement
    let to = null
    const show = place => {
      to = place
      const all = cells().filter(each => each !== cell)
      for (const each of cells()) each.classList.remove("drop-before", "drop-after")
      cell.classList.toggle("dragged", place !== null)
      if (place !== null) (all[place] ?? all.at(-1))?.classList.add(place < all.length ? "drop-before" : "drop-after")
    }
    const move = event => {
      if (to === null && Math.abs(event.clientX - down.clientX) < least) return
      if (to === null) button.setPointerCapture(down.pointerId)
      const view = scroller().getBoundingClientRect()
      if (event.clientX > view.right - edge) scroller().scrollLeft += 16
      else if (event.clientX < view.left + edge) scroller().scrollLeft -= 16
      const others = cells().filter(each => each !== cell)
      show(others.filter(each => {
        const { left, width } = each.getBoundingClientRect()
        return event.clientX > left + width / 2
      }).length)
    }
    const end = isDone => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener, true)
      const place = to
      show(null)
      wasDragged = place !== null
      if (isDone && place !== null) onMove(place)
    }
    const listeners = {
      pointermove: move, pointerup: () => end(true), pointercancel: () => end(false),
      keydown: event => {
        if (event.key !== "Escape" || to === null) return
        event.preventDefault()
        event.stopPropagation()
        end(false)
      }
    }
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener, true)
  })
}
