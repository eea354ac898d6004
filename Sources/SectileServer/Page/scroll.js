// Scrolling through contents of any height: browsers cap the height of elements near 33 million pixels, some at 17.
//
// The canvas is never higher than `cap`. Small steps of the scroll bar are steps of the contents; a long one, as when
// the bar is dragged, is a proportion. When scrolling rests, the bar is put where the proportion is right again.

const cap = 8_000_000

export class Scroll {
  #height = 0
  #last = 0
  #rest = null

  constructor(scroller, canvas, onScroll) {
    this.scroller = scroller
    this.canvas = canvas
    /** The place of the contents at the upper edge. */
    this.top = 0
    /** How often a place was asked for that there is not. */
    this.clamps = 0
    scroller.addEventListener("scroll", () => {
      if (this.#take()) onScroll()
    }, { passive: true })
  }

  get isScaled() { return this.#height > cap }

  /** What is seen of the canvas, without what stays at the upper edge. */
  get viewport() { return Math.max(0, this.scroller.clientHeight - this.canvas.offsetTop) }

  get end() { return Math.max(0, this.#height - this.viewport) }

  /** What places of the contents have to be lowered by, to be places of the canvas. */
  get shift() { return this.isScaled ? this.top - this.#last : 0 }

  /** Sets the height of the contents, and the place at the upper edge. */
  set(height, top) {
    if (height !== this.#height) {
      this.#height = height
      this.canvas.style.height = `${Math.min(height, cap)}px`
    }
    this.go(top)
  }

  /** Goes to a place. */
  go(top) {
    this.top = Math.min(Math.max(0, top), this.end)
    if (Math.abs(this.top - top) > 1) this.clamps += 1
    this.#place(this.isScaled ? this.#proportion() : this.top)
  }

  #proportion() { return (this.top / this.end) * (cap - this.viewport) }

  #place(position) {
    if (Math.abs(this.scroller.scrollTop - position) >= 1) this.scroller.scrollTop = position
    this.#last = this.scroller.scrollTop
    if (!this.isScaled && Math.abs(this.#last - this.top) > 1) this.top = this.#last
  }

  #take() {
    const now = this.scroller.scrollTop
    const step = now - this.#last
    if (step === 0) return false
    this.#last = now
    if (!this.isScaled) {
      this.top = now
      return true
    }
    const bottom = cap - this.viewport
    if (now <= 0) this.top = 0
    else if (now >= bottom - 1) this.top = this.end
    else if (Math.abs(step) > 3 * this.viewport) this.top = (now / bottom) * this.end
    else this.top = Math.min(Math.max(0, this.top + step), this.end)
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.onRest?.(), 200)
    return true
  }

  /** Puts the bar where it belongs; whether it was elsewhere. */
  settle() {
    if (!this.isScaled) return false
    const before = this.#last
    this.#place(this.#proportion())
    return this.#last !== before
  }
}
