internal import SectileCore
internal import SectileStore

/// The rows of Sectile's own tables that say what is known of one remote list.
///
/// Everything here runs inside a transaction of the store's, so that pages and what is known of
/// them never differ.
struct RemoteList: Sendable {
  let name: String
  let table: String

  /// Creates the tables if they are not there.
  static func createTables(in transaction: StoreTransaction) throws {
    guard try !hasTables(in: transaction) else { return }
    let sql = PackageResources.V0002_create_remote_list_sql
    try transaction.execute(String(decoding: sql, as: UTF8.self))
  }

  // MARK: - The list

  /// Returns how far the list has come; nil where it was never crawled.
  ///
  /// - Complexity: O(*n*) for the *n* items that the crawl has seen: they are counted.
  func state(in transaction: StoreReadTransaction) throws -> RemoteListState? {
    guard try Self.hasTables(in: transaction) else { return nil }
    let rows = try transaction.query(
      """
      SELECT crawl, page_count, is_complete, completed_at,
        (SELECT count(*) FROM sectile_remote_row AS row
         WHERE row.list = sectile_remote_list.name AND row.crawl = sectile_remote_list.crawl)
      FROM sectile_remote_list WHERE name = ?
      """, name)
    guard let row = rows.first else { return nil }
    return RemoteListState(
      crawl: try row.integer(0), pageCount: try row.integer(1),
      isComplete: try row.integer(2) != 0, itemCount: try row.integer(4),
      completedAt: try row.text(3))
  }

  /// How far a crawl has come, as far as storing the next page needs to know.
  struct Place: Equatable {
    let crawl: Int
    let pageCount: Int
    /// The page that follows, in JSON; nil where there is none.
    let nextPage: String?
  }

  /// Returns how far the list has come; nil where it was never crawled.
  ///
  /// - Complexity: O(1): unlike ``state(in:)`` it does not count the items.
  func place(in transaction: StoreReadTransaction) throws -> Place? {
    guard try Self.hasTables(in: transaction) else { return nil }
    let rows = try transaction.query(
      "SELECT crawl, page_count, next_page FROM sectile_remote_list WHERE name = ?", name)
    guard let row = rows.first else { return nil }
    return Place(
      crawl: try row.integer(0), pageCount: try row.integer(1), nextPage: try row.text(2))
  }

  private static func hasTables(in transaction: StoreReadTransaction) throws -> Bool {
    let known = try transaction.query(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'sectile_remote_list'")
    return known[0].values[0] == .integer(1)
  }

  /// Begins the next crawl.
  ///
  /// - Returns: Its number.
  func beginCrawl(firstPage: String, in transaction: StoreTransaction) throws -> Int {
    // Rows of another table, that the list had under this name, are none of its own any more.
    try transaction.execute(
      """
      DELETE FROM sectile_remote_row WHERE list = ?1 AND EXISTS (
        SELECT 1 FROM sectile_remote_list WHERE name = ?1 AND table_name <> ?2)
      """, name, table)
    try transaction.execute(
      """
      INSERT INTO sectile_remote_list
        (name, table_name, crawl, next_page, page_count, is_complete, is_steady)
      VALUES (?1, ?2,
        (SELECT coalesce(max(crawl), 0) + 1 FROM sectile_remote_row WHERE list = ?1), ?3, 0, 0, 1)
      ON CONFLICT (name) DO UPDATE SET
        table_name = excluded.table_name, crawl = max(crawl + 1, excluded.crawl),
        next_page = excluded.next_page, page_count = 0, is_complete = 0, total = NULL,
        is_steady = 1
      """, name, table, firstPage)
    try transaction.execute("DELETE FROM sectile_remote_page WHERE list = ?", name)
    let rows = try transaction.query("SELECT crawl FROM sectile_remote_list WHERE name = ?", name)
    return try rows[0].integer(0)
  }

  /// Notes that a page was stored, and which one follows.
  ///
  /// - Parameters:
  ///   - page: The page, in JSON.
  ///   - next: The page that follows.
  ///   - total: How many items the list has, where the service says so.
  ///   - isWhole: Whether all of its elements were items; else the crawl is no proof.
  ///   - transaction: Where the page was stored.
  /// - Returns: Whether the page that follows was stored before: the service leads in a circle.
  /// - Throws: `StoreError` where that cannot be stored.
  func notePage(
    _ page: String, next: String?, total: Int?, isWhole: Bool, in transaction: StoreTransaction
  ) throws -> Bool {
    try transaction.execute(
      """
      UPDATE sectile_remote_list SET page_count = page_count + 1, next_page = ?1, is_complete = ?2,
        is_steady = is_steady AND ?5 AND (?3 IS NULL OR total IS NULL OR total = ?3),
        total = coalesce(?3, total),
        completed_at = iif(?2, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), completed_at)
      WHERE name = ?4
      """, next, next == nil, total, name, isWhole)
    try transaction.execute(
      "INSERT OR IGNORE INTO sectile_remote_page (list, page) VALUES (?, ?)", name, page)
    guard let next else { return false }
    let known = try transaction.query(
      "SELECT 1 FROM sectile_remote_page WHERE list = ? AND page = ?", name, next)
    return !known.isEmpty
  }

  /// Returns whether a completed crawl has seen all there is: the service never said that there are
  /// more items, or another number of them than before, and no element was left out.
  func isProof(crawl: Int, in transaction: StoreTransaction) throws -> Bool {
    let rows = try transaction.query(
      """
      SELECT is_steady AND coalesce(total, 0) <= (
        SELECT count(*) FROM sectile_remote_row AS row
        WHERE row.list = sectile_remote_list.name AND row.crawl = ?)
      FROM sectile_remote_list WHERE name = ?
      """, crawl, name)
    return try rows[0].integer(0) != 0
  }

  // MARK: - Its rows

  /// Notes that a crawl has seen a row.
  func noteRow(_ key: [StoredValue], crawl: Int, in transaction: StoreTransaction) throws {
    try transaction.execute(
      """
      INSERT INTO sectile_remote_row (list, key, crawl) VALUES (?, ?, ?)
      ON CONFLICT (list, key) DO UPDATE SET crawl = excluded.crawl
      """, name, try JSONText.encodePlainly(key), crawl)
  }

  /// Deletes the rows that came from the list and that a completed crawl has not seen, unless
  /// another list has them.
  ///
  /// A row that cannot be deleted, since others refer to it, stays, and is tried again after the
  /// next crawl.
  ///
  /// - Parameters:
  ///   - crawl: The completed crawl.
  ///   - transaction: Where its last page was stored.
  ///   - delete: Deletes the row of a key.
  /// - Throws: What `delete` throws, but for `foreignKeyConstraint`; `StoreError` where the tables
  ///   of the list cannot be read or written.
  func deleteUnseen(
    crawl: Int, in transaction: StoreTransaction, delete: ([StoredValue]) throws -> Bool
  ) throws {
    let gone = try transaction.query(
      """
      SELECT key, NOT EXISTS (
        SELECT 1 FROM sectile_remote_row AS other
        JOIN sectile_remote_list AS list ON list.name = other.list
        WHERE other.key = row.key AND other.list <> row.list AND list.table_name = ?)
      FROM sectile_remote_row AS row WHERE list = ? AND crawl <> ?
      """, table, name, crawl)
    for row in gone {
      let text = try row.text(0) ?? ""
      if try row.integer(1) != 0 {
        do {
          try transaction.savepoint { _ = try delete(JSONText.decodePlainly(from: text)) }
        } catch let error as StoreError where error.code == .foreignKeyConstraint {
          continue
        }
      }
      try transaction.execute(
        "DELETE FROM sectile_remote_row WHERE list = ? AND key = ?", name, text)
    }
  }
}

extension StoredRow {
  /// Returns the integer in a column of Sectile's own tables.
  fileprivate func integer(_ column: Int) throws(StoreError) -> Int {
    guard case .integer(let value) = values[column] else { throw unexpected(column) }
    return Int(value)
  }

  /// Returns the text in a column of Sectile's own tables; nil for NULL.
  fileprivate func text(_ column: Int) throws(StoreError) -> String? {
    switch values[column] {
    case .text(let text): return text
    case .null: return nil
    default: throw unexpected(column)
    }
  }

  private func unexpected(_ column: Int) -> StoreError {
    StoreError(
      .decodingFailed,
      message:
        "The column \(columns[column]) of Sectile's list of remote lists holds what Sectile does not write.",
      hint: "Another program wrote there: delete the rows of sectile_remote_list and refresh.",
      storedValue: values[column])
  }
}
