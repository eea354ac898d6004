#if Postgres
  internal import SectileHub

  /// A message of `pgoutput`, the part of the server that writes commits out as rows.
  ///
  /// ```
  /// begin  relation* (insert | update | delete | truncate)*  commit
  /// ```
  ///
  /// A relation says what the columns of the rows after it are; it comes again after a change of
  /// the table. Large transactions come in pieces where the stream was asked for that, each between
  /// `streamStart` and `streamStop`, and beside each other; `streamCommit` makes one of them count.
  enum PluginMessage: Equatable, Sendable {
    case begin(transaction: UInt32, microsecond: Int64)
    case commit(end: HubPosition, microsecond: Int64)
    case relation(PluginRelation)
    case insert(relation: UInt32, row: [PluginCell])
    case update(relation: UInt32, old: PluginOldRow?, row: [PluginCell])
    case delete(relation: UInt32, old: PluginOldRow)
    case truncate(relations: [UInt32])
    case streamStart(transaction: UInt32)
    case streamStop
    case streamCommit(transaction: UInt32, end: HubPosition, microsecond: Int64)
    /// A part of a transaction was taken back: all of it where both numbers are the same.
    case streamAbort(transaction: UInt32, part: UInt32)
    /// What a replica has no use for: origins, names of types, messages of programs.
    case other
  }

  /// A value in a row.
  enum PluginCell: Equatable, Sendable {
    case null
    /// A large value that was not changed, and is not told again.
    case unchanged
    case text(ArraySlice<UInt8>)
  }

  /// What is told of a row as it was.
  struct PluginOldRow: Equatable, Sendable {
    /// Whether the columns beside the key are NULL because they are not told.
    var hasKeyOnly: Bool
    var cells: [PluginCell]
  }

  /// What the rows of a table look like.
  struct PluginRelation: Equatable, Sendable {
    struct Column: Equatable, Sendable {
      var name: String
      var type: UInt32
    }

    var id: UInt32
    /// The schema's name; empty for that of the server itself.
    var schema: String
    var name: String
    var columns: [Column]
  }
#endif
