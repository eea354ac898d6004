internal import SectileCore

extension SyncedTable {
  /// Values of columns as the hub has them: units become numbers.
  func hubValues(_ values: [String: StoredValue]) -> [String: StoredValue] {
    converted(values) { value, scale in
      guard case .integer(let units) = value else { return value }
      return .text(DecimalUnits.text(units, scale: scale))
    }
  }

  /// Values of columns of the hub as the replica has them: numbers become units, or binary
  /// numbers, as far as they are some.
  func localValues(_ values: [String: StoredValue]) -> [String: StoredValue] {
    var values = values
    for column in columns where column.type == .double {
      // A `numeric` that is REAL in the replica.
      guard case .text(let digits)? = values[column.name], let number = Double(digits),
        !number.isNaN
      else { continue }
      values[column.name] = .real(number)
    }
    return converted(values) { value, scale in
      let text: String
      switch value {
      case .text(let digits): text = digits
      case .real(let number): text = "\(number)"
      case .null, .integer, .blob: return value
      }
      return DecimalUnits.units(text, scale: scale).map { StoredValue.integer($0) } ?? value
    }
  }

  private func converted(
    _ values: [String: StoredValue], _ body: (StoredValue, Int) -> StoredValue
  ) -> [String: StoredValue] {
    var values = values
    for column in columns {
      guard let scale = column.scale, let value = values[column.name] else { continue }
      values[column.name] = body(value, scale)
    }
    return values
  }
}

extension MutationRejection {
  /// The same, with the hub's row as the replica would have it.
  func localized(
    for changes: [RowMutation], of tables: [String: SyncedTable]
  ) -> MutationRejection {
    guard let current, let place = change, changes.indices.contains(place),
      let table = tables[changes[place].table]
    else { return self }
    var rejection = self
    rejection.current = table.localValues(current)
    return rejection
  }
}
