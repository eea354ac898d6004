import GRDB
import SectileCore

/// Looks for the indexes without which the questions of a query, or reading one of its rows again,
/// go through a table as a whole.
///
/// ```text
/// a statement whose plan says SCAN
///   │ on the copy: an index for each way in which its tables are joined
///   ▼
/// the indexes that SQLite searches now ──→ those without which it says SCAN again: they are kept
/// ```
///
/// All are created at once, since one may help only with another: to find the items of a customer
/// through the orders takes an index on both. What is kept stays in the copy, so that the next
/// statement is looked at as it would be with it.
struct MissingIndexes {
  /// What was found, in the order of the statements.
  private(set) var suggestions: [RequestExplanation.IndexSuggestion] = []
  private let rehearsal: QuestionRehearsal
  private let namings: [SelectReading.Naming]
  private let db: Database

  /// Prepares to look for indexes.
  ///
  /// - Parameters:
  ///   - rehearsal: Where they are tried.
  ///   - namings: The tables of the query, and what they are joined by.
  ///   - db: The database, in which nothing is created.
  init(
    on rehearsal: QuestionRehearsal, of namings: [SelectReading.Naming], in db: Database
  ) {
    self.rehearsal = rehearsal
    self.namings = namings
    self.db = db
  }

  /// Looks for indexes by which a question is answered.
  ///
  /// - Throws: What reading the schema throws.
  mutating func look(at question: RequestExplanation.Question) throws {
    let steps = question.queryPlan.flatMap(\.all)
    let scanned = Set(steps.compactMap(\.scannedName))
    let read = scanned.union(steps.compactMap(\.searchedName))
    let involved = namings.filter { read.contains($0.alias) }
    // What else is scanned are results of the question's own queries.
    guard involved.contains(where: { scanned.contains($0.alias) }) else { return }
    let tables = Dictionary(
      involved.map { ($0.alias, $0.table) }, uniquingKeysWith: { first, _ in first })
    try look(
      at: SQLFragment(question.sql, question.values), involved.map { ($0.table, $0.joins) },
      for: "A touched row of \(question.table)", touching: question.table
    ) { tables[$0] ?? $0 }
  }

  /// Looks for indexes by which one row of the query is read again.
  ///
  /// - Parameters:
  ///   - statement: The statement that reads it.
  ///   - namingAsQuestions: Whether it calls the tables as questions do.
  /// - Throws: What reading the schema throws.
  mutating func look(atRereading statement: SQLFragment, namingAsQuestions: Bool) throws {
    let schema = "main."
    let aliases = namingAsQuestions ? namings : []
    try look(
      at: statement, namings.map { ($0.table, [$0.keyColumns] + $0.joins) },
      for: "A row that is read again", touching: nil
    ) { name in
      aliases.first { $0.alias == name }?.table
        ?? (name.hasPrefix(schema) ? String(name.dropFirst(schema.count)) : name)
    }
  }

  /// Looks for indexes on some lists of columns by which a statement scans less.
  private mutating func look(
    at statement: SQLFragment, _ lists: [(table: String, columns: [[String]])],
    for subject: String, touching touched: String?, calling name: (String) -> String
  ) throws {
    let before = scannedNames(of: statement)
    guard !before.isEmpty else { return }
    let candidates = try candidates(lists)
    let needed = needed(candidates, for: statement)
    guard !needed.isEmpty else { return }
    let steps = rehearsal.steps(of: statement).flatMap(\.all)
    let after = steps.compactMap(\.scannedName)
    guard after.count < before.count else {
      for candidate in needed { rehearsal.copy.drop(candidate.index) }
      return
    }
    let spared = before.filter { !after.contains($0) }
    for candidate in needed {
      let isOwn = steps.contains { step in
        candidate.index.isSearched(in: step) && spared.contains { $0 == step.searchedName }
      }
      let whole =
        isOwn || spared.isEmpty ? "them" : "the rows of " + Self.list(spared.map(name))
      let other = candidate.table == touched ? "other rows" : "rows"
      suggestions.append(
        RequestExplanation.IndexSuggestion(
          name: candidate.index.name, sql: candidate.index.sql,
          reason: "\(subject) finds its \(other) of \(candidate.table) through the index instead "
            + "of reading all of \(whole)."))
    }
  }

  private static func list(_ names: [String]) -> String {
    var known: Set<String> = []
    return names.filter { known.insert($0).inserted }.joined(separator: ", ")
  }

  private func scannedNames(of statement: SQLFragment) -> [String] {
    rehearsal.steps(of: statement).flatMap(\.all).compactMap(\.scannedName)
  }

  // MARK: Trying

  /// An index, and the table that it is on.
  private struct Candidate {
    let index: IndexCandidate
    let table: String
  }

  private func candidates(
    _ lists: [(table: String, columns: [[String]])]
  ) throws -> [Candidate] {
    var candidates: [Candidate] = []
    for entry in lists {
      for columns in entry.columns where !columns.isEmpty {
        guard let index = try IndexCandidate(on: columns, of: entry.table, in: db),
          !candidates.contains(where: { $0.index.sql == index.sql })
        else { continue }
        candidates.append(Candidate(index: index, table: entry.table))
      }
    }
    return candidates
  }

  /// Returns those of some indexes that SQLite searches for a statement, and without which it would
  /// scan more; they stay in the copy.
  private func needed(_ candidates: [Candidate], for statement: SQLFragment) -> [Candidate] {
    let created = candidates.filter { rehearsal.copy.create($0.index) }
    let steps = rehearsal.steps(of: statement).flatMap(\.all)
    var searched: [Candidate] = []
    for candidate in created {
      if steps.contains(where: { candidate.index.isSearched(in: $0) }) {
        searched.append(candidate)
      } else {
        rehearsal.copy.drop(candidate.index)
      }
    }
    let least = scannedNames(of: statement).count
    return searched.filter { candidate in
      rehearsal.copy.drop(candidate.index)
      guard scannedNames(of: statement).count > least else { return false }
      return rehearsal.copy.create(candidate.index)
    }
  }
}
