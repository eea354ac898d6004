#if NATS
  internal import SectileCore
  internal import SectileHub

  /// What a machine has of a table that a relay has.
  struct RelayedTable: Sendable {
    let table: SyncedTable
    /// Where its columns stand among the relay's.
    private let positions: [Int]
    private let columnCount: Int

    /// Finds a machine's table among a relay's.
    ///
    /// - Throws: `HubError` with the code `invalidSubscription`.
    init(_ table: SyncedTable, of tables: [SyncedTable]) throws {
      guard let whole = tables.first(where: { $0.name == table.name }),
        whole.key == table.key, whole.condition == table.condition
      else {
        throw HubError(
          .invalidSubscription, message: "the relay has another table \(table.name), or none")
      }
      positions = try table.columns.map { column in
        guard let position = whole.columns.firstIndex(of: column) else {
          throw HubError(
            .invalidSubscription,
            message: "the relay has another column \(column.name) of \(table.name), or none")
        }
        return position
      }
      columnCount = whole.columns.count
      self.table = table
    }

    /// Describes what a machine subscribes to.
    ///
    /// - Throws: `HubError`: `noSuchTable`, `invalidSubscription`.
    static func describe(
      _ subscription: TableSubscription, of tables: [SyncedTable]
    ) throws -> SyncedTable {
      guard var table = tables.first(where: { $0.name == subscription.name }) else {
        throw HubError(
          .noSuchTable, message: "the relay has no table \(subscription.name)",
          hint: "It has the tables that it was started with.")
      }
      guard subscription.condition == nil || subscription.condition == table.condition else {
        throw HubError(
          .invalidSubscription, message: "the relay has all rows of \(table.name), not some",
          hint: "Leave the condition out, or give it to the relay.")
      }
      if let names = subscription.columns {
        table.columns = try names.map { name in
          guard let column = table.columns.first(where: { $0.name == name }) else {
            throw HubError(
              .invalidSubscription, message: "the relay has no column \(name) of \(table.name)")
          }
          return column
        }
      }
      guard table.key.allSatisfy({ name in table.columns.contains { $0.name == name } }) else {
        throw HubError(.invalidSubscription, message: "the key of \(table.name) is left out")
      }
      for (name, form) in subscription.numericForms {
        guard let column = table.columns.first(where: { $0.name == name }), !column.has(form)
        else { continue }
        throw HubError(
          .invalidSubscription,
          message: "the relay has the column \(name) of \(table.name) in another form",
          hint: "Numbers have the form that the relay was started with.")
      }
      return table
    }

    /// A row as the machine has it.
    ///
    /// - Throws: `HubError` with the code `malformedMessage`.
    func row<Value>(_ row: [Value]) throws -> [Value] {
      guard row.count == columnCount else {
        throw RelayReader.malformed("a row of \(table.name) has \(row.count) columns")
      }
      return positions.map { row[$0] }
    }

    /// A change as the machine has it.
    ///
    /// - Throws: `HubError` with the code `malformedMessage`.
    func change(_ change: HubChange) throws -> HubChange {
      switch change {
      case .insert(let table, let row): .insert(table: table, row: try self.row(row))
      case .update(let table, let key, let row):
        .update(table: table, key: key, row: try self.row(row))
      case .delete, .truncate: change
      }
    }
  }

  extension SyncedTable.Column {
    /// Whether a machine that wants a number in a form has it so.
    fileprivate func has(_ form: TableSubscription.NumericForm) -> Bool {
      switch form {
      case .text: type == .numeric
      case .decimal(let scale): self.scale == scale
      case .real: type == .double
      }
    }
  }
#endif
