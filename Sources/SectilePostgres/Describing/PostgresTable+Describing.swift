#if Postgres
  internal import SectileHub

  extension PostgresTable {
    /// Describes the table as a subscription wants it.
    ///
    /// - Throws: `HubError`: `noPrimaryKey`, `unsupportedType`, `invalidSubscription`,
    ///   `notPermitted`.
    func described(for subscription: TableSubscription) throws(HubError) -> SyncedTable {
      try checkPublishing(subscription.name)
      let wanted = try wantedColumns(subscription)
      if let name = subscription.numericForms.keys.sorted().first(where: { column($0) == nil }) {
        throw noColumn(name, subscription.name)
      }
      let columns = try wanted.map { column throws(HubError) -> SyncedTable.Column in
        guard let type = column.type else {
          let others = self.columns.filter { $0.type != nil && !$0.isGenerated }.map(\.name)
          throw HubError(
            .unsupportedType,
            message: "the column \(column.name) of the table \(subscription.name) has the type "
              + "\(column.typeName), which replicas do not have",
            hint: "Name the other columns in the subscription: \(others.joined(separator: ","))")
        }
        if let form = subscription.numericForms[column.name] {
          return try numeric(column, type, as: form, subscription.name)
        }
        return SyncedTable.Column(column.name, type.hubType, isNullable: column.isNullable)
      }
      return SyncedTable(
        name: subscription.name, columns: columns, key: key, condition: subscription.condition)
    }

    /// Describes a column of numbers as a subscription wants it.
    private func numeric(
      _ column: Column, _ type: PostgresType, as form: TableSubscription.NumericForm,
      _ table: String
    ) throws(HubError) -> SyncedTable.Column {
      let plain = SyncedTable.Column(column.name, type.hubType, isNullable: column.isNullable)
      if form == .real, type.hubType == .double { return plain }
      let problem: String
      switch form {
      case _ where type != .numeric: problem = "is not numeric"
      case .text: return plain
      case _ where key.contains(column.name): problem = "is in the key, which has all digits"
      case .decimal(let scale) where (0...18).contains(scale):
        return SyncedTable.Column(
          column.name, .integer, isNullable: column.isNullable, scale: scale)
      case .decimal(let scale): problem = "cannot have the scale \(scale)"
      case .real: return SyncedTable.Column(column.name, .double, isNullable: column.isNullable)
      }
      throw HubError(
        .invalidSubscription, message: "the column \(column.name) of the table \(table) \(problem)",
        hint: "Numbers of columns of the type numeric have another form, with a scale from 0 to 18."
      )
    }

    /// Refuses what replicas cannot have as a table, whoever asks.
    func checkKind(_ name: String) throws(HubError) {
      guard canBePublished else {
        throw HubError(
          .invalidSubscription, message: "\(name) is not a table that PostgreSQL publishes",
          hint:
            "Views, and tables that are temporary, unlogged or foreign, are not written to its log."
        )
      }
      guard !key.isEmpty else {
        throw HubError(
          .noPrimaryKey, message: "the table \(name) has no primary key",
          hint: "ALTER TABLE \(quotedName) ADD PRIMARY KEY (…); or, where it has a unique index of "
            + "columns that are NOT NULL: ALTER TABLE \(quotedName) REPLICA IDENTITY USING INDEX …;"
        )
      }
    }

    private func checkPublishing(_ name: String) throws(HubError) {
      try checkKind(name)
      guard isReadable else {
        throw HubError(
          .notPermitted, message: "the user may not read the table \(name)",
          hint: "Have somebody run this who may: GRANT SELECT ON \(quotedName) TO …;")
      }
      // Otherwise what is told of a deleted row does not say which it is.
      for leaf in leaves where !key.allSatisfy(leaf.identity.contains) {
        throw HubError(
          .invalidSubscription,
          message:
            "the replica identity of the table \(leaf.quotedName) does not have its primary key",
          hint: isKeyDeferrable
            ? "ALTER TABLE \(leaf.quotedName) REPLICA IDENTITY FULL;"
            : "ALTER TABLE \(leaf.quotedName) REPLICA IDENTITY DEFAULT;")
      }
    }

    /// Refuses a choice of columns that lacks some without which the server would refuse all
    /// changes of the table, whoever makes them.
    func checkNeeded(_ names: [String], _ table: String) throws(HubError) {
      guard let missing = (key + neededColumns).first(where: { !names.contains($0) }) else {
        return
      }
      throw HubError(
        .invalidSubscription,
        message: "the subscription of \(table) leaves out the column \(missing)",
        hint: "The columns of the primary key and of the replica identity are always needed.")
    }

    private func wantedColumns(
      _ subscription: TableSubscription
    ) throws(HubError) -> [Column] {
      guard let names = subscription.columns else {
        let omitted = subscription.omitsUnsupportedColumns ? unsupportedColumns : []
        if !omitted.isEmpty {
          let had = columns.map(\.name).filter { name in !omitted.contains { $0.name == name } }
          try checkNeeded(had, subscription.name)
        }
        return columns.filter { column in
          !column.isGenerated && !omitted.contains { $0.name == column.name }
        }
      }
      for name in names {
        guard let column = column(name) else { throw noColumn(name, subscription.name) }
        guard !column.isGenerated else {
          throw HubError(
            .invalidSubscription,
            message: "the server computes the column \(name) of the table \(subscription.name), "
              + "and does not publish it")
        }
      }
      try checkNeeded(names + [SyncedTable.revisionColumn], subscription.name)
      return columns.filter { names.contains($0.name) || $0.name == SyncedTable.revisionColumn }
    }

    private func noColumn(_ name: String, _ table: String) -> HubError {
      HubError(
        .invalidSubscription, message: "the table \(table) has no column \(name)",
        hint: "Its columns are \(columns.map(\.name).joined(separator: ", ")).")
    }
  }
#endif
