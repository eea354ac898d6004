// Which sections are folded: some, or all but some. New sections are as the most are.
import { keyOf } from "./sectile.js"

const all = "*"

export class Folds {
  /** As the address has them: identities as JSON, after a star where all others are folded. */
  constructor(list = []) {
    this.list = list
    this.isAll = list[0] === all
    this.keys = new Set(this.isAll ? list.slice(1) : list)
  }

  /** Whether none can be folded. */
  get isEmpty() { return this.list.length === 0 }

  /** Whether each is folded, whatever comes. */
  get isEach() { return this.isAll && this.keys.size === 0 }

  /** Whether the section of a header is folded. */
  has(header) { return this.isAll !== this.keys.has(keyOf(header.identity)) }

  /** With one section folded that is not, or the other way round. */
  toggling(header) {
    const key = keyOf(header.identity)
    const keys = this.keys.has(key) ? [...this.keys].filter(each => each !== key) : [...this.keys, key]
    return new Folds(this.isAll ? [all, ...keys] : keys)
  }

  /** With all sections folded; where they are, with none. */
  togglingAll() { return new Folds(this.isEach ? [] : [all]) }
}
