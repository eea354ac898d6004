internal import SectileCore

extension SyncedTable {
  /// Refuses values that replicas cannot have, or no hub: before the hub commits them for all
  /// replicas, or they wait in an outbox.
  ///
  /// - Throws: ``HubError`` with the code `unsupportedValue`.
  func checkValues(_ values: [String: StoredValue]) throws(HubError) {
    for column in columns {
      guard let value = values[column.name], let problem = column.type.problem(of: value) else {
        continue
      }
      throw HubError(
        .unsupportedValue, message: "The column \(column.name) of \(name): \(problem)",
        hint: "Replicas have the years 1 to 9999, no NaN, and texts without a zero byte.")
    }
  }
}

extension HubType {
  /// Why a replica cannot have a value; nil where it may.
  fileprivate func problem(of value: StoredValue) -> String? {
    switch (self, value) {
    case (_, .real(let number)) where number.isNaN: "NaN is not a value of SQLite"
    case (.timestamp, .text(let text)), (.date, .text(let text)):
      text.hasYearOfReplicas ? nil : "the date is outside the years 1 to 9999"
    case (_, .text(let text)) where text.utf8.contains(0): "the text has a zero byte"
    default: nil
    }
  }
}

extension String {
  /// Whether a date begins with a year of at most four digits, or with something else that the hub
  /// reads.
  fileprivate var hasYearOfReplicas: Bool {
    let digits = utf8.prefix { (0x30...0x39).contains($0) }
    let isLong = digits.count > 4 && utf8.dropFirst(digits.count).first == 0x2D
    return !isLong && !utf8.contains(0)
      && !(digits.count == 4 && digits.allSatisfy { $0 == 0x30 })
      && !uppercased().hasSuffix("BC")
  }
}
