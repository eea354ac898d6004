internal import Sectile
internal import SectilePresenting

extension RequestExplanation {
  /// All of it in lines, safe to show.
  var lines: [String] {
    var lines = [title("Statement"), text(sql)]
    if !values.isEmpty {
      lines.append(text("values: " + values.map(ValueText.plain).joined(separator: ", ")))
    }
    lines += ["", title("Query plan")] + QueryPlanStep.drawing(of: queryPlan).map(text)
    let sorted = sortedClauses.isEmpty ? "nothing" : sortedClauses.joined(separator: ", ")
    lines.append(text("SQLite sorts: \(sorted)"))
    lines += ["", title("Live results")]
    lines.append(
      text(
        "incremental: \(maintenance.kind.isIncremental ? "yes" : "no"), by \(maintenance.kind)"))
    lines.append(text(maintenance.reason))
    lines.append(text("followed: \(followedTables.map(\.description).joined(separator: "; "))"))
    if let sectionRecount { lines.append(text("aggregates: \(sectionRecount)")) }
    if let touchedRowCost {
      lines += ["", title("Touched rows")] + touchedRowLines(touchedRowCost)
    }
    lines += ["", title("Other processes")]
    lines.append(
      text(
        "followed by row: \(outsideCommits.isFollowedByRow ? "yes, by the change log" : "no")"))
    lines += outsideCommits.reasons.map { text($0) }
    lines.append(
      text("tokens: \(outsideCommits.reasonAgainstKeys == nil ? "answered by keys" : "a reset")"))
    if let reason = outsideCommits.reasonAgainstKeys, !outsideCommits.reasons.contains(reason) {
      lines.append(text(reason))
    }
    if let hint = outsideCommits.hint {
      lines.append(text("hint: \(CommandFailure.plain(hint))"))
    }
    for suggestion in suggestedIndexes {
      lines += ["", title("An index would help")]
      lines += [text(suggestion.sql + ";"), text(suggestion.reason)]
    }
    return lines
  }

  private func touchedRowLines(_ cost: TouchedRowCost) -> [String] {
    var lines: [String] = []
    for question in cost.questions {
      lines.append(text("\(question)"))
      lines.append(text("  " + question.sql))
      if !question.values.isEmpty {
        let values = question.values.map(ValueText.plain).joined(separator: ", ")
        lines.append(text("  values: " + values))
      }
      lines += QueryPlanStep.drawing(of: question.queryPlan, indent: "  ").map(text)
    }
    lines += cost.remarks.map(text)
    lines.append(text("A row is read again by its key."))
    return lines + QueryPlanStep.drawing(of: cost.rereadingPlan, indent: "  ").map(text)
  }

  private func title(_ text: String) -> String { TextStyle.bold.text(text) }

  private func text(_ text: String) -> String { "  " + TerminalText.escaped(text) }
}
