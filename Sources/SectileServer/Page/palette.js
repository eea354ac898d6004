// Everything that can be done, found by words: a field with a list below it, for the keyboard alone.
import { toggledSort } from "./columnmenu.js"
import { canArrange, pinsOf, toggleColumn, togglePin } from "./columns.js"
import { conditionForm } from "./conditions.js"
import { copyCommands, openCopyMenu } from "./copy.js"
import { byID, el } from "./dom.js"
import { closeMenu, openMenu } from "./menu.js"
import { isColumn, quoted } from "./state.js"
import { choose, theme, themes } from "./theme.js"
import { number, plain, visible } from "./values.js"

const mostShown = 60
let open = null

/** Opens the palette; closes it where it is open. */
export function togglePalette(app) {
  if (open) return open.close()
  closeMenu()
  const commands = commandsOf(app)
  const list = el("ul", { id: "palette-list", role: "listbox", "aria-label": "Commands" })
  const input = el("input", {
    type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "palette-list", "aria-autocomplete": "list", "aria-label": "Find a command",
    placeholder: "Table, column, action …", autocomplete: "off", spellcheck: "false", autocapitalize: "off"
  })
  const status = el("p", { class: "palette-status", role: "status" })
  const dialog = el("dialog", { class: "palette", "aria-label": "Commands" }, input, list, status)
  let found = []
  let at = 0
  const pick = position => {
    at = Math.min(Math.max(0, position), Math.max(0, list.children.length - 1));
    [...list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === at)))
    const option = list.children[at]
    if (option) input.setAttribute("aria-activedescendant", option.id)
    else input.removeAttribute("aria-activedescendant")
    option?.scrollIntoView({ block: "nearest" })
  }
  const show = () => {
    found = matching(commands, input.value)
    list.replaceChildren(...found.slice(0, mostShown).map((command, i) =>
      el("li", { id: `palette-${i}`, role: "option", "aria-selected": "false" },
        el("span", { class: "palette-title" }, visible(command.title)), command.key ? el("kbd", {}, command.key) : null, el("span", { class: "quiet palette-kind" }, command.kind))))
    status.textContent = !found.length ? "Nothing is found." : found.length > mostShown ? `${number(mostShown)} of ${number(found.length)}: write more.` : ""
    pick(0)
  }
  const run = position => {
    const command = found[position]
    if (!command) return
    dialog.close()
    command.run()
  }
  input.addEventListener("input", show)
  dialog.addEventListener("keydown", event => {
    // An input method has its own use of these keys.
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    const isToggle = isPaletteKey(event)
    const { length } = list.children
    if (isToggle) dialog.close()
    else if (event.key === "Enter") run(at)
    else if (Math.abs(step) === 1) pick(length ? (at + step + length) % length : 0)
    else if (step) pick(at + step)
    else if (event.key === "Tab") input.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  list.addEventListener("pointermove", event => {
    const option = event.target.closest("li")
    if (option && (event.movementX || event.movementY)) pick([...list.children].indexOf(option))
  })
  dialog.addEventListener("click", event => {
    if (event.target === dialog) return dialog.close()
    const option = event.target.closest("li")
    if (option) run([...list.children].indexOf(option))
  })
  dialog.addEventListener("close", () => {
    open = null
    dialog.remove()
  })
  document.body.append(dialog)
  open = dialog
  dialog.showModal()
  show()
  input.focus()
}

/** Whether a key opens and closes the palette. */
export const isPaletteKey = event =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k"

/**
 * The commands that all words match, the best first: where a word begins one of the title's, then where it is part of it,
 * then where its letters come in their order.
 */
export function matching(commands, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return commands
  const scored = []
  commands.forEach((command, i) => {
    const title = command.title.toLowerCase()
    let score = 0
    for (const word of words) {
      const one = scoreOf(title, word)
      if (!one) return
      score += one
    }
    // Whoever writes all of a title means that one.
    scored.push({ command, score: title === words.join(" ") ? Infinity : score, i })
  })
  return scored.sort((a, b) => (a.score === b.score ? a.i - b.i : b.score - a.score)).map(each => each.command)
}

function scoreOf(title, word) {
  const at = title.indexOf(word)
  if (at === 0) return 5
  if (at > 0) {
    for (let from = at; from > 0; from = title.indexOf(word, from + 1)) {
      if (!/[\p{L}\p{N}]/u.test(title[from - 1])) return 4
    }
    return 3
  }
  let from = 0
  for (const letter of word) {
    const found = title.indexOf(letter, from)
    if (found < 0) return 0
    from = found + letter.length
  }
  return 1
}

function commandsOf(app) {
  return [...actions(app), ...tableCommands(app), ...columnCommands(app), ...copyCommands(app)]
}

function actions(app) {
  const { state, view } = app
  const action = (title, key, run, is = true) => (is ? [{ kind: "Action", title, key, run }] : [])
  const focus = id => () => {
    byID(id).focus()
    byID(id).select()
  }
  const panel = (name, title, key, is) => action(`${app.panels.isOf(name) ? "Close" : "Show"} ${title}`, key, () => app.togglePanel(name), is)
  const isSectioned = Boolean(state["section-by"] && view?.total)
  return [
    action(app.isPaused ? "Resume" : "Pause", "p", () => app.togglePause()),
    action("Go to row …", "g", () => app.askForRow(), Boolean(view?.total)),
    action("Search", "/", focus("search")),
    action("Condition in SQL", "w", focus("where")),
    action("Write a SELECT", "q", () => app.goToQuery()),
    action("Copy or export …", "c", () => openCopyMenu(app, app.grid.heads.element), Boolean(view?.total)),
    action("Look at the cell", "Enter", () => app.inspect(), Boolean(view?.total)),
    panel("row", "the whole row", "r"),
    panel("schema", "schema", "d"),
    action("Show the diagram of the schema", "", () => app.change({ panel: "diagram" }), app.panels.current !== "diagram"),
    panel("chart", "the chart of the sections", "", isSectioned),
    panel("explain", "explain: what following costs", "e"),
    panel("history", "history", "", app.schema.hasLog),
    panel("stats", "statistics", ""),
    panel("help", "help and keys", "?"),
    action("Show tables", "t", () => app.toggleTables(true)),
    action("Fold or unfold the section", "f", () => app.foldAtCursor(), isSectioned),
    action(app.grid.folds.isEach ? "Unfold all sections" : "Fold all sections", "F", () => app.toggleAllFolds(), isSectioned),
    action("Next section", "n", () => app.nextSection(1), isSectioned),
    action("Previous section", "N", () => app.nextSection(-1), isSectioned),
    action("Do not group", "", () => app.change({ "section-by": "" }), Boolean(state["section-by"])),
    action("Do not sort", "", () => app.change({ sort: [] }), state.sort.length > 0),
    action("Remove all conditions", "", () => app.change({ filter: [], where: "", search: "" }), Boolean(state.filter.length || state.where || state.search)),
    action("Show all columns", "", () => app.change({ column: ["*"] }), app.columnNames.length < app.allColumns.length),
    ...Object.entries(themes).filter(([name]) => name !== theme()).map(([name, title]) => action(`Theme: ${title}`, "", () => choose(name)))
  ].flat()
}

const tableCommands = app => app.schema.tables.map(({ name, kind }) => ({
  kind: kind === "table" ? "Table" : kind === "view" ? "View" : plain(kind), title: name, run: () => app.choose(name)
}))

function columnCommands(app) {
  const { state } = app
  const shown = new Set(app.columnNames)
  return app.allColumns.flatMap(name => {
    const column = quoted(name)
    const command = (title, run, is = true) => (is ? [{ kind: "Column", title: `${title} ${name}`, run }] : [])
    const isGrouped = isColumn(state["section-by"], name)
    const isShown = shown.has(name)
    const pinned = isShown && app.columnNames.indexOf(name) < pinsOf(state)
    return [
      command("Sort by", () => app.change({ sort: [column] })),
      command("Sort descending by", () => app.change({ sort: [`${column} DESC`] })),
      command("Sort in addition by", () => app.change({ sort: toggledSort(state.sort, name, true) }), state.sort.length > 0),
      command(isGrouped ? "Do not group by" : "Group by", () => app.change({ "section-by": isGrouped ? "" : column })),
      command("Filter by", () => openMenu(app.grid.heads.element, [conditionForm(app, { name })], `Condition on ${plain(name)}`)),
      command("Go to column", () => app.grid.moveTo(app.grid.cursor.rank, app.grid.heads.names.indexOf(name)), isShown && Boolean(app.view?.total)),
      command(isShown ? "Hide" : "Show", () => toggleColumn(app, name), canArrange(app) && !(isShown && shown.size === 1)),
      command(pinned ? "Unpin" : "Pin", () => togglePin(app, name), isShown && canArrange(app))
    ].flat()
  })
}
