// Many clients of live routes in one process: sectile.js as it is, with an EventSource for node.
//
//     node follow.mjs MODULE PORT --name NAME --clients N
//
// Standard input has a line for each command: `ack N` when the probe N is written, `report FILE` for a line of JSON of
// each client, beside a fetch in a file. The end of the input ends it.

import { readFileSync } from "node:fs"
import http from "node:http"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"

const [modulePath, port, ...rest] = process.argv.slice(2)
const option = (name, otherwise) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : otherwise)
const name = option("--name", "node")
const count = Number(option("--clients", "10"))

// MARK: What a browser has

// Each client has a host of its own, which tells its requests from those of others: `http://node-3.storm/live`.
const hostOf = url => new URL(url).hostname.replace(/\.storm$/, "")

const ownFetch = globalThis.fetch
globalThis.fetch = (url, options = {}) => {
  const { pathname, search } = new URL(url)
  return ownFetch(`http://127.0.0.1:${port}${pathname}${search}`, {
    ...options, headers: { ...options.headers, "X-Client": hostOf(url) }
  })
}

// It connects once: sectile.js closes it at an error, and makes another.
globalThis.EventSource = class {
  #listeners = new Map()
  #request
  #isClosed = false
  #text = ""

  constructor(url) {
    const { pathname, search } = new URL(url)
    this.#request = http.get({
      host: "127.0.0.1", port: Number(port), path: pathname + search, agent: false,
      headers: { Accept: "text/event-stream", "Cache-Control": "no-store", "X-Client": hostOf(url) }
    }, answer => {
      if (answer.statusCode !== 200 || !/^text\/event-stream/.test(answer.headers["content-type"] ?? "")) return this.#fail()
      answer.setEncoding("utf8")
      answer.on("data", piece => this.#take(piece))
      for (const end of ["end", "error", "close"]) answer.on(end, () => this.#fail())
    })
    this.#request.on("error", () => this.#fail())
  }

  addEventListener(kind, listener) {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener])
  }

  removeEventListener(kind, listener) {
    this.#listeners.set(kind, (this.#listeners.get(kind) ?? []).filter(other => other !== listener))
  }

  close() {
    this.#isClosed = true
    this.#request.destroy()
  }

  #fail() {
    if (this.#isClosed) return
    this.close()
    this.onerror?.()
  }

  #take(piece) {
    this.#text += piece
    const blocks = this.#text.split("\n\n")
    this.#text = blocks.pop()
    for (const block of blocks) {
      let event = "message"
      let data = null
      for (const line of block.split("\n")) {
        const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)
        if (field === "event") event = value
        if (field === "id") this.lastEventId = value
        if (field === "data") data = data === null ? value : `${data}\n${value}`
      }
      if (data === null || this.#isClosed) continue
      const told = { type: event, data, lastEventId: this.lastEventId ?? "" }
      for (const listener of this.#listeners.get(event) ?? []) listener(told)
    }
  }
}

// What does not fit is counted.
console.warn = () => {}

// MARK: Clients

const { subscribe } = await import(pathToFileURL(modulePath))

// More than this between two ticks was sleep, of which nobody could say anything.
const longestTick = 300
const acknowledged = { now: 0, last: performance.now(), times: [] }

class Follower {
  constructor(name) {
    this.name = name
    this.worst = 0
    this.liveSince = null
    this.resets = {}
    this.error = ""
    this.view = subscribe(`http://${name}.storm/live`, { view: "parcels" }, {
      onReset: (_, reason) => (this.resets[reason] = (this.resets[reason] ?? 0) + 1),
      onError: (_, error) => (this.error = error.code)
    })
    // The probe is the first row.
    this.view.want(0, 1)
  }

  cellsOf(rank) {
    const row = this.view.row(rank)
    return row && !row.stale ? Object.fromEntries(this.view.columns.map((column, i) => [column, row.cells[i]])) : null
  }

  // Rows are read when they are looked at: one that is not here yet is not shown, and says nothing.
  get probe() {
    const cells = this.view.total ? this.cellsOf(0) : null
    return cells?.id === 0 ? cells.weight : this.view.isLoaded && this.view.total && !cells ? null : 0
  }

  look() {
    if (this.view.state !== "open") {
      this.liveSince = null
      return
    }
    this.liveSince ??= acknowledged.now
    const probe = this.probe
    if (probe === null) return
    const missing = acknowledged.times[probe]
    if (missing !== undefined) this.worst = Math.max(this.worst, acknowledged.now - Math.max(missing, this.liveSince))
  }

  report(fresh) {
    const { view } = this
    view.want(0, Math.max(1, view.total))
    const shown = view.sections.map(({ header, count }) => [header.identity, count])
    const told = fresh.sections.map(({ header, rows }) => [header.identity, rows.length])
    const items = fresh.sections.flatMap(({ rows }) => rows.map(({ item }) => item))
    const isEqual = JSON.stringify(shown) === JSON.stringify(told) && items.every((item, rank) => {
      const cells = this.cellsOf(rank)
      return cells && Object.keys(item).every(column => cells[column] === item[column])
    })
    return {
      client: this.name, state: view.state === "open" ? "live" : view.state, equal: isEqual, probe: this.probe ?? -1,
      worst: Math.round(this.worst / 10) / 100, told: [], resets: this.resets, misfits: view.statistics.misfits, error: this.error
    }
  }
}

const followers = Array.from({ length: count }, (_, number) => new Follower(`${name}-${number}`))

setInterval(() => {
  const moment = performance.now()
  acknowledged.now += Math.min(moment - acknowledged.last, longestTick)
  acknowledged.last = moment
  for (const follower of followers) follower.look()
}, 100)

for await (const line of createInterface({ input: process.stdin })) {
  const [word, argument] = line.split(/ (.*)/s)
  if (word === "ack") while (acknowledged.times.length < Number(argument)) acknowledged.times.push(acknowledged.now)
  if (word === "report") {
    const fresh = JSON.parse(readFileSync(argument, "utf8"))
    const lines = followers.map(follower => JSON.stringify(follower.report(fresh)))
    process.stdout.write(`${[...lines, JSON.stringify({ reported: followers.length })].join("\n")}\n`)
  }
}
process.exit(0)
