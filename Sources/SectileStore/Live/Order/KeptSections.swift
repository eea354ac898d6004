import SectileCore

/// What many rows say about their sections, kept outside of a statement.
///
/// ```text
/// identity | section order … | title         of the first row, as a row image
/// identity | section order … | title         of the second
/// ```
struct KeptSections: ~Copyable {
  private let identity: Int?
  private let title: Int?
  private let titleForm: ColumnEncoding
  private let columnCount: Int
  private let limit: Int
  private var bytes = ByteBuffer()
  private var starts: ContiguousArray<Int> = []

  /// Creates a list of no rows.
  ///
  /// - Parameters:
  ///   - layout: Where the columns are in a row that is read.
  ///   - limit: How many bytes the list may take.
  init(_ layout: PlanRowLayout, limit: Int = NormalizedKeys.memoryLimit) {
    identity = layout.identity.map { _ in layout.sectionOrder.count }
    title = layout.title
    titleForm = layout.titleForm
    columnCount = 1 + layout.sectionOrder.count + (layout.title == nil ? 0 : 1)
    self.limit = limit
  }

  /// Appends what the row says that a cursor stands on.
  ///
  /// - Parameters:
  ///   - ordering: The row's values of the complete order.
  ///   - statement: The cursor's statement.
  /// - Returns: Whether there is memory for it.
  @inline(__always)
  mutating func append(
    _ ordering: UnsafeBufferPointer<RawColumn>, _ statement: RawStatement
  ) -> Bool {
    guard let identity else { return true }
    starts.append(bytes.count)
    RowImage.append(ordering[identity], to: &bytes)
    for position in 0..<identity { RowImage.append(ordering[position], to: &bytes) }
    if let title { RowImage.append(statement.column(title), to: &bytes) }
    return bytes.count <= limit
  }

  /// Whether the identities in two rows are the same bytes.
  func haveSameIdentity(_ left: Int32, _ right: Int32) -> Bool {
    guard identity != nil else { return true }
    return RowImage.haveSameColumn(bytes.all, at: starts[Int(left)], starts[Int(right)])
  }

  /// Whether two rows of one section put it in the same place.
  func haveSameOrder(_ left: Int32, _ right: Int32, by ordering: RowOrdering) -> Bool {
    guard let count = identity, count > 0, left != right else { return true }
    return withUnsafeTemporaryAllocation(of: RawColumn.self, capacity: 2 * (count + 1)) { columns in
      let first = UnsafeMutableBufferPointer(rebasing: columns[...count])
      let second = UnsafeMutableBufferPointer(rebasing: columns[(count + 1)...])
      RowImage.read(bytes.all, from: starts[Int(left)], into: first)
      RowImage.read(bytes.all, from: starts[Int(right)], into: second)
      return (0..<count).allSatisfy {
        ordering.areEqual(first[$0 + 1], second[$0 + 1], at: $0)
      }
    }
  }

  /// Returns what a row says; nil where part of it is text that is not UTF-8.
  func section(_ number: Int32) -> PlanSectionRow? {
    guard let identity else { return .only }
    return withUnsafeTemporaryAllocation(of: RawColumn.self, capacity: columnCount) { columns in
      RowImage.read(bytes.all, from: starts[Int(number)], into: columns)
      guard let value = columns[0].value,
        let title = title == nil ? value : columns[1 + identity].value
      else { return nil }
      var order = RowDigest()
      for column in columns[1..<1 + identity] { order.combine(column.asOrdered) }
      return PlanSectionRow(
        identity: value, title: titleForm.title(of: title), order: identity == 0 ? 0 : order.value)
    }
  }
}
