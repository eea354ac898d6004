#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// Performs a mutation with a session step by step: in a transaction, guarded by the client's
  /// last number.
  ///
  /// ```
  /// client's row: last_mid = number - 1 → number   the changes of rows      commit
  ///   not so: it was decided, or is not its turn     one is refused: all are taken back, and the
  ///                                                  refusal is written down under the same number
  /// ```
  struct MutationWriter {
    /// Says that the hub refuses a mutation.
    private struct Refusal: Error {
      var rejection: MutationRejection
    }

    let mutation: Mutation
    let session: PostgresSession
    /// Whether the tables may have changed since they were looked up.
    let isCatalogOld: Bool
    /// Looks up a table that the mutation changes.
    let table: (String) throws -> PostgresTable?

    /// Says that nothing was decided, because it may be the catalog that is wrong.
    struct CatalogOld: Error {}

    private var id: MutationID { mutation.id }

    /// Performs the mutation, or refuses it, unless that was done before.
    ///
    /// - Throws: `HubError`: `mutationOutOfOrder`, `mutationReused`; a ``PostgresError``, or
    ///   ``CatalogOld``, where nothing was decided.
    func perform() throws -> MutationResult {
      // A refusal by the server after the guard is about the mutation; before it, about the hub's
      // own tables.
      var (hasAdvanced, current) = (false, 0)
      do {
        return try session.transaction { _ in
          guard try advance(rejection: nil) else { return try decidedBefore() }
          hasAdvanced = true
          for (place, change) in mutation.changes.enumerated() {
            current = place
            try apply(change, place)
          }
          // What is checked at the end is about no change in particular.
          current = -1
          return .applied
        }
      } catch let refusal as Refusal {
        return try reject(refusal.rejection)
      } catch let misfit as PostgresValue.Misfit {
        if isCatalogOld { throw CatalogOld() }
        return try reject(
          MutationRejection(.constraint, message: misfit.reason, change: current))
      } catch let error as PostgresError {
        guard let kind = error.rejectionKind, hasAdvanced else { throw error }
        if isCatalogOld, error.state.hasPrefix("42"), kind == .constraint { throw CatalogOld() }
        return try reject(
          MutationRejection(
            kind, message: error.message + (error.detail.map { ": \($0)" } ?? ""),
            change: current < 0 ? nil : current))
      }
    }

    // MARK: The client's row

    /// Uses up the mutation's number; returns whether it was the next.
    private func advance(rejection: MutationRejection?) throws -> Bool {
      guard let statement = try advancing(rejection: rejection) else { return false }
      return try session.query(statement.sql, statement.parameters).changedCount == 1
    }

    /// What uses up the mutation's number where it is the next one, and changes no row where it is
    /// not; nil for a number that is none.
    func advancing(rejection: MutationRejection?) throws -> RowStatement? {
      guard id.number >= 1 else { return nil }
      let kept = try rejection.map { try StoredRejection($0).text() }
      let values = [
        id.client, "\(id.number)", "\(mutation.hash)", rejection == nil ? "t" : "f", kept,
      ]
      // A client that is new is so only with its first number.
      let sql =
        id.number == 1
        ? """
        INSERT INTO sectile.client (client_id, last_mid, hash, is_applied, rejection)
        VALUES ($1, $2::bigint, $3::bigint, $4::boolean, $5)
        ON CONFLICT (client_id) DO NOTHING
        """
        : """
        UPDATE sectile.client SET last_mid = $2::bigint, hash = $3::bigint,
          is_applied = $4::boolean, rejection = $5, decided_at = now()
        WHERE client_id = $1 AND last_mid = $2::bigint - 1
        """
      return RowStatement(sql: sql, parameters: values.map { PostgresParameter($0) })
    }

    /// What became of the mutation when it came before.
    private func decidedBefore() throws -> MutationResult {
      let found = try session.query(
        "SELECT last_mid, hash, is_applied, rejection FROM sectile.client WHERE client_id = $1",
        texts: [id.client])
      let row = found.rows.first
      let last = (row?[0]).flatMap { Int64($0) } ?? 0
      guard let row, id.number <= last, id.number >= 1 else {
        throw HubError(
          .mutationOutOfOrder,
          message: "the mutation \(id.number) of the client \(id.client) does not follow \(last)")
      }
      guard id.number == last, row[1] == "\(mutation.hash)" else {
        throw HubError(
          .mutationReused,
          message: "the client \(id.client) has used the number \(id.number) for another mutation",
          hint:
            "Go on under a new name: this one was used by somebody else, or in a state that was lost."
        )
      }
      if row[2] == "t" { return .applied }
      guard let rejection = row[3].flatMap({ StoredRejection.rejection($0) }) else {
        throw ByteReader.malformed("a refusal that was kept is none")
      }
      return .rejected(rejection)
    }

    private func reject(_ rejection: MutationRejection) throws -> MutationResult {
      try session.transaction { _ in
        try advance(rejection: rejection) ? .rejected(rejection) : decidedBefore()
      }
    }

    // MARK: Rows

    /// A change as a statement, with the table and the key of its row.
    func statement(
      for change: RowMutation
    ) throws -> (statement: RowStatement, table: PostgresTable, key: [StoredValue]) {
      guard let table = try table(change.table) else {
        throw PostgresValue.Misfit(reason: "the hub has no table \(change.table)")
      }
      guard !table.key.isEmpty else {
        throw PostgresValue.Misfit(reason: "the table \(change.table) has no primary key")
      }
      switch change {
      case .insert(_, let values):
        let statement = try RowStatement.insert(values, into: table)
        return (statement, table, table.key.compactMap { values[$0] })
      case .update(_, let key, let revision, let values):
        let statement = try RowStatement.update(
          table, key: key, revision: revision, values: values)
        return (statement, table, key)
      case .delete(_, let key, let revision):
        return (try RowStatement.delete(table, key: key, revision: revision), table, key)
      }
    }

    private func apply(_ change: RowMutation, _ place: Int) throws {
      let (statement, table, key) = try self.statement(for: change)
      let result = try session.query(statement.sql, statement.parameters)
      try statement.checkReturned(result.rows)
      if result.changedCount > 0 { return }
      let current = try row(of: table, key: key)
      // Who deletes whatever the row's state is has what they wanted.
      if case .delete(_, _, nil) = change, current == nil { return }
      throw Refusal(
        rejection: MutationRejection(
          .conflict, message: conflictMessage(change, current), change: place, current: current))
    }

    private func conflictMessage(
      _ change: RowMutation, _ current: [String: StoredValue]?
    ) -> String {
      switch change {
      case .insert: "a row of \(change.table) with this key is there already"
      case .update, .delete:
        current == nil
          ? "the row of \(change.table) is not there any more"
          : "the row of \(change.table) was changed since"
      }
    }

    /// The row of a key as it is now; nil where there is none.
    private func row(
      of table: PostgresTable, key: [StoredValue]
    ) throws -> [String: StoredValue]? {
      guard key.count == table.key.count else { return nil }
      let columns = table.columns.filter { $0.type != nil }
      let statement = try RowStatement.select(columns, from: table, key: key)
      guard let row = try session.query(statement.sql, statement.parameters).rows.first else {
        return nil
      }
      var values: [String: StoredValue] = [:]
      for (column, text) in zip(columns, row) {
        guard let type = column.type else { continue }
        values[column.name] =
          try text.map { try PostgresValue.decode(text: ArraySlice(Array($0.utf8)), as: type) }
          ?? .null
      }
      return values
    }
  }

  extension PostgresError {
    /// What kind of refusal it is; nil where it says nothing of the mutation.
    fileprivate var rejectionKind: MutationRejection.Kind? {
      if isAboutRights { return .notPermitted }
      return isAboutServer ? nil : .constraint
    }
  }
#endif
