import GRDB

/// Plans that were made ready to run, for the schema of a moment.
///
/// Making one ready takes a dozen small queries, about a millisecond; the same requests are opened
/// again and again.
struct PlanCache {
  /// A plan with every table it reads, and its statements.
  struct Entry {
    let followed: FetchPlan
    let queries: PlanQueries
  }

  private static let limit = 64

  private var schema: Int64?
  private var entries: [FetchPlan: Entry] = [:]
  /// The types of items whose keys are those of their tables.
  private var checkedTypes: Set<ObjectIdentifier> = []

  /// Returns a plan made ready for the schema as it is.
  ///
  /// - Throws: Where SQLite does not accept the plan.
  mutating func entry(for plan: FetchPlan, in db: Database) throws -> Entry {
    let version = try DatabaseVersion(db).schema
    if schema != version {
      removeAll()
      schema = version
    }
    if let family = plan.ofFamily, let value = plan.familyValue {
      let shared = try ready(family, in: db)
      if shared.followed.bindsFamilyInFilterAlone {
        return Entry(
          followed: shared.followed.ofMember(value),
          queries: PlanQueries(shared.queries, ofMember: value))
      }
    }
    return try ready(plan, in: db)
  }

  private mutating func ready(_ plan: FetchPlan, in db: Database) throws -> Entry {
    if let known = entries[plan] { return known }
    let followed = try plan.followingWhatItReads(in: db)
    let entry = Entry(followed: followed, queries: try PlanQueries(followed, in: db))
    if entries.count >= Self.limit { entries = [:] }
    entries[plan] = entry
    return entry
  }

  /// Checks that the key of some items is declared by their table, once for a schema.
  ///
  /// - Precondition: The schema is that of the last entry.
  /// - Throws: `schemaMismatch` where it is not: two rows may share it some day.
  mutating func checkKey(of items: any ItemDelivering, in db: Database) throws {
    guard !checkedTypes.contains(items.itemType) else { return }
    try items.checkKey(in: db)
    checkedTypes.insert(items.itemType)
  }

  /// Forgets the plans: the next schema of this number may be another one.
  mutating func removeAll() {
    entries = [:]
    checkedTypes = []
    schema = nil
  }
}
