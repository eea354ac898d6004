// Where the boxes of a diagram stand, and how lines lead from one to another: columns of boxes, in which each box is right of
// those that it refers to. Nothing here knows how it is drawn.
//
//   layer 0     gap      layer 1     gap      layer 2
//   ┌─────┐            ┌─────────┐          ┌──────┐
//   │ user│◀───────────│ user_id │◀─────────│ order│
//   └─────┘◀───────╮   └─────────┘          └──────┘
//                  ╰──────────────────────────╯        a line past a layer has a place in it

import { loop, path, place } from "./placing.js"

// Between what is not connected.
const between = 46
const mostSweeps = 12
// Pieces of lines that are looked at in all sweeps: what is large is put in order less carefully.
const effort = 120_000

/**
 * Lays boxes out.
 *
 * `boxes` are `{ width, height }`; `links` are `{ from, to, fromY, toY }` with the numbers of two boxes, and how far below the
 * upper edge of each the line ends. Gives `{ width, height, boxes: [{ x, y, width, height }], paths }`: of each link the points
 * it goes through, in pairs of one straight piece each. The time is about that of sorting, for each of a few passes.
 */
export function layOut(boxes, links, aspect = 1.5) {
  const placed = Array(boxes.length)
  const paths = Array(links.length)
  const parts = components(boxes.length, links).map(members => {
    const has = new Set(members)
    const own = links.map((_, i) => i).filter(i => has.has(links[i].from))
    return own.length ? component(members, own, boxes, links, aspect) : single(members[0], boxes)
  })
  // The largest first; rows of about the shape of the window.
  parts.sort((a, b) => b.height * b.width - a.height * a.width || a.members[0] - b.members[0])
  const area = parts.reduce((sum, part) => sum + (part.width + between) * (part.height + between), 0)
  const room = Math.max(...parts.map(part => part.width), Math.sqrt(area * aspect), 0)
  let x = 0, y = 0, rowHeight = 0, width = 0
  for (const part of parts) {
    if (x > 0 && x + part.width > room) {
      x = 0
      y += rowHeight + between
      rowHeight = 0
    }
    for (const [box, place] of part.boxes) placed[box] = { ...place, x: place.x + x, y: place.y + y }
    for (const [link, points] of part.paths) paths[link] = points.map(point => ({ x: point.x + x, y: point.y + y }))
    width = Math.max(width, x + part.width)
    rowHeight = Math.max(rowHeight, part.height)
    x += part.width + between
  }
  return { width, height: y + rowHeight, boxes: placed, paths }
}

/** The numbers of boxes that links connect, directly or not. */
function components(count, links) {
  const parent = Array.from({ length: count }, (_, i) => i)
  const root = i => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]]
    return i
  }
  for (const { from, to } of links) parent[root(from)] = root(to)
  const found = new Map()
  for (let i = 0; i < count; i++) found.set(root(i), [...found.get(root(i)) ?? [], i])
  return [...found.values()]
}

const single = (box, boxes) => ({ members: [box], width: boxes[box].width, height: boxes[box].height, boxes: [[box, { x: 0, y: 0, ...boxes[box] }]], paths: [] })

function component(members, own, boxes, links, aspect) {
  const others = own.filter(i => links[i].from !== links[i].to)
  const layerOf = layers(members, others.map(i => links[i]), Math.max(3, Math.ceil(Math.sqrt(members.length * 2 / aspect))))
  // What stands in the layers: boxes, and the places of lines that pass. Lines to one end share a place.
  const rows = Array.from({ length: Math.max(...layerOf.values()) + 1 }, () => [])
  const nodes = new Map()
  const add = (key, layer, width, height) => {
    if (!nodes.has(key)) {
      nodes.set(key, { key, layer, width, height, y: 0 })
      rows[layer].push(key)
    }
    return key
  }
  for (const box of members) add(`b${box}`, layerOf.get(box), boxes[box].width, boxes[box].height)
  const chains = new Map(others.map(i => {
    const { from, to, toY } = links[i]
    const [first, last] = [layerOf.get(from), layerOf.get(to)]
    const step = first > last ? -1 : 1
    const passed = []
    for (let layer = first + step; layer !== last && first !== last; layer += step) passed.push(add(`l${to}/${toY}/${step}/${layer}`, layer, 0, 0))
    return [i, [`b${from}`, ...passed, `b${to}`]]
  }))
  const edges = edgesBetween(chains, nodes, links)
  order(rows, edges)
  const lefts = place(rows, nodes, edges)
  const widths = rows.map(row => Math.max(...row.map(key => nodes.get(key).width)))
  const paths = own.map(i => [i, chains.has(i) ? path(chains.get(i), links[i], nodes, lefts, widths) : loop(links[i], nodes.get(`b${links[i].from}`), lefts, widths)])
  const top = [...nodes.values()].reduce((least, node) => Math.min(least, node.y), Infinity)
  for (const [, points] of paths) for (const point of points) point.y -= top
  const end = lefts.at(-1) + widths.at(-1)
  return {
    members, paths,
    boxes: members.map(box => {
      const { layer, y, height } = nodes.get(`b${box}`)
      return [box, { x: lefts[layer], y: y - top, width: widths[layer], height }]
    }),
    width: greatest(paths.flatMap(([, points]) => points.map(point => point.x)), end),
    height: greatest([...nodes.values()].map(node => node.y + node.height), top) - top
  }
}

// There may be more of them than a call takes.
const greatest = (values, first) => values.reduce((most, value) => Math.max(most, value), first)

/** The layer of each box: one more than those of what it refers to, and further where that is full. */
function layers(members, links, most) {
  const targets = new Map(members.map(box => [box, new Set()]))
  const sources = new Map(members.map(box => [box, new Set()]))
  for (const { from, to } of links) {
    targets.get(from).add(to)
    sources.get(to).add(from)
  }
  const layerOf = new Map()
  const counts = []
  const waiting = new Map(members.map(box => [box, targets.get(box).size]))
  const ready = members.filter(box => waiting.get(box) === 0)
  while (waiting.size) {
    // In a circle the one to which the most refer is the first; what it refers to itself does not count.
    const box = ready.length ? ready.shift() : [...waiting.keys()].reduce((best, each) => (open(each) > open(best) ? each : best))
    waiting.delete(box)
    let layer = [...targets.get(box)].reduce((last, target) => Math.max(last, layerOf.get(target) ?? -1), -1) + 1
    while ((counts[layer] ?? 0) >= most) layer++
    counts[layer] = (counts[layer] ?? 0) + 1
    layerOf.set(box, layer)
    for (const source of sources.get(box)) {
      if (!waiting.has(source)) continue
      waiting.set(source, waiting.get(source) - 1)
      if (waiting.get(source) === 0) ready.push(source)
    }
  }
  return layerOf

  function open(box) { return [...sources.get(box)].filter(each => waiting.has(each)).length - waiting.get(box) }
}

// The pieces of lines between neighbouring layers, each with how far below the upper edge of its ends it begins.
function edgesBetween(chains, nodes, links) {
  const found = new Map()
  for (const [i, chain] of chains) {
    // Within a layer, as in a circle, a line takes no part in the order.
    if (nodes.get(chain[0]).layer === nodes.get(chain.at(-1)).layer) continue
    for (let at = 1; at < chain.length; at++) {
      const one = { key: chain[at - 1], offset: at === 1 ? links[i].fromY : 0 }
      const other = { key: chain[at], offset: at === chain.length - 1 ? links[i].toY : 0 }
      const [a, b] = nodes.get(one.key).layer <= nodes.get(other.key).layer ? [one, other] : [other, one]
      found.set(`${a.key}:${a.offset} ${b.key}:${b.offset}`, { a, b, layer: nodes.get(a.key).layer })
    }
  }
  return [...found.values()]
}

/** Puts each layer in the order of what its nodes are connected to; of all orders that are tried, that with the fewest crossings stays. */
function order(rows, edges) {
  const before = neighbours(edges, "b", "a")
  const after = neighbours(edges, "a", "b")
  let best = rows.map(row => [...row])
  let fewest = crossings(rows, edges)
  const sweeps = Math.min(mostSweeps, Math.ceil(effort / (edges.length || 1)))
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0
    const positions = new Map(rows.flatMap(row => row.map((key, i) => [key, i])))
    const sequence = isDown ? rows.map((_, i) => i) : rows.map((_, i) => rows.length - 1 - i)
    for (const layer of sequence) {
      const means = new Map(rows[layer].map(key => {
        const near = (isDown ? before : after).get(key) ?? []
        // The row of a box at which a line ends counts a little.
        return [key, near.length ? near.reduce((sum, { key, offset }) => sum + positions.get(key) + offset / 1e4, 0) / near.length : positions.get(key)]
      }))
      rows[layer].sort((a, b) => means.get(a) - means.get(b) || positions.get(a) - positions.get(b))
      rows[layer].forEach((key, i) => positions.set(key, i))
    }
    const count = crossings(rows, edges)
    if (count < fewest) {
      fewest = count
      best = rows.map(row => [...row])
    }
  }
  best.forEach((row, i) => { rows[i] = row })
}

function neighbours(edges, of, to) {
  const found = new Map()
  for (const edge of edges) {
    const key = edge[of].key
    if (!found.has(key)) found.set(key, [])
    found.get(key).push(edge[to])
  }
  return found
}

/** How many pairs of lines cross. */
export function crossings(rows, edges) {
  const at = new Map(rows.flatMap(row => row.map((key, i) => [key, i])))
  const place = ({ key, offset }) => at.get(key) + offset / 1e6
  const byLayer = rows.map(() => [])
  for (const { a, b, layer } of edges) byLayer[layer].push([place(a), place(b)])
  let count = 0
  for (const pairs of byLayer) {
    const sorted = pairs.sort((x, y) => x[0] - y[0] || x[1] - y[1])
    const ends = []
    for (const [, end] of sorted) {
      let low = 0, high = ends.length
      while (low < high) {
        const middle = low + high >> 1
        if (ends[middle] <= end) low = middle + 1
        else high = middle
      }
      count += ends.length - low
      ends.splice(low, 0, end)
    }
  }
  return count
}
