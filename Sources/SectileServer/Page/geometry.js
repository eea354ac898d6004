// Where rows and section headers stand, in pixels from the top of all contents. Pure arithmetic.
//
// Of a folded section there is the header alone. Its rows stand where the header ends, and take no room.

export class Geometry {
  // How many rows are shown before each section, and how many places the cursor has there; null where none is folded.
  #shown = null
  #stops = null

  /** `headHeight` is 0 where sections have no headers; `folds` says of a header whether its section is folded. */
  constructor(structure, rowHeight, headHeight, folds = null) {
    this.structure = structure
    this.rowHeight = rowHeight
    this.headHeight = headHeight
    if (!headHeight || !folds || folds.isEmpty) return
    const { sections } = structure
    this.#shown = new Array(sections.length + 1).fill(0)
    this.#stops = new Array(sections.length + 1).fill(0)
    sections.forEach(({ header, count }, i) => {
      const isFolded = folds.has(header)
      this.#shown[i + 1] = this.#shown[i] + (isFolded ? 0 : count)
      this.#stops[i + 1] = this.#stops[i] + (isFolded ? Math.min(1, count) : count)
    })
  }

  #before(section) { return this.#shown ? this.#shown[section] : this.structure.start(section) }

  /** Whether the rows of a section are not shown. O(1). */
  isFolded(section) {
    return this.#shown !== null && this.structure.sections[section]?.count > 0 && this.#shown[section + 1] === this.#shown[section]
  }

  /** Whether the row of a rank is not shown. O(log sections). */
  isHidden(rank) { return this.#shown !== null && this.isFolded(this.structure.path(rank).section) }

  /** The height of everything. */
  get height() {
    const { length } = this.structure.sections
    return this.#before(length) * this.rowHeight + length * this.headHeight
  }

  /** Where a section's header begins. */
  sectionTop(section) { return this.#before(section) * this.rowHeight + section * this.headHeight }

  /** Where the row of a rank begins. O(log sections). */
  rowTop(rank) {
    if (!this.headHeight) return rank * this.rowHeight
    const { section, item } = this.structure.path(rank)
    return this.sectionTop(section) + this.headHeight + (this.isFolded(section) ? 0 : item * this.rowHeight)
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

  /** The rank of the row at a place; the next one's where there is a header, the first one's of a folded section. O(log sections). */
  rankAt(y) {
    const { structure } = this
    if (!structure.total) return 0
    const section = this.sectionAt(y)
    const into = y - this.sectionTop(section) - this.headHeight
    const item = this.isFolded(section) ? 0 : Math.max(0, Math.floor(into / this.rowHeight))
    return Math.min(structure.total - 1, structure.start(section) + item)
  }

  /** The sections between two places, and which of their rows are there: `from` is a rank. O(log sections + sections between). */
  parts(top, bottom) {
    const { structure, rowHeight, headHeight } = this
    const parts = []
    for (let section = this.sectionAt(top); section < structure.sections.length; section++) {
      const y = this.sectionTop(section)
      if (y > bottom) break
      const count = this.isFolded(section) ? 0 : structure.sections[section].count
      const within = place => Math.min(count, Math.max(0, Math.floor((place - y - headHeight) / rowHeight)))
      const first = within(top)
      parts.push({ section, y, from: structure.start(section) + first, count: within(bottom + rowHeight) - first })
    }
    return parts
  }

  /** The ranks between two places that are shown, as ranges. */
  ranges(top, bottom) {
    const ranges = []
    for (const { from, count } of this.parts(top, bottom)) {
      const last = ranges.at(-1)
      if (!count) continue
      if (last && last.from + last.count === from) last.count += count
      else ranges.push({ from, count })
    }
    return ranges
  }

  // MARK: The cursor stops at each row, and at the header of each folded section.

  /** How many stops there are. */
  get stops() { return this.#stops ? this.#stops.at(-1) : this.structure.total }

  /** The stop of a rank. O(log sections). */
  stopOf(rank) {
    if (!this.#stops) return rank
    const { section, item } = this.structure.path(rank)
    return this.#stops[section] + (this.isFolded(section) ? 0 : item)
  }

  /** The rank of a stop: of a folded section that of its first row. O(log sections). */
  rankOf(stop) {
    if (!this.#stops) return stop
    let low = 0
    let high = this.structure.sections.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#stops[middle] <= stop) low = middle
      else high = middle - 1
    }
    return this.structure.start(low) + stop - this.#stops[low]
  }
}
