package import SectileCore

/// A value, as much of it as a list shows: of long texts and blobs, the beginning.
///
/// SQLite reads a value whole, and whoever compares it with a digest does; nobody copies it,
/// though.
package enum CutValue: Hashable, Sendable {
  /// All of it.
  case whole(StoredValue)
  /// All bytes of a text that is not UTF-8.
  case invalidText([UInt8])
  /// The first characters of a text, and how many bytes it has; what is not UTF-8 in it is
  /// repaired.
  case cutText(head: String, byteCount: Int)
  /// The first bytes of a blob, and how many it has.
  case cutBlob(head: [UInt8], byteCount: Int)

  /// Of how many characters, or bytes of a blob, a value is shown whole.
  package static let wholeLimit = 512
  /// How many bytes of a blob are shown.
  package static let blobHeadLength = 64

  init(_ column: RawColumn) {
    switch column {
    case .null: self = .whole(.null)
    case .integer(let integer): self = .whole(.integer(integer))
    case .real(let real): self = .whole(.real(real))
    case .blob(let bytes):
      self =
        bytes.count <= Self.wholeLimit
        ? .whole(.blob([UInt8](bytes)))
        : .cutBlob(head: [UInt8](bytes.prefix(Self.blobHeadLength)), byteCount: bytes.count)
    case .text(let bytes):
      // A character has four bytes at most. Its last may lack some, which are not looked at.
      let start = UnsafeRawBufferPointer(rebasing: bytes.prefix(4 * Self.wholeLimit))
      let text = String(decoding: start, as: UTF8.self)
      let scalars = text.unicodeScalars
      if bytes.count == start.count, scalars.count <= Self.wholeLimit {
        self = column.value.map { .whole($0) } ?? .invalidText([UInt8](bytes))
      } else {
        self = .cutText(
          head: String(String.UnicodeScalarView(scalars.prefix(Self.wholeLimit))),
          byteCount: bytes.count)
      }
    }
  }
}

/// A row of a plan with its values cut: what is shown of it in a list.
package struct CutRow: Identifiable, Sendable {
  /// The row's identity.
  package let id: UntypedRow.ID
  /// The values of the columns that were asked for.
  package let values: [CutValue]
}

extension RowFormat where Item == CutRow {
  /// Values cut, of the columns that an untyped row has.
  ///
  /// - Parameters:
  ///   - keyColumns: The key, which is among the columns.
  ///   - columns: The columns of the plan, all of which tell whether a row is what it was.
  ///   - shown: How many of them, from the first, the row has.
  /// - Returns: The format; nobody writes with it.
  static func cut(keyColumns: [String], columns: [String], showing shown: Int) -> RowFormat {
    let keyPositions = keyColumns.compactMap { columns.firstIndex(of: $0) }
    return RowFormat(columns: columns) { statement, firstColumn in
      CutRow(
        id: UntypedRow.ID(
          keyValues: try keyPositions.map { try statement.columnValue(at: firstColumn + $0) }),
        values: (0..<shown).map { CutValue(statement.column(firstColumn + $0)) })
    } encode: { _, _, _, _ in
      throw StoreError(
        .encodingFailed, message: "A row whose values are cut cannot be written.",
        hint: "Write whole items.")
    }
  }
}

extension ResultsSnapshot where Item == UntypedRow {
  /// Reads rows with their values cut, by one query, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - paths: Paths that exist, ascending.
  ///   - shown: How many columns of the plan, from the first, each row has.
  /// - Returns: The rows, in the order of the paths.
  /// - Throws: What ``item(at:)`` throws: `itemChangedElsewhere` where a row is not what it was at
  ///   this version.
  package func cutRows(
    at paths: ArraySlice<ItemPath>, showing shown: Int
  ) async throws -> [CutRow] {
    let format = RowFormat<CutRow>.cut(
      keyColumns: reader.keyColumns, columns: reader.format.columns, showing: shown)
    let cutting = ItemReader<CutRow>(rowsOf: reader, format: format)
    return try await reader.access.blockingCalls.run {
      try contents.items(at: paths, node: node, view: view, by: cutting)
    }
  }

  /// Reads one whole row, without blocking the caller's thread.
  ///
  /// - Parameter path: A path that exists.
  /// - Returns: The row, which nobody keeps.
  /// - Throws: What ``item(at:)`` throws.
  package func wholeRow(at path: ItemPath) async throws -> UntypedRow? {
    try await reader.access.blockingCalls.run {
      try contents.items(at: [path], node: node, view: view, by: reader).first
    }
  }
}
