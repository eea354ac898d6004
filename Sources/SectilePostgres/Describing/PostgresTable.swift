#if Postgres
  internal import SectileHub

  /// A table as the server's catalog has it.
  struct PostgresTable: Sendable {
    /// A column.
    struct Column: Sendable {
      var name: String
      /// The number of its own type, which is that of a domain or an enumeration where it is one.
      var typeNumber: UInt32
      /// Its type's name, for messages.
      var typeName: String
      /// How its values are read and written; nil for a type that replicas do not have.
      var type: PostgresType?
      var isNullable: Bool
      /// Whether the server computes it.
      var isGenerated: Bool
      /// Whether it is an identity for which the server takes no other value unless it is told to.
      var isAlwaysIdentity: Bool
    }

    /// A table that has rows itself: the table, or one of its partitions.
    struct Leaf: Sendable {
      var number: UInt32
      var quotedName: String
      /// The columns by which the server tells which row was changed or deleted.
      var identity: [String]
      /// Whether these are all, by `REPLICA IDENTITY FULL`.
      var tellsWholeRows: Bool
    }

    var number: UInt32
    var schema: String
    var name: String
    /// Whether it has partitions.
    var isPartitioned: Bool
    var columns: [Column]
    /// The columns of its primary key, or of the index that is its replica identity; empty where it
    /// has neither.
    var key: [String]
    /// What has its rows: each has a replica identity of its own, and it is these that writers
    /// meet.
    var leaves: [Leaf]
    /// The numbers of its partitions, and of theirs.
    var partitions: [UInt32]
    /// Whether the key can be checked later than at once, so that it cannot be an identity.
    var isKeyDeferrable: Bool
    /// Whether it is a plain table that is written to the log.
    var canBePublished: Bool
    /// Whether the user may read all of it.
    var isReadable: Bool

    var quotedName: String { PostgresName.quote(schema) + "." + PostgresName.quote(name) }

    /// The table in a `FROM`: without tables that inherit from it, which are tables of their own.
    var source: String { isPartitioned ? quotedName : "ONLY " + quotedName }

    /// The columns by which the server tells which row was changed or deleted, in whichever
    /// partition it is.
    var identity: [String] {
      let names = leaves.first?.identity ?? key
      return names.filter { name in leaves.allSatisfy { $0.identity.contains(name) } }
    }

    /// The columns without which the server would refuse changes of its rows.
    var neededColumns: [String] {
      let needed = leaves.isEmpty ? key : leaves.flatMap(\.identity)
      return columns.filter { !$0.isGenerated && needed.contains($0.name) }.map(\.name)
    }

    /// Has the replica identity tell whole rows, wherever it lacks a column: for somebody who may
    /// run it.
    func wholeIdentitySQL(lacking column: String) -> String {
      leaves.filter { !$0.identity.contains(column) }
        .map { "ALTER TABLE \($0.quotedName) REPLICA IDENTITY FULL;" }.joined(separator: " ")
    }

    /// The columns of types that replicas do not have.
    var unsupportedColumns: [Column] { columns.filter { $0.type == nil && !$0.isGenerated } }

    /// Whether the hub counts the changes of its rows.
    var hasRevision: Bool { columns.contains { $0.name == SyncedTable.revisionColumn } }

    /// The column of a name.
    func column(_ name: String) -> Column? { columns.first { $0.name == name } }
  }
#endif
