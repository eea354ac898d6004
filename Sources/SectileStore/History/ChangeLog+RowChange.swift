public import Foundation
public import SectileCore

extension Store.ChangeLog {
  /// What happened to a row, by its key.
  ///
  /// What the row holds *now* is only told by the table.
  ///
  /// It is `Codable`: the date is a text as `2026-11-25 08:29:43.120`, in UTC; what is nil is left
  /// out.
  public struct RowChange: Hashable, Sendable {
    /// The name of the table now; `table 7` where the log no longer follows it.
    public let table: String
    /// What happened.
    public let operation: Operation
    /// The values of the key; empty for ``Operation/reset``.
    ///
    /// Text that is not UTF-8 is a blob.
    public let key: [StoredValue]
    /// When the statement ran, by the clock of the machine that ran it, whichever program it was;
    /// nil where values were not kept then, or not asked for.
    public let date: Date?
    /// What columns held before; nil where values were not kept then, or not asked for.
    ///
    /// Of an update those that have another value since, of a row that was deleted or touched all
    /// of them, of one that was inserted none. See ``keepValues(of:allowsAdopted:)``.
    public let values: [ColumnChange]?

    init(
      table: String, operation: Operation, key: [StoredValue], date: Date? = nil,
      values: [ColumnChange]? = nil
    ) {
      self.table = table
      self.operation = operation
      self.key = key
      self.date = date
      self.values = values
    }

    /// The change without ``date`` and ``values``.
    package var withoutValues: RowChange {
      RowChange(table: table, operation: operation, key: key)
    }

    /// What a column held before something happened to its row.
    public struct ColumnChange: Hashable, Sendable, Codable {
      /// The name that the column had then.
      public let column: String
      /// What it held before, to the last bit.
      ///
      /// Text that is not UTF-8 is a blob.
      public let before: StoredValue
      /// What an update has put there; nil where the row was deleted or touched.
      public let after: StoredValue?

      init(column: String, before: StoredValue, after: StoredValue?) {
        self.column = column
        self.before = before
        self.after = after
      }
    }
  }

  /// What happened to a row.
  public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
    /// It was inserted, perhaps in the place of one with the same key.
    case insert
    /// It was updated; the key is the one afterwards.
    case update
    /// It was deleted, or has another key now.
    case delete
    /// It stood in the way of a row that was written: REPLACE removes it, all else leaves it alone.
    case touched
    /// Any row of the table may have changed.
    case reset
  }
}

extension Store.ChangeLog.RowChange: Codable {
  private enum CodingKeys: String, CodingKey {
    case table, operation, key, date, values
  }

  /// Encodes the change as an object; what is nil is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(table, forKey: .table)
    try container.encode(operation, forKey: .operation)
    try container.encode(key, forKey: .key)
    try container.encodeIfPresent(date.flatMap(DateText.text(from:)), forKey: .date)
    try container.encodeIfPresent(values, forKey: .values)
  }

  /// Decodes what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    table = try container.decode(String.self, forKey: .table)
    operation = try container.decode(Store.ChangeLog.Operation.self, forKey: .operation)
    key = try container.decode([StoredValue].self, forKey: .key)
    date = try container.decodeIfPresent(String.self, forKey: .date).map { text in
      guard let date = DateText.date(from: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .date, in: container, debugDescription: "\(text) is no date")
      }
      return date
    }
    values = try container.decodeIfPresent([ColumnChange].self, forKey: .values)
  }
}
