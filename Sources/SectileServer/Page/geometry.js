// Where rows and section headers stand, in pixels from the top of all contents. Pure arithmetic.

export class Geometry {
  /** `headHeight` is 0 where sections have no headers. */
  constructor(structure, rowHeight, headHeight) {
    this.structure = structure
    this.rowHeight = rowHeight
    this.headHeight = headHeight
  }

  /** The height of everything. */
  get height() {
    return this.structure.total * this.rowHeight + this.structure.sections.length * this.headHeight
  }

  /** Where a section's header begins. */
  sectionTop(section) { return this.structure.start(section) * this.rowHeight + section * this.headHeight }

  /** Where the row of a rank begins. O(log sections). */
  rowTop(rank) {
    if (!this.headHeight) return rank * this.rowHeight
    return rank * this.rowHeight + (this.structure.path(rank).section + 1) * this.headHeight
  }

  /** The section at a place. O(log sections). */
  sectionAt(y) {
    let low = 0
    let high = this.structure.sections.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.sectionTop(middle) <= y) low = middle
      else high = middle - 1
    }
    return Math.max(0, low)
  }

  /** The rank of the row at a place; the next one's where there is a header. O(log sections). */
  rankAt(y) {
    const { structure } = this
    if (!structure.total) return 0
    const section = this.sectionAt(y)
    const into = y - this.sectionTop(section) - this.headHeight
    const item = Math.max(0, Math.floor(into / this.rowHeight))
    return Math.min(structure.total - 1, structure.start(section) + item)
  }
}
