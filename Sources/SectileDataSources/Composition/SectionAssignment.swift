internal import SectileCore

/// The sections that rows are put into as they come, in any order.
struct SectionAssignment {
  private var ordinals: [StoredValue: Int32] = [:]
  /// The header of each section: that of its first row.
  private(set) var headers: ContiguousArray<SourceSection> = []
  /// The rank of each section's first row.
  private var firstRanks: ContiguousArray<Int32> = []
  /// The section of each row, by the row's number.
  private var sections: ContiguousArray<Int32> = []

  /// Puts the next row into a section.
  mutating func append(_ header: SourceSection, rank: Int32) {
    let section = section(of: header, rank)
    sections.append(Int32(section))
    if rank < firstRanks[section] {
      firstRanks[section] = rank
      headers[section] = header
    }
  }

  private mutating func section(of header: SourceSection, _ rank: Int32) -> Int {
    // Rows of one section often come one after another.
    if let last = sections.last, headers[Int(last)].identity == header.identity {
      return Int(last)
    }
    if let section = ordinals[header.identity] { return Int(section) }
    ordinals[header.identity] = Int32(headers.count)
    headers.append(header)
    firstRanks.append(rank)
    return headers.count - 1
  }

  /// Returns the rows section by section, in each of them in the order in which they are given.
  ///
  /// - Parameter numbers: The numbers of all rows.
  /// - Returns: The numbers, and where those of each section begin, with the end behind the last.
  /// - Complexity: O(*n*).
  func group(
    _ numbers: ContiguousArray<Int32>
  ) -> (numbers: ContiguousArray<Int32>, starts: ContiguousArray<Int>) {
    var starts = ContiguousArray(repeating: 0, count: headers.count + 1)
    for section in sections { starts[Int(section) + 1] += 1 }
    for section in headers.indices { starts[section + 1] += starts[section] }
    var places = starts
    var grouped = ContiguousArray<Int32>(repeating: 0, count: numbers.count)
    for number in numbers {
      let section = Int(sections[Int(number)])
      grouped[places[section]] = number
      places[section] += 1
    }
    return (grouped, starts)
  }

  /// Returns the sections in order.
  ///
  /// - Parameter areInIncreasingOrder: Compares two headers; nil where sections stand as their
  ///   first rows do.
  /// - Returns: The ordinals that the sections have here.
  /// - Complexity: O(*s* log *s*) for *s* sections.
  func order(by areInIncreasingOrder: ((SourceSection, SourceSection) -> Bool)?) -> [Int] {
    if let areInIncreasingOrder {
      return headers.indices.sorted { areInIncreasingOrder(headers[$0], headers[$1]) }
    }
    return headers.indices.sorted { firstRanks[$0] < firstRanks[$1] }
  }
}
