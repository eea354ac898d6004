// How the rows are read and followed, and what would make it faster.
import { el, fill } from "./dom.js"
import { getJSON, queryOf } from "./sectile.js"
import { plain, visible } from "./values.js"

/** What to do where a file has no change log. */
export const noLog = file => `This file has no change log: at each commit of another program all rows of the table are read again. “sectile log ${plain(file)} enable” makes that fast.`

export async function showExplanation(place, app) {
  if (!app.view) return
  const explanation = await getJSON(`${app.base}/explain?${queryOf(app.view.request)}`)
  const { maintenance, outsideCommits, suggestedIndex, touchedRowCost, followedTables = [], queryPlan = [], sortedClauses = [] } = explanation
  fill(place,
    maintenance ? [el("h3", {}, maintenance.isIncremental ? `Followed row by row: ${plain(maintenance.kind)}` : `Read again: ${plain(maintenance.kind)}`),
      el("p", {}, plain(maintenance.reason ?? ""))] : null,
    indexes(suggestedIndex, touchedRowCost?.suggestedIndexes ?? []),
    touchedRowCost ? [el("h3", {}, "What a touched row costs"), questions(touchedRowCost)] : null,
    el("h3", {}, "Commits of other processes"),
    el("p", {}, outsideCommits?.isFollowedByRow ? "Followed row by row, by the change log." : "The rows are read again, and compared."),
    (outsideCommits?.reasons ?? []).map(reason => el("p", { class: "quiet" }, plain(reason))),
    app.schema.hasLog ? (outsideCommits?.hint ? el("p", { class: "hint" }, plain(outsideCommits.hint)) : null)
      : el("p", { class: "hint" }, noLog(app.schema.file)),
    el("h3", {}, "SQL"), el("pre", { class: "code" }, visible(explanation.sql ?? "", "\n")),
    el("h3", {}, "Query plan"), steps(queryPlan),
    sortedClauses.length ? el("p", { class: "quiet" }, `Sorted by SQLite: ${sortedClauses.map(plain).join(", ")}`) : null,
    followedTables.length ? [el("h3", {}, "Tables that are followed"), el("ul", {}, followedTables.map(({ table, columns, isFollowedByRow }) =>
      el("li", {}, visible(table), el("span", { class: "quiet" }, ` ${columns ? columns.map(plain).join(", ") : "all columns"}${isFollowedByRow ? "" : ", as a whole"}`))))] : null)
}

const steps = plan => el("ul", { class: "plan" }, plan.map(step => el("li", { class: "code" }, plain(step.detail), step.steps?.length ? steps(step.steps) : null)))

/** What SQLite is asked about a touched row of each table, and how a row is read again. */
const questions = ({ questions, questionCount, unaskedTables, rereadingPlan, keepsSums }) => [
  questions.map(({ table, answer, keyColumns, sql, queryPlan }) => el("details", {},
    el("summary", {}, `A row of ${plain(table)} ${answers[answer]?.(keyColumns.map(plain).join(", ")) ?? plain(answer)}`),
    el("pre", { class: "code" }, visible(sql, "\n")), steps(queryPlan))),
  questionCount > questions.length ? el("p", { class: "quiet" }, `${questionCount - questions.length} more questions are asked.`) : null,
  unaskedTables.map(table => el("p", { class: "quiet" }, `A row of ${plain(table)} takes more questions than are asked: all rows are compared.`)),
  typeof keepsSums === "boolean" ? el("p", { class: "quiet" }, keepsSums ? "A large group is not read again: its values follow from what the touched rows add." : "A group is read again with all its rows.") : null,
  el("p", {}, "A row is read again by its key:"), steps(rereadingPlan)]

const answers = {
  key: columns => `names rows by their key (${columns}).`,
  equalKey: columns => `names rows by what their key (${columns}) is equal to.`,
  partOfKey: columns => `names rows by a part of their key (${columns}).`,
  anyRow: () => "does not tell which rows may have changed: all are compared."
}

/** The indexes that are missing, the one that reads the rows first. */
function indexes(suggested, others) {
  const all = suggested ? [suggested, ...others.filter(({ sql }) => sql !== suggested.sql)] : others
  return all.length ? [el("h3", {}, all.length > 1 ? "Indexes that would help" : "An index would help"), all.map(({ sql, reason }) =>
    [el("p", {}, plain(reason)), el("pre", { class: "code" }, visible(sql, "\n")), copyButton(sql)])] : null
}

/** A button that copies a text. */
export function copyButton(text, title = "Copy") {
  const button = el("button", {
    type: "button", class: "small",
    onclick: async () => {
      const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false)
      button.textContent = isCopied ? "Copied" : "The browser refuses"
      setTimeout(() => { button.textContent = title }, 1500)
    }
  }, title)
  return button
}
