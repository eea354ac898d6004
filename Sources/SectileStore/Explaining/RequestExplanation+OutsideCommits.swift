import GRDB
import SectileCore

extension RequestExplanation {
  /// How live results of a request follow what other processes commit, and whether another process
  /// can go on from a token of theirs.
  ///
  /// Without a change log, or where it cannot tell which rows are concerned, results read
  /// everything again and compare. They deliver the same either way. See ``Store/changeLog``.
  public struct OutsideCommits: Hashable, Sendable, Codable {
    /// Why everything is read again, and after which commits, a sentence each; empty where only the
    /// rows are that the change log names.
    public let reasons: [String]
    /// What can be done about it; nil where nothing can.
    public let hint: String?
    /// Why ``SectionedResults/load(since:)`` and feeds cannot answer a token by keys, but by a
    /// reset; nil where they can.
    public let reasonAgainstKeys: String?

    /// Whether only rows are read again that the change log names.
    public var isFollowedByRow: Bool { reasons.isEmpty }

    init(reasons: [String], hint: String?, reasonAgainstKeys: String?) {
      self.reasons = reasons
      self.hint = hint
      self.reasonAgainstKeys = reasonAgainstKeys
    }
  }
}

extension RequestExplanation.OutsideCommits: CustomStringConvertible {
  /// How they are followed, and the reasons: `row by row`.
  public var description: String {
    isFollowedByRow
      ? "row by row, as the change log names them"
      : (["everything is read again."] + reasons).joined(separator: " ")
  }
}

extension RequestExplanation.OutsideCommits {
  private static let wayToEnable =
    "Switch it on with store.changeLog.enable(), or with `sectile log FILE enable`."

  /// Finds out what becomes of commits of others, by the rules that live results go by.
  ///
  /// - Parameters:
  ///   - plan: The plan with all that it reads: see ``FetchPlan/followingWhatItReads(in:)``.
  ///   - maintenance: How results keep up with commits of their own store.
  ///   - isAsking: Whether SQLite is asked which rows touched rows may concern.
  ///   - isView: Whether the rows are those of a query or a view.
  ///   - holdsStates: Whether the store can hold the state in which those rows were.
  ///   - db: The database.
  /// - Throws: What reading the schema throws.
  init(
    of plan: FetchPlan, maintainedBy maintenance: UpdateStrategy, asking isAsking: Bool,
    isView: Bool, holdingStates holdsStates: Bool, in db: Database
  ) throws {
    guard let log = try LogState(in: db) else {
      let reason =
        try LogState.isThere(in: db)
        ? "The change log of this file was made by a newer version."
        : "The file has no change log."
      let hint = try LogState.isThere(in: db) ? nil : Self.wayToEnable
      self.init(reasons: [reason], hint: hint, reasonAgainstKeys: reason)
      return
    }
    let tables = try plan.readTables(in: db)
    var reasons: [String] = []
    var unnamed: [String] = []
    for table in tables {
      switch try log.knowledge(of: table.name, in: db) {
      case .keys(let keys):
        if isAsking, isView || table.affected == .everything {
          if !holdsStates { reasons.append(table.reasonWithoutState) }
        } else if LoggedTable.positions(of: table.keyColumns, in: keys) == nil {
          reasons.append(table.reasonAgainst(keys, base: plan.table))
        }
      case .nothing(let reason, let isNamable):
        reasons.append("After each commit, since \(table.name) may have changed: \(reason)")
        if isNamable { unnamed.append(table.name) }
      }
    }
    if reasons.isEmpty, !maintenance.kind.isIncremental {
      reasons.append(
        "After commits that concern \(tables.map(\.name).joined(separator: ", ")), as after those of the "
          + "store itself: \(maintenance.reason)")
    } else if reasons.isEmpty, plan.offset > 0 {
      reasons.append(
        "After commits outside the window of \(plan.table): the change log does not say what rows were, and "
          + "so not where they stood.")
    }
    let hint =
      unnamed.isEmpty
      ? nil
      : "Add to the change log: `sectile log FILE enable --tables \(unnamed.joined(separator: ","))`."
    self.init(
      reasons: reasons, hint: hint,
      reasonAgainstKeys: try plan.reasonAgainstAnswers(from: log, in: db))
  }
}

/// A table that a plan reads, and the columns by which its rows lead to those of the plan.
private struct ReadTable {
  let name: String
  let keyColumns: [String]
  let affected: FetchPlan.Dependency.Affected

  /// Why nobody knows what rows were.
  var reasonWithoutState: String {
    "After commits that touch \(name): what its rows were is not known. A store knows it that looks "
      + "for such commits by itself, and has opened a file with a write-ahead log or adopted a "
      + "DatabasePool."
  }

  /// Why rows that the log names by some columns lead to none of the plan.
  func reasonAgainst(_ keys: [String], base: String) -> String {
    let start = "After commits that touch \(name)"
    if keyColumns.isEmpty || affected == .everything {
      return "\(start): which rows of \(base) that concerns is not known."
    }
    return "\(start): the change log names its rows by \(keys.joined(separator: ", ")), and not by "
      + "\(keyColumns.joined(separator: ", "))."
  }
}

extension FetchPlan {
  fileprivate func readTables(in db: Database) throws -> [ReadTable] {
    let isView = try isSelected(in: db)
    let own = ReadTable(name: table, keyColumns: keyColumns, affected: .sameKey)
    return (isView ? [] : [own])
      + dependencies.map {
        ReadTable(name: $0.table, keyColumns: $0.keyColumns, affected: $0.affected)
      }
  }

  /// Why a token of this plan is answered by a reset; nil where it is by keys.
  fileprivate func reasonAgainstAnswers(from log: LogState, in db: Database) throws -> String? {
    if let reason = try reasonAgainstKeys(in: db) { return reason }
    switch try log.knowledge(of: table, in: db) {
    case .nothing(let reason, _): return reason
    case .keys(let keys):
      if LoggedTable.positions(of: keyColumns, in: keys) != nil { return nil }
      return "The change log names rows of \(table) by \(keys.joined(separator: ", "))."
    }
  }
}

extension LogState {
  fileprivate enum Knowledge {
    /// The columns by which the log names rows.
    case keys([String])
    /// Why it names none, and whether it could.
    case nothing(String, isNamable: Bool)
  }

  fileprivate func knowledge(of name: String, in db: Database) throws -> Knowledge {
    if let table = table(named: name) { return .keys(table.keys) }
    if tables.contains(where: { $0.name.lowercased() == name.lowercased() }) {
      return .nothing(
        "its triggers are not those that it needs; the next commit of a store makes them.",
        isNamable: false)
    }
    guard let schema = try TableSchema(of: name, in: db) else {
      return .nothing("there is no such table.", isNamable: false)
    }
    switch try LogTriggers.of(schema, id: 0, in: db) {
    case .untracked(let reason): return .nothing(reason, isNamable: false)
    case .tracked where followsAllTables:
      return .nothing("the next commit of a store adds it to the change log.", isNamable: false)
    case .tracked: return .nothing("the change log is of other tables.", isNamable: true)
    }
  }
}
