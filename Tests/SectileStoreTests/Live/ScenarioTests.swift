import Foundation
import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// The worked examples of what a changeset means, on every kind of storage.
@Suite(.timeLimit(.minutes(60))) struct ScenarioTests {
  @Test(arguments: Scenario.all, StorageKind.allCases)
  func changesetIsTheExpectedOne(scenario: Scenario, kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { transaction in
        try transaction.execute(scenario.schema.replacing("PRAGMA foreign_keys=1;", with: ""))
        for statement in try scenario.initialStatements() { try transaction.execute(statement) }
      }
      let results = try store.results(of: try scenario.plan(scenario.query))
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      try results.load()
      #expect(diagram(of: results) == (try SectionDiagram(parsing: scenario.old)))
      try recorder.check(against: results)
      recorder.reset()

      if let changed = scenario.query_after {
        try results.update(to: try scenario.plan(changed))
      } else {
        try store.write { transaction in
          for statement in scenario.txn { try transaction.execute(statement) }
        }
      }
      let lines = recorder.changesets.flatMap { "\($0)".split(separator: "\n").map(String.init) }
      #expect((recorder.events.isEmpty ? [Scenario.nothing] : lines) == scenario.expect)
      #expect(diagram(of: results) == (try SectionDiagram(parsing: scenario.new)))
      try recorder.check(against: results)
    }
  }

  /// Draws results, rows by their keys.
  private func diagram(of results: SectionedResults<UntypedRow>) -> SectionDiagram {
    let snapshot = results.snapshot
    return SectionDiagram(
      sections: (0..<snapshot.numberOfSections).map { section in
        let rows = (0..<snapshot.numberOfItems(in: section)).map {
          "\(snapshot.id(at: ItemPath(section: section, item: $0)).keyValues[0])"
        }
        return SectionDiagram.Section(
          identity: name(snapshot.sections[section].identity), items: rows.map { .init(id: $0) })
      })
  }

  private func name(_ identity: StoredValue) -> String {
    switch identity {
    case .text(""): "''"
    case .text(let text): text
    default: identity.description
    }
  }
}

/// One worked example: see `Fixtures/scenarios.json`.
struct Scenario: Decodable, Sendable, CustomTestStringConvertible {
  static let nothing = "(no events, no will/did callbacks)"

  let n: Int
  let name: String
  let query: String
  let query_after: String?
  let schema: String
  let `init`: String
  let txn: [String]
  let old: String
  let new: String
  let expect: [String]
  let limit: Int?
  let offset: Int
  let `static`: [String]?

  var testDescription: String { "\(n) \(name)" }

  static let all: [Scenario] = {
    guard
      let url = Bundle.module.url(forResource: "Fixtures/scenarios", withExtension: "json"),
      let data = try? Data(contentsOf: url),
      let scenarios = try? JSONDecoder().decode([Scenario].self, from: data)
    else { return [] }
    return scenarios
  }()

  /// Rows written `id:s/k` or `id:s/k/v`, or SQL.
  func initialStatements() throws -> [String] {
    if self.`init`.hasPrefix("INSERT") { return [self.`init`] }
    return self.`init`.split(separator: " ").map { row in
      let parts = row.split(separator: ":", maxSplits: 1)
      let values = parts[1].split(separator: "/", omittingEmptySubsequences: false)
      let section = values[0] == "~" ? "NULL" : values[0] == "_" ? "''" : "'\(values[0])'"
      let content = values.count > 2 ? "'\(values[2])'" : "'x'"
      return
        "INSERT INTO item(id, s, k, v) VALUES (\(parts[0]), \(section), \(values[1]), \(content))"
    }
  }

  /// The plan that means what a query says.
  func plan(_ query: String) throws -> FetchPlan {
    let order = String(query.components(separatedBy: "ORDER BY ")[1])
      .components(separatedBy: " LIMIT")[0]
    var plan =
      query.contains("JOIN team") ? teamPlan(order) : itemPlan(order: order, query: query)
    plan.limit = limit
    plan.offset = offset
    plan.section?.fixedSections = self.`static`.map { $0.map { .text($0) } }
    return plan
  }

  private func itemPlan(order: String, query: String) -> FetchPlan {
    var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "k", "v", "s"])
    if query.contains("WHERE") { plan.filter = SQLFragment("v<>'hidden'") }
    let isDescending = order.contains("k DESC")
    switch order.components(separatedBy: ",")[0] {
    case "s NULLS LAST":
      plan.section = FetchPlan.Section(identity: plan.term("s", nulls: .last))
    case "s COLLATE NOCASE":
      plan.section = FetchPlan.Section(identity: plan.term("s", collation: .nocase))
    case "upper(substr(s":
      plan.section = FetchPlan.Section(
        identity: FetchPlan.SortTerm(expression: SQLFragment("upper(substr(s,1,1))")))
      plan.sort = [plan.term("s")]
      return plan
    default:
      plan.section = FetchPlan.Section(identity: plan.term("s"))
    }
    plan.sort = [plan.term("k", isDescending: isDescending)]
    if isDescending { plan.sort.append(plan.term("id", isDescending: true)) }
    return plan
  }

  private func teamPlan(_ order: String) -> FetchPlan {
    let isByName = order.hasPrefix("t.name")
    var plan = FetchPlan(
      table: "item", keyColumns: ["id"],
      itemColumns: isByName ? ["id", "k", "v"] : ["id", "k", "v", "team"])
    plan.joins = [
      FetchPlan.Join(
        table: "team", alias: "t", source: "item", sourceColumns: ["team"], targetColumns: ["tid"])
    ]
    let position = FetchPlan.SortTerm(expression: SQLFragment("t.pos"), nullOrder: .last)
    plan.section = FetchPlan.Section(
      identity: FetchPlan.SortTerm(expression: SQLFragment(isByName ? "t.name" : "t.tid")),
      order: isByName ? [] : [position])
    plan.sort = [plan.term("k")]
    plan.dependencies = [
      FetchPlan.Dependency(
        table: "team", keyColumns: ["tid"],
        affected: .query("SELECT id FROM item WHERE team = ?"))
    ]
    return plan
  }
}
