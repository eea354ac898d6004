internal import GRDB
internal import SectileCore

extension FetchPlan {
  /// Creates a plan whose rows are those of a SELECT, in the order of their key.
  ///
  /// ```swift
  /// var plan = FetchPlan(
  ///   query: SQLFragment(
  ///     """
  ///     SELECT artist.id, artist.name, count(*) AS tracks
  ///     FROM artist JOIN track ON track.artist = artist.id
  ///     WHERE track.length > ? GROUP BY artist.id
  ///     """, [60]),
  ///   keyColumns: ["id"], itemColumns: ["id", "name", "tracks"])
  /// plan.sort = [plan.term("tracks", isDescending: true)]
  /// ```
  ///
  /// Its filter, sections and order name the query's columns, alone or behind the query's name:
  /// `"query"."tracks"`. Whether the text is a SELECT, and has the columns, is found out when it
  /// runs: `invalidRequest` otherwise. ``Query`` is the shorter way.
  ///
  /// - Parameters:
  ///   - query: One SELECT, with a value for each of its `?` marks; WITH and VALUES are fine.
  ///   - name: What expressions call its rows.
  ///   - keyColumns: Columns of the query that tell its rows apart. None of them may be NULL.
  ///   - itemColumns: The columns an item is made of.
  public init(
    query: SQLFragment, named name: String = "query", keyColumns: [String], itemColumns: [String]
  ) {
    self.init(table: name, keyColumns: keyColumns, itemColumns: itemColumns)
    self.query = SQLFragment(SelectedColumns.withoutEnd(query.sql), query.values)
  }

  /// Checks that the query is one that rows can be read from, and that it has the columns of the
  /// plan's key and items.
  ///
  /// - Throws: ``StoreError``: `invalidRequest`; what SQLite says of the text.
  func checkQuery(in db: Database) throws(StoreError) {
    guard let query else { return }
    let columns = try SelectedColumns(of: query, named: table, in: db)
    for column in keyColumns + itemColumns where column != Self.placeColumn {
      _ = try columns.spelling(of: column)
    }
  }
}
