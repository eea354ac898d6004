import SectileCore

extension ResultsTracker {
  /// Compares a change that was worked out row by row with what rebuilding comes to.
  func check(_ change: PlanChange?, in context: borrowing DerivationContext) throws {
    guard InternalChecks.isOn else { return }
    InternalChecks.checkIsOneState(context.reader.db)
    let base = context.base
    base.index.checkInvariants()
    let other = DerivationContext(
      reader: context.reader, items: items.makeSink(), base: base,
      rowsBefore: context.rowsBefore)
    let rebuilt = try FullDerivation().change(in: other)
    let lines = try text(of: change)
    let expected = try text(of: rebuilt)
    precondition(
      lines == expected, "row by row:\n\(lines)\nrebuilding:\n\(expected)")
    var contents = base
    change?.apply(to: &contents)
    contents.index.checkInvariants()
    var otherContents = base
    rebuilt?.apply(to: &otherContents)
    if let difference = contents.difference(to: otherContents) {
      preconditionFailure(
        "\(difference), after:\n\(lines)\nof \(context.reader.queries.rows.sql.sql)")
    }
  }

  /// Stops where a commit changes results although their filter ruled its rows out.
  func checkRuledOut(_ outcome: CommitOutcome) {
    guard InternalChecks.isOn, case .change = outcome else { return }
    preconditionFailure("a commit was ruled out that changes \(plan.table)")
  }

  private func text(of change: PlanChange?) throws -> String {
    guard let change else { return "" }
    let step = VersionStep(source: 0, node: VersionNode(), batchSize: 1, view: nil)
    let boxed = try items.boxedChanges(change, step)
    // 1 and 1.0 are one section: row by row it keeps the spelling that it began with, where
    // rebuilding takes that of its first row.
    return boxed.map { items.text(of: $0).replacing(".0)", with: ")") } ?? ""
  }
}

extension PlanContents {
  /// Returns where rows, sections or fingerprints differ; handles may.
  fileprivate func difference(to other: PlanContents) -> String? {
    guard count == other.count, index.sectionCount == other.index.sectionCount else {
      return "\(count) rows instead of \(other.count)"
    }
    for ordinal in 0..<index.sectionCount where section(ordinal) != other.section(ordinal) {
      return "section \(ordinal) is \(section(ordinal)) instead of \(other.section(ordinal))"
    }
    guard aggregates == other.aggregates else {
      return "the aggregates are \(aggregates) instead of \(other.aggregates)"
    }
    for rank in 0..<count {
      let handle = index.handle(atRank: rank)
      let otherHandle = other.index.handle(atRank: rank)
      let key = keys.key(of: handle)
      guard key == other.keys.key(of: otherHandle) else { return "another row at \(rank)" }
      guard index.path(atRank: rank) == other.index.path(atRank: rank) else {
        return "\(key) is elsewhere"
      }
      guard order?[handle] == other.order?[otherHandle] else {
        return "\(key) has another digest"
      }
    }
    return nil
  }
}
