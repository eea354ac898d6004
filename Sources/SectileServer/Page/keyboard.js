// The keys. Those of the table apply where it has the focus; the others everywhere but in fields.
import { byID } from "./dom.js"
import { closeMenu } from "./menu.js"

export function installKeyboard(app) {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey && event.key !== "Home" && event.key !== "End") return
    if (event.metaKey || event.altKey || event.defaultPrevented) return
    if (event.target.matches("input, select, textarea")) return
    const isInGrid = event.target === app.grid.element || event.target === document.body
    const run = (isInGrid && gridKeys(app, event)) || anywhere(app)[event.key]
    if (!run) return
    event.preventDefault()
    run()
  })
}

function gridKeys(app, { key, ctrlKey }) {
  const { grid } = app
  const { rank, column } = grid.cursor
  return {
    ArrowDown: () => grid.step(1),
    ArrowUp: () => grid.step(-1),
    ArrowLeft: () => grid.moveTo(rank, column - 1),
    ArrowRight: () => grid.moveTo(rank, column + 1),
    PageDown: () => grid.step(grid.pageSize),
    PageUp: () => grid.step(-grid.pageSize),
    Home: () => (ctrlKey ? grid.moveTo(0, 0) : grid.moveTo(0)),
    End: () => grid.moveTo(Infinity),
    Enter: () => app.enter(),
    " ": () => app.inspect(),
    n: () => app.nextSection(1),
    N: () => app.nextSection(-1),
    s: () => app.sortByCursor(),
    m: () => grid.heads.openMenu(column),
    g: () => app.askForRow(),
    f: () => app.foldAtCursor(),
    F: () => app.toggleAllFolds(),
    "<": () => app.moveColumn(-1),
    ">": () => app.moveColumn(1),
    "-": () => app.widenColumn(-16),
    "+": () => app.widenColumn(16),
    "=": () => app.fitColumn(),
    l: () => app.pinColumn()
  }[key]
}

function anywhere(app) {
  const focus = id => () => {
    byID(id).focus()
    byID(id).select()
  }
  return {
    "/": focus("search"),
    w: focus("where"),
    p: () => app.togglePause(),
    "?": () => app.togglePanel("help"),
    e: () => app.togglePanel("explain"),
    d: () => app.togglePanel("schema"),
    q: () => app.goToQuery(),
    r: () => app.togglePanel("row"),
    t: () => app.toggleTables(),
    Escape: () => {
      closeMenu()
      app.closePanel()
    }
  }
}
