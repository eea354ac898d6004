// What the rows that foreign keys lead to are called. What is in sight is asked for, many rows at once, and again from time to time.
import { getJSON, keyOf, queryOf } from "./sectile.js"

// How long others are waited for that are asked for together.
const pause = 40
const mostKeys = 100
const mostWanted = 2000
// An address is as long as a server takes it.
const longest = 12_000
const interval = 5000
const mostKnown = 5000

export class Labels {
  #known = new Map()
  #wanted = []
  #timer = null
  #asking = null
  // Keys that cannot be looked for: the server refuses them, or it takes too long.
  #given = new Set()

  /** `onChange` is called when something else is known; `inSight` gives the keys and values that are shown. */
  constructor(app, { onChange, inSight }) {
    this.app = app
    this.onChange = onChange
    this.inSight = inSight
    setInterval(() => this.#again(), interval)
  }

  /** Forgets everything. */
  begin() {
    this.#asking?.abort()
    this.#asking = null
    clearTimeout(this.#timer)
    this.#timer = null
    this.#known.clear()
    this.#given.clear()
    this.#wanted = []
  }

  /** What the row is called that a key leads to: `{ isFound, label }`; null where that is not known yet. */
  of(key, values) {
    const name = keyOf([key.columns, values])
    const known = this.#known.get(name)
    if (known !== undefined || this.#given.has(key)) return known ?? null
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(name, null)
    this.#want(key, values, name)
    return null
  }

  #want(key, values, name) {
    this.#wanted.push({ key, values, name })
    this.#start()
  }

  // One question at a time.
  #start() { if (!this.#asking && this.#wanted.length) this.#timer ??= setTimeout(() => this.#ask(), pause) }

  // Rows may be called otherwise by now, or be gone.
  #again() {
    const { app } = this
    if (document.visibilityState !== "visible" || app.isPaused || app.view?.state !== "open" || this.#timer || this.#asking) return
    const seen = new Set()
    for (const { key, values } of this.inSight()) {
      const name = keyOf([key.columns, values])
      if (seen.has(name) || this.#given.has(key)) continue
      seen.add(name)
      this.#want(key, values, name)
    }
  }

  async #ask() {
    this.#timer = null
    const asking = this.#asking = new AbortController()
    // Of what was scrolled past the last is asked for.
    for (const { name } of this.#wanted.splice(0, Math.max(0, this.#wanted.length - mostWanted))) if (this.#known.get(name) === null) this.#known.delete(name)
    const wanted = this.#wanted.splice(0)
    let isChanged = false
    for (const key of new Set(wanted.map(each => each.key))) {
      const rest = wanted.filter(each => each.key === key)
      while (rest.length && !this.#given.has(key)) {
        const part = partOf(rest)
        const answer = await this.#read(key, part, asking.signal)
        if (asking.signal.aborted) return
        part.forEach(({ name }, i) => {
          const row = answer?.rows?.[i]
          if (row === undefined) return
          const known = row ? { isFound: true, label: row.label } : { isFound: false, label: null }
          isChanged ||= keyOf(known) !== keyOf(this.#known.get(name) ?? null)
          this.#known.set(name, known)
        })
      }
    }
    this.#asking = null
    this.#start()
    if (isChanged) this.onChange()
  }

  // Null where it cannot be told now, and is asked for again later.
  async #read(key, part, signal) {
    try {
      const answer = await getJSON(`${this.app.base}/labels?${queryOf({
        table: key.target.name, column: key.targets, label: key.label, keys: JSON.stringify(part.map(each => each.values))
      })}`, signal)
      if (!answer.isComplete) this.#given.add(key)
      return answer
    } catch (error) {
      if (error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429) this.#given.add(key)
      return null
    }
  }
}

// Takes so many off that one request can ask for.
function partOf(rest) {
  const part = []
  let length = 0
  while (rest.length && part.length < mostKeys) {
    length += encodeURIComponent(JSON.stringify(rest[0].values)).length + 3
    if (part.length && length > longest) break
    part.push(rest.shift())
  }
  return part
}
