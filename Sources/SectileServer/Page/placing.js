// Heights and lines of a diagram whose columns are in order.

const apart = 18
const gap = 74
const passes = 8
// How far a line stands off that leads from a box to itself, or to one of its column.
const loopWidth = 22

/** Sets `y` of all nodes, so that lines are as level as the order allows; gives the left edges of the columns. */
export function place(rows, nodes, edges) {
  for (const row of rows) {
    let y = 0
    for (const key of row) {
      nodes.get(key).y = y
      y += nodes.get(key).height + apart
    }
  }
  for (let pass = 0; pass < passes; pass++) {
    const wanted = new Map()
    const want = (one, other) => {
      if (!wanted.has(one.key)) wanted.set(one.key, [])
      wanted.get(one.key).push(nodes.get(other.key).y + other.offset - one.offset)
    }
    for (const { a, b } of edges) {
      want(a, b)
      want(b, a)
    }
    // One layer after the other, forth and back: each follows those that are where they should be.
    rows.forEach((row, layer) => {
      if (layer % 2 === pass % 2) settle(row.map(key => nodes.get(key)), row.map(key => mean(wanted.get(key)) ?? nodes.get(key).y))
    })
  }
  const lefts = []
  let x = 0
  for (const row of rows) {
    lefts.push(x)
    x += Math.max(...row.map(key => nodes.get(key).width)) + gap
  }
  return lefts
}

const mean = values => (values ? values.reduce((sum, value) => sum + value, 0) / values.length : undefined)

/** Moves nodes of a column as near to where they should be as fits, in their order: those that are in each other's way move together. */
export function settle(nodes, wanted) {
  const blocks = []
  let offset = 0
  nodes.forEach((node, i) => {
    let block = { first: i, sum: wanted[i] - offset, count: 1 }
    while (blocks.length && blocks.at(-1).sum / blocks.at(-1).count > block.sum / block.count) {
      const upper = blocks.pop()
      block = { first: upper.first, sum: upper.sum + block.sum, count: upper.count + block.count }
    }
    blocks.push(block)
    offset += node.height + apart
  })
  offset = 0
  let at = 0
  nodes.forEach((node, i) => {
    if (at + 1 < blocks.length && blocks[at + 1].first === i) at++
    node.y = blocks[at].sum / blocks[at].count + offset
    offset += node.height + apart
  })
}

/** The points of a line along its chain, in pairs: of each column that it passes the two edges. */
export function path(chain, { fromY, toY }, nodes, lefts, widths) {
  const first = nodes.get(chain[0])
  const last = nodes.get(chain.at(-1))
  const right = layer => lefts[layer] + widths[layer]
  const y = { from: first.y + fromY, to: last.y + toY }
  if (first.layer === last.layer) return bow(right(first.layer), y.from, y.to)
  const isBack = first.layer > last.layer
  const points = [{ x: isBack ? lefts[first.layer] : right(first.layer), y: y.from }]
  for (const key of chain.slice(1, -1)) {
    const node = nodes.get(key)
    const ends = [{ x: lefts[node.layer], y: node.y }, { x: right(node.layer), y: node.y }]
    points.push(...(isBack ? ends.reverse() : ends))
  }
  points.push({ x: isBack ? right(last.layer) : lefts[last.layer], y: y.to })
  return points
}

/** The points of a line that leads from a box to itself. */
export function loop({ fromY, toY }, node, lefts, widths) {
  const x = lefts[node.layer] + widths[node.layer]
  const [from, to] = [node.y + fromY, node.y + (toY === fromY ? Math.max(6, toY - 10) : toY)]
  return bow(x, from, to)
}

// Beside a column, where no box is.
const bow = (x, from, to) => [{ x, y: from }, { x: x + loopWidth, y: from }, { x: x + loopWidth, y: to }, { x, y: to }]
