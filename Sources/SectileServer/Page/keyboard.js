// The keys. Those of the table apply where it has the focus; the others everywhere but in fields.
import { byID } from "./dom.js"
import { openCopyMenu } from "./copy.js"
import { closeMenu } from "./menu.js"
import { isPaletteKey, togglePalette } from "./palette.js"

export function installKeyboard(app) {
  document.addEventListener("keydown", event => {
    if (isPaletteKey(event) && !event.defaultPrevented) {
      event.preventDefault()
      return togglePalette(app)
    }
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

function gridKeys(app, { key, ctrlKey, shiftKey }) {
  const { grid } = app
  const { rank, column } = grid.cursor
  return {
    ArrowDown: () => grid.step(1, shiftKey),
    ArrowUp: () => grid.step(-1, shiftKey),
    ArrowLeft: () => grid.moveTo(rank, column - 1),
    ArrowRight: () => grid.moveTo(rank, column + 1),
    PageDown: () => grid.step(grid.pageSize, shiftKey),
    PageUp: () => grid.step(-grid.pageSize, shiftKey),
    Home: () => grid.moveTo(0, ctrlKey ? 0 : undefined, shiftKey),
    End: () => grid.moveTo(Infinity, undefined, shiftKey),
    Escape: grid.anchor === null ? undefined : () => grid.deselect(),
    c: () => openCopyMenu(app, grid.heads.element),
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
