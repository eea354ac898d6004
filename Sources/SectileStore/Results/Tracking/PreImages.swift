import SectileCore

/// The rows of one table that a transaction touched, and what they were before it.
///
/// A *dirty set* with values: it may hold rows that did not change in the end, never too few.
struct PreImages: Sendable {
  /// What is known of a row as it was before the transaction.
  enum Finding {
    /// The transaction did not touch the row.
    case untouched
    /// There was no such row.
    case absent
    /// The row's values start here; see ``PreImages/withImage(at:_:)``.
    case image(Int)
    /// The row may have been touched, and its values are not known.
    case lost
  }

  private enum Offset {
    static let absent = -1
    static let lost = -2
  }

  /// The most bytes of values kept of one transaction; rows touched after that are lost.
  static let byteLimit = 256 << 20

  /// The columns whose values are kept, by name.
  let columns: [String]
  /// Whether rows may have been touched that are not listed.
  var isComplete = true

  private(set) var keys = RowKeyMap()
  // By handle of `keys`.
  private var offsets: ContiguousArray<Int> = []
  private var bytes: ContiguousArray<UInt8> = []

  init(columns: [String]) {
    self.columns = columns
  }

  /// What is kept of a time of which nothing is known.
  static let unknown: PreImages = {
    var images = PreImages(columns: [])
    images.isComplete = false
    return images
  }()

  /// How many rows were touched.
  var count: Int { offsets.count }

  var isEmpty: Bool { offsets.isEmpty && isComplete }

  /// How much memory the values take.
  var byteCount: Int { bytes.count + offsets.count * 40 }

  /// Returns the key of a touched row by its position, in the order of touching.
  func key(at position: Int) -> RowKey { keys.key(of: Int32(position)) }

  // MARK: Looking up

  func finding(_ key: RowKey) -> Finding {
    guard let handle = keys.handle(of: key) else { return isComplete ? .untouched : .lost }
    switch offsets[Int(handle)] {
    case Offset.absent: return .absent
    case Offset.lost: return .lost
    case let offset: return .image(offset)
    }
  }

  /// Calls `body` with the columns of the image at a position, valid inside it.
  func withImage<Result>(
    at offset: Int, _ body: (UnsafeBufferPointer<RawColumn>) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes { bytes in
      let image = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      return try RowImage(image, columnCount: columns.count).withColumns(body)
    }
  }

  // MARK: Recording

  /// Notes a row that was touched and was not there before.
  mutating func noteAbsent(_ key: RowKey) {
    if keys.insert(key).isNew { offsets.append(Offset.absent) }
  }

  /// Notes a row that is touched; the first time, `next` yields its values column by column, or nil
  /// where a value cannot be told.
  mutating func note(_ key: RowKey, value next: (Int) -> RawColumn?) {
    guard keys.insert(key).isNew else { return }
    let start = bytes.count
    guard start < Self.byteLimit else {
      offsets.append(Offset.lost)
      return
    }
    for column in columns.indices {
      guard let value = next(column) else {
        bytes.removeLast(bytes.count - start)
        offsets.append(Offset.lost)
        return
      }
      RowImage.append(value, to: &bytes)
    }
    offsets.append(start)
  }
}
