import GRDB

/// Notices that something happened which the recorder cannot have seen: another connection wrote,
/// or a table was created, dropped or altered.
///
/// To read the version of the database takes two statements, for each commit as much as a tenth of
/// its cost. They are left out after a transaction of `Store.write` in which the schema was left
/// alone, if the pager counted nothing but that transaction since the version was known.
///
/// Confined to the writer's serial queue.
final class VersionWatch {
  /// How the version compares with the one that is known.
  enum Comparison {
    /// The version is what it was.
    case same
    /// The version is another one, or none was known.
    case other
    /// The version cannot be read.
    case unknown
  }

  // What every commit asks is not checked at run time for accesses inside one another: there are
  // none.
  /// The version that was read last.
  @exclusivity(unchecked) private(set) var lastVersion: DatabaseVersion?

  /// Why the version could not be read when it was checked last; nil where it could.
  private(set) var failure: (any Error)?

  private let statements = HeldStatements()
  /// What the pager counted at the end of the last transaction, if `lastVersion` was the one there.
  @exclusivity(unchecked) private var pagerVersion: PagerVersion?
  /// The same inside the transaction that has not ended yet.
  @exclusivity(unchecked) private var pagerVersionInside: PagerVersion?
  /// Whether a transaction of `Store.write` is under way.
  private var isInside = false
  /// Whether the schema may have changed in the transaction that has not ended yet.
  ///
  /// True outside of transactions of `Store.write`: nobody tells of schema changes there.
  private(set) var mayHaveNewSchema = true

  // MARK: Reading

  /// Compares the version with the one that is known, and takes note of it.
  func check(in db: Database) -> Comparison {
    let count = PagerVersion(db)
    pagerVersionInside = isInside ? count : nil
    if !mayHaveNewSchema, let count, count == pagerVersion { return .same }
    do {
      let version = try DatabaseVersion(db, statements)
      defer { lastVersion = version }
      failure = nil
      // The version is that of the transaction, whose first read it may have been.
      if !isInside { pagerVersion = PagerVersion(db) }
      return version == lastVersion ? .same : .other
    } catch {
      pagerVersionInside = nil
      failure = error
      return .unknown
    }
  }

  /// Takes note of the version where none is known.
  ///
  /// - Throws: What reading throws.
  func readIfUnknown(in db: Database) throws {
    if lastVersion == nil { lastVersion = try DatabaseVersion(db, statements) }
  }

  /// Whether there is another version than the one that is known.
  ///
  /// - Throws: What reading throws.
  func isOutdated(in db: Database) throws -> Bool {
    guard let lastVersion else { return false }
    return try DatabaseVersion(db, statements) != lastVersion
  }

  /// Takes the version for known: what changed the schema concerns nobody.
  ///
  /// - Throws: What reading throws.
  func accept(in db: Database) throws {
    if lastVersion != nil { lastVersion = try DatabaseVersion(db, statements) }
  }

  /// Whether others may have committed since the version that is known.
  ///
  /// Called inside a writing transaction that has written nothing.
  func mayBeOutdated(in db: Database) -> Bool {
    guard lastVersion != nil else { return false }
    if let pagerVersion, let now = PagerVersion(db) { return now != pagerVersion }
    return (try? isOutdated(in: db)) ?? false
  }

  /// Forgets the version: the next one of this number may be another one.
  func forget() {
    lastVersion = nil
    pagerVersion = nil
  }

  // MARK: Transactions

  /// Takes note of the beginning of a transaction of `Store.write`.
  func transactionDidBegin() {
    isInside = true
    mayHaveNewSchema = false
    pagerVersionInside = nil
  }

  /// Takes note that a statement may change the schema.
  func schemaWillChange() {
    mayHaveNewSchema = true
  }

  /// Takes note of the end of a transaction, be it none of `Store.write`.
  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) {
    guard isInside else { return }
    pagerVersion = outcome == .committed ? pagerVersionInside?.afterOneCommit(in: db) : nil
    pagerVersionInside = nil
    isInside = false
    mayHaveNewSchema = true
  }
}
