internal import Sectile

/// Whether the change log of a file is whole, and whether the data contradicts it.
struct ChangeLogCheck {
  let store: Store

  /// Reads the log, and looks up the keys that it names.
  ///
  /// - Throws: ``StoreError`` where the file cannot be read.
  func report() throws -> CheckReport {
    let findings: ChangeLogFindings
    do {
      guard let found = try store.verifyChangeLog(limit: CheckReport.detailLimit) else {
        return report(.skipped, "the file has no change log")
      }
      findings = found
    } catch let error as StoreError where error.code == .changeLogNewer {
      return report(.skipped, error.message)
    } catch let error as StoreError where error.code == .statementFailed {
      // Its tables are other ones than they should be.
      return report(.problem, "the log cannot be read", [error.message])
    }
    let figures = [
      ("rows", findings.rowCount), ("tables", findings.tableCount), ("keys", findings.keyCount),
      ("problems", findings.problems.count),
    ]
    guard findings.problems.isEmpty else {
      return report(
        .problem, "the log is not whole, or the data contradicts it",
        Array((findings.problems + findings.notes).prefix(CheckReport.detailLimit)), figures)
    }
    let tables = CountText.text(findings.tableCount, "table")
    return report(
      .ok,
      "\(CountText.text(findings.rowCount, "row")), \(tables), "
        + "\(CountText.text(findings.keyCount, "key")) compared with the data",
      Array(findings.notes.prefix(CheckReport.detailLimit)), figures)
  }

  private func report(
    _ state: CheckReport.State, _ summary: String, _ details: [String] = [],
    _ figures: [(name: String, value: Int)] = []
  ) -> CheckReport {
    CheckReport(
      name: "change-log", state: state, summary: summary, details: details, figures: figures)
  }
}
