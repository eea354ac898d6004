/// What an insertion does where it meets a row that exists.
public struct InsertConflictPolicy: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case abort, ignore, replace, update
  }
  package let kind: Kind

  /// Fails, and leaves the existing row as it is; the default.
  public static var abort: Self { Self(kind: .abort) }

  /// Leaves the existing row, and passes over the new one.
  ///
  /// SQLite's `INSERT OR IGNORE`: it also passes over rows that break a NOT NULL or CHECK
  /// constraint.
  public static var ignore: Self { Self(kind: .ignore) }

  /// Deletes every existing row that conflicts, in the key or another unique index, and inserts.
  ///
  /// Deletion cascades to rows that refer to the deleted ones. Prefer ``update``.
  public static var replace: Self { Self(kind: .replace) }

  /// Updates the row that has the same primary key; other conflicts fail.
  public static var update: Self { Self(kind: .update) }
}
