import SectileCore

/// The rows of one table that a transaction touched, and what they were before it.
///
/// A *dirty set* with values: it may hold rows that did not change in the end, never too few.
///
/// An object, and one that keeps its first row without a list: most commits touch one row, and its
/// memory is used again for that of a later one.
final class PreImages: Sendable {
  /// What is known of a row as it was before the transaction.
  enum Entry {
    /// The transaction did not touch the row.
    case untouched
    /// There was no such row.
    case absent
    /// The row's values start here; see ``PreImages/withImage(at:_:)``.
    case image(Int)
    /// The row's values start here, and of some that are wanted it is not known what they were.
    case partial(Int)
    /// The row may have been touched, and what it was is not known.
    case lost
  }

  private enum Offset {
    static let absent = -1
    static let lost = -2
  }

  /// The most bytes of values kept of one transaction; rows touched after that are lost.
  static let byteLimit = 256 << 20

  /// The only row, as long as there is no other.
  private struct OnlyRow {
    let key: RowKey
    let offset: Int
  }

  /// The rows, as soon as there is more than one.
  private struct ListedRows {
    // Both hand out handles one after another as long as nothing is removed.
    private var integers = IntegerKeyMap()
    /// All keys, from the first one on that is not an integer.
    private var general: GeneralKeyMap?
    // By handle of the keys.
    var offsets: ContiguousArray<Int> = []

    init(_ first: OnlyRow) {
      _ = insert(first.key)
      offsets.append(first.offset)
    }

    func key(at position: Int) -> RowKey {
      general?.key(of: Int32(position)) ?? .integer(integers.key(of: Int32(position)))
    }

    func offset(of key: RowKey) -> Int? { handle(of: key).map { offsets[Int($0)] } }

    private func handle(of key: RowKey) -> Int32? {
      if let general { return general.handle(of: key) }
      guard case .integer(let integer) = key else { return nil }
      return integers.handle(of: integer)
    }

    /// Forgets what a row was.
    mutating func lose(_ key: RowKey) {
      if let handle = handle(of: key) { offsets[Int(handle)] = Offset.lost }
    }

    /// Adds a key; false where it is there.
    mutating func insert(_ key: RowKey) -> Bool {
      if general == nil {
        if case .integer(let integer) = key { return integers.insert(integer).isNew }
        general = GeneralKeyMap(integers)
        integers = IntegerKeyMap()
      }
      return general?.insert(key).isNew ?? false
    }
  }

  /// What is known of the rows, but for their values.
  private struct State {
    /// Whether all rows that were touched are listed.
    var isComplete = true
    /// Whether the value of some column of some row could not be told.
    var hasGaps = false
    var only: OnlyRow?
    var listed: ListedRows?
  }

  /// The columns whose values are kept, by name.
  let columns: [String]

  // MARK: - Mutable state
  //
  // All of it is confined to the writer until a link between versions leads past the rows, and not
  // changed from then on as long as anybody else refers to the object. For each touched row there
  // are ten accesses, each to one field and none inside another; they are not checked for that at
  // run time. The bytes are apart: next to them, which cannot be copied, each look at another field
  // would read more than that.
  @exclusivity(unchecked) nonisolated(unsafe) private var state = State()
  @exclusivity(unchecked) nonisolated(unsafe) private var bytes = ByteBuffer()

  init(columns: [String]) {
    self.columns = columns
  }

  /// What is kept of a time of which nothing is known.
  static let unknown: PreImages = {
    let preImages = PreImages(columns: [])
    preImages.loseTrack()
    return preImages
  }()

  /// Returns the same rows, to note more of them while somebody may still read these.
  func copy() -> PreImages {
    let copy = PreImages(columns: columns)
    copy.state = state
    copy.bytes = bytes.copy()
    return copy
  }

  /// The most memory that is kept for the rows of later transactions.
  private static let keptCapacity = 4 << 10

  /// Whether all rows that were touched are listed.
  var isComplete: Bool { state.isComplete }

  /// Whether the memory is little enough to be kept.
  var isSmall: Bool { state.listed == nil && bytes.capacity <= Self.keptCapacity }

  /// Forgets the only row, to note another one in the same memory.
  ///
  /// - Precondition: The object is small, and nobody else refers to it.
  func clear() {
    state.isComplete = true
    state.hasGaps = false
    state.only = nil
    bytes.truncate(to: 0)
  }

  /// How many rows were touched.
  var count: Int { state.only == nil ? state.listed?.offsets.count ?? 0 : 1 }

  var isEmpty: Bool { count == 0 && state.isComplete }

  /// The key of the only row, as far as known; nil where several were touched, or none.
  var onlyKey: RowKey? { state.only?.key }

  /// How much memory the values take.
  var byteCount: Int { bytes.capacity + count * 40 }

  /// Returns the key of a touched row by its position, in the order of touching.
  func key(at position: Int) -> RowKey {
    if let only = state.only { return only.key }
    guard let listed = state.listed else { preconditionFailure("\(position) of no touched rows") }
    return listed.key(at: position)
  }

  /// Calls a closure with the keys of all touched rows, in the order of touching.
  func forEachKey(_ body: (RowKey) throws -> Void) rethrows {
    for position in 0..<count { try body(key(at: position)) }
  }

  // MARK: Looking up

  /// Returns what is known of a row.
  ///
  /// Where not all rows that were touched are listed, something changed unseen: a row that is
  /// listed may have been changed before it was noted.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - positions: The columns whose values are wanted; a row that lacks one of them is partial.
  /// - Returns: What is known.
  func entry(of key: RowKey, at positions: [Int]) -> Entry {
    let entry = entry(of: key)
    guard state.hasGaps, case .image(let offset) = entry else { return entry }
    let isWhole = !RowImage.hasGap(bytes.all, from: offset, among: positions)
    return isWhole ? entry : .partial(offset)
  }

  private func entry(of key: RowKey) -> Entry {
    guard state.isComplete else { return .lost }
    return switch offset(of: key) {
    case nil: .untouched
    case Offset.absent?: .absent
    case Offset.lost?: .lost
    case let offset?: .image(offset)
    }
  }

  /// Returns what is known of a row, of which the named columns are wanted.
  func entry(of key: RowKey, columns names: [String]) -> Entry {
    entry(of: key, at: state.hasGaps ? names.compactMap { columns.firstIndex(of: $0) } : [])
  }

  /// Where the image of a row starts, or why there is none; nil for a row that is not listed.
  private func offset(of key: RowKey) -> Int? {
    if let only = state.only { return only.key == key ? only.offset : nil }
    return state.listed?.offset(of: key)
  }

  /// Calls `body` with the columns of the image at a position, valid inside it.
  func withImage<Result>(
    at offset: Int, _ body: (UnsafeBufferPointer<RawColumn>) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: RawColumn.self, capacity: columns.count) { columns in
      RowImage.read(bytes.all, from: offset, into: columns)
      return try body(UnsafeBufferPointer(columns))
    }
  }

  /// The columns of the image at a position of which it is not known what they were.
  func gaps(at offset: Int) -> [Int] {
    columns.indices.filter { RowImage.hasGap(bytes.all, from: offset, among: [$0]) }
  }

  /// Returns the columns of the image at a position, valid as long as this object lives and no row
  /// is noted.
  func columns(at offset: Int) -> [RawColumn] { withImage(at: offset) { Array($0) } }

  /// Calls `body` with the columns of the image at a position, and next to them some columns of the
  /// row a statement stands on; both valid inside it.
  func withImage<Result>(
    at offset: Int, beside positions: Range<Int>, of statement: OpaquePointer,
    _ body: (_ image: UnsafeBufferPointer<RawColumn>, _ row: UnsafeBufferPointer<RawColumn>) ->
      Result
  ) -> Result {
    let count = columns.count
    return withUnsafeTemporaryAllocation(
      of: RawColumn.self, capacity: count + positions.count
    ) { columns in
      let image = UnsafeMutableBufferPointer(rebasing: columns[..<count])
      let row = UnsafeMutableBufferPointer(rebasing: columns[count...])
      RowImage.read(bytes.all, from: offset, into: image)
      RawColumn.read(positions, of: statement, into: row)
      return body(UnsafeBufferPointer(image), UnsafeBufferPointer(row))
    }
  }

  // MARK: Recording

  /// Takes note that rows may have been touched that are not listed.
  func loseTrack() { state.isComplete = false }

  /// Notes a row that was touched and was not there before.
  func noteAbsent(_ key: RowKey) {
    note(key) { Offset.absent }
  }

  /// Notes a row that is touched; the first time, `value` yields its values column by column, or
  /// nil for one that cannot be told.
  @inline(__always)
  func note(_ key: RowKey, value: (Int) -> RawColumn?) {
    note(key) { appendImage(value) }
  }

  /// Notes a row that somebody else has written too: what it was before is not known.
  func noteLost(_ key: RowKey) {
    note(key) { Offset.lost }
    if let first = state.only {
      if first.key == key { state.only = OnlyRow(key: key, offset: Offset.lost) }
    } else {
      state.listed?.lose(key)
    }
  }

  /// Lists a row, unless it is listed; `offset` tells where its image starts.
  @inline(__always)
  private func note(_ key: RowKey, offset: () -> Int) {
    if let first = state.only {
      guard first.key != key else { return }
      state.only = nil
      state.listed = ListedRows(first)
    } else if state.listed == nil {
      state.only = OnlyRow(key: key, offset: offset())
      return
    }
    guard state.listed?.insert(key) == true else { return }
    let start = offset()
    state.listed?.offsets.append(start)
  }

  @inline(__always)
  private func appendImage(_ value: (Int) -> RawColumn?) -> Int {
    let start = bytes.count
    guard start < Self.byteLimit else { return Offset.lost }
    for column in columns.indices {
      if let value = value(column) {
        RowImage.append(value, to: &bytes)
      } else {
        RowImage.appendGap(to: &bytes)
        state.hasGaps = true
      }
    }
    return start
  }
}
