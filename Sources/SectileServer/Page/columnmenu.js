// What can be done with a column: order, sections, totals, a condition, hiding it.
import { el } from "./dom.js"
import { canArrange, moveColumn, pinsOf, toggleColumn, togglePin } from "./columns.js"
import { conditionForm } from "./conditions.js"
import { openMenu } from "./menu.js"
import { isColumn, quoted, readSort } from "./state.js"
import { plain } from "./values.js"

/** Sorts by a column: ascending, then descending, then not at all. `isMore` keeps the other terms. */
export function toggledSort(sort, name, isMore) {
  const at = sort.findIndex(term => isColumn(readSort(term).expression, name))
  if (at < 0) return isMore ? [...sort, quoted(name)] : [quoted(name)]
  const next = readSort(sort[at]).isDescending ? null : `${quoted(name)} DESC`
  if (!isMore) return next ? [next] : []
  return next ? sort.with(at, next) : sort.toSpliced(at, 1)
}

/** Opens the menu of a column. */
export function openColumnMenu(app, anchor, name) {
  const { state } = app
  const column = quoted(name)
  const isGrouped = isColumn(state["section-by"], name)
  const toggled = aggregate => {
    const has = state.aggregate.includes(aggregate)
    return {
      title: aggregate.startsWith("count(distinct ") ? "count of different values" : aggregate.replace(/\(.*/s, ""), isOn: has,
      run: () => app.change({ aggregate: has ? state.aggregate.filter(each => each !== aggregate) : [...state.aggregate, aggregate] })
    }
  }
  const names = app.columnNames
  const at = names.indexOf(name)
  const { heads } = app.grid
  openMenu(anchor, [
    { title: "Sort ascending", run: () => app.change({ sort: [column] }) },
    { title: "Sort descending", run: () => app.change({ sort: [`${column} DESC`] }) },
    { title: "Add to the order", run: () => app.change({ sort: toggledSort(state.sort, name, true) }) },
    null,
    {
      title: "Group by this column", isOn: isGrouped,
      run: () => app.change({ "section-by": isGrouped ? "" : column })
    },
    null,
    conditionForm(app, { name }),
    { title: "Values …", run: () => app.change({ panel: "facets", facet: name }) },
    null,
    { title: "Show as …", run: () => app.looks.openForms(anchor, name) },
    app.looks.foreignKeyOf(name) ? { title: "Label …", run: () => app.looks.openLabels(anchor, name) } : el("span"),
    null,
    el("p", { class: "menu-title" }, "Totals"),
    ...["sum", "avg", "min", "max"].map(word => toggled(`${word}(${column})`)),
    toggled(`count(distinct ${column})`),
    null,
    ...(canArrange(app) ? [
      { title: "Pin to the left", isOn: at < pinsOf(state), run: () => togglePin(app, name) },
      at > 0 ? { title: "Move to the left", run: () => moveColumn(app, name, at - 1) } : el("span"),
      at < names.length - 1 ? { title: "Move to the right", run: () => moveColumn(app, name, at + 1) } : el("span")
    ] : []),
    { title: "Fit the width", run: () => heads.fit(name) },
    heads.hasChosen ? { title: "Forget all widths", run: () => heads.forget() } : el("span"),
    null,
    names.length > 1 && canArrange(app) ? { title: "Hide this column", run: () => toggleColumn(app, name) } : el("span"),
    names.length < app.allColumns.length ? { title: "Show all columns", run: () => app.change({ column: ["*"] }) } : el("span")
  ], `Column ${plain(name)}`)
}
