import Foundation
import GRDBSQLite
import SectileCore

/// Notices, while rows are read in order, where one section ends and the next begins, and that its
/// rows agree about where it stands.
struct SectionWalk {
  /// A section that begins with the row at hand.
  struct Beginning {
    let row: PlanSectionRow
    /// Sections of the fixed list that stand before it and have no rows.
    let fixedBefore: [SourceSection]
  }

  /// The sections of the fixed list, and as they are listed.
  private let fixed: [(identity: StoredValue, listed: StoredValue)]
  private let reader: PlanReader
  private var fixedPosition = 0
  private let identity = LastIdentity()
  private var last: StoredValue?
  /// Nil where sections are ordered by nothing but their identity.
  private let order: SectionOrder?
  private let table: String

  init(of reader: PlanReader) {
    self.reader = reader
    table = reader.queries.plan.table
    order = reader.queries.sectionOrdering.map(SectionOrder.init)
    var seen: Set<StoredValue> = []
    let section = reader.queries.plan.section
    fixed = zip(section?.foldedFixedSections ?? [], section?.fixedSections ?? [])
      .filter { seen.insert($0.0).inserted }.map { (identity: $0, listed: $1) }
  }

  /// Returns the section that begins with the row, or nil if the row continues the last one.
  ///
  /// - Throws: `sectionOrderAmbiguous` where it continues one that its own values would put
  ///   elsewhere.
  mutating func advance(to cursor: PlanCursor) throws -> Beginning? {
    if identity.advance(to: cursor), let beginning = try begin(try cursor.section()) {
      order?.begin(cursor)
      return beginning
    }
    if let order, !order.isKept(by: cursor) { throw ambiguousOrder() }
    return nil
  }

  /// The error for a row that would put the section elsewhere that it continues.
  func ambiguousOrder() -> StoreError {
    .sectionOrderAmbiguous(table: table, identity: last ?? .null)
  }

  /// Returns the section that begins with a row whose identity has other bytes than the one before;
  /// nil where the two are two spellings of one number, as 1 and 1.0 are.
  mutating func begin(_ row: PlanSectionRow) throws -> Beginning? {
    if row.header.identity.isNumber, row.header.identity == last { return nil }
    last = row.header.identity
    return Beginning(row: row, fixedBefore: try takeFixed(before: row.header.identity))
  }

  private mutating func takeFixed(before identity: StoredValue?) throws -> [SourceSection] {
    var sections: [SourceSection] = []
    while fixedPosition < fixed.count, fixed[fixedPosition].identity != identity {
      let (identity, listed) = fixed[fixedPosition]
      let title = try reader.titleOfEmptySection(listed)
      let name = reader.queries.plan.section?.name(title, of: identity) ?? identity
      sections.append(PlanSectionRow(identity: identity, title: name, order: 0).header)
      fixedPosition += 1
    }
    fixedPosition += 1
    return sections
  }

  /// Returns the sections of the fixed list behind the last row.
  mutating func remainingFixed() throws -> [SourceSection] { try takeFixed(before: nil) }
}

extension StoredValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob: false
    }
  }
}

extension SectionedIndexBuilder {
  /// Begins a section that a walk noticed, behind those of the fixed list that stand before it.
  mutating func append(_ section: SectionWalk.Beginning) {
    appendEmpty(section.fixedBefore)
    appendSection(section.row.header, order: section.row.order)
  }

  /// Appends sections of the fixed list that have no rows.
  mutating func appendEmpty(_ sections: [SourceSection]) {
    for section in sections { appendSection(section) }
  }

  /// Returns the index of all rows of a plan.
  ///
  /// - Throws: `sectionOrderAmbiguous` if a section began twice: its rows disagree about where it
  ///   stands.
  mutating func finish(_ plan: FetchPlan) throws -> SectionedIndex {
    if let repeated = registerSections() {
      throw StoreError.sectionOrderAmbiguous(table: plan.table, identity: repeated)
    }
    return finish()
  }
}

/// The section's identity in the row before.
///
/// Compared for every row that is read, so its bytes are kept in memory of its own: nothing is
/// retained or allocated for a row that continues a section.
private final class LastIdentity {
  private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The identity, which may stand in ``bytes``; nil before the first row.
  private var identity: RawColumn?

  deinit { bytes.deallocate() }

  /// Whether the row's identity is another one than that of the row before.
  func advance(to cursor: PlanCursor) -> Bool {
    let value = cursor.columns.identity.flatMap {
      sqlite3_column_value(cursor.statement.handle, Int32($0))
    }
    if let value, isLastText(value) { return false }
    let next = value.map { RawColumn($0, isUTF8: false) } ?? .null
    if let identity, next.isIdentical(to: identity) { return false }
    identity = next.keepingBytes(kept)
    return true
  }

  /// Whether a value is the same text as before: asked first, because it is so for nearly every
  /// row.
  @inline(__always)
  private func isLastText(_ value: OpaquePointer) -> Bool {
    guard case .text(let last) = identity, sqlite3_value_type(value) == SQLITE_TEXT else {
      return false
    }
    let start = sqlite3_value_text(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      .hasSameBytes(as: last)
  }

  private func kept(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if value.count > bytes.count {
      bytes.deallocate()
      bytes = .allocate(byteCount: 2 * value.count, alignment: 1)
    }
    bytes.copyMemory(from: value)
    return UnsafeRawBufferPointer(rebasing: bytes[..<value.count])
  }
}

/// What the section at hand is ordered by, as the row says that it began with.
///
/// Compared for every row of such a request, so it is kept as ``LastIdentity`` is.
private final class SectionOrder {
  private let ordering: RowOrdering
  private let values: UnsafeMutableBufferPointer<RawColumn>
  private var bytes = ByteBuffer()

  /// Creates one for a request.
  ///
  /// - Parameter ordering: How the columns compare.
  init(_ ordering: RowOrdering) {
    self.ordering = ordering
    values = .allocate(capacity: ordering.terms.count)
    values.initialize(repeating: .null)
  }

  deinit { values.deallocate() }

  /// Takes note of a row that begins a section.
  func begin(_ cursor: PlanCursor) {
    bytes.truncate(to: 0)
    for position in cursor.columns.sectionOrder {
      RowImage.append(cursor.statement.column(position), to: &bytes)
    }
    RowImage.read(bytes.all, from: 0, into: values)
  }

  /// Whether a row puts the section where the first one did.
  func isKept(by cursor: PlanCursor) -> Bool {
    let positions = cursor.columns.sectionOrder
    return values.indices.allSatisfy {
      ordering.areEqual(cursor.statement.column(positions[$0]), values[$0], at: $0)
    }
  }
}

/// The handles met so far, as bits.
struct SeenHandles {
  private var words: [UInt64] = []

  /// Adds a handle; returns false if it was there.
  mutating func insert(_ handle: Int32) -> Bool {
    let (word, bit) = Self.place(handle)
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    defer { words[word] |= bit }
    return words[word] & bit == 0
  }

  /// Adds handles to none; returns false if one comes twice.
  ///
  /// - Parameters:
  ///   - handles: The handles.
  ///   - limit: More than the largest of them.
  /// - Returns: Whether each came once.
  mutating func insert(all handles: ContiguousArray<Int32>, below limit: Int) -> Bool {
    words = [UInt64](repeating: 0, count: limit / 64 + 1)
    return words.withUnsafeMutableBufferPointer { words in
      var isUnique = true
      for handle in handles {
        let (word, bit) = Self.place(handle)
        isUnique = isUnique && words[word] & bit == 0
        words[word] |= bit
      }
      return isUnique
    }
  }

  func contains(_ handle: Int32) -> Bool {
    let (word, bit) = Self.place(handle)
    return word < words.count && words[word] & bit != 0
  }

  private static func place(_ handle: Int32) -> (word: Int, bit: UInt64) {
    (Int(handle) >> 6, 1 << UInt64(handle & 63))
  }
}

extension StoreError {
  static func sectionOrderAmbiguous(table: String, identity: StoredValue) -> StoreError {
    StoreError(
      .sectionOrderAmbiguous,
      message:
        "The rows of \(table) in one section disagree about where the section stands; its "
        + "identity is \(identity.kindText).",
      hint: "Let the order of sections depend on nothing but the section's identity.",
      storedValue: identity)
  }

  static func duplicateKey(table: String, key: RowKey) -> StoreError {
    StoreError(
      .duplicateKey, message: "Two rows of \(table) have one key.",
      hint: "Choose key columns that are declared UNIQUE or PRIMARY KEY; a joined row must match "
        + "at most one row of the other table.", rowKey: key.values)
  }
}
