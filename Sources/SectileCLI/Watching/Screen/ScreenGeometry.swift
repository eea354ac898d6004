internal import Sectile

/// Where sections and rows are in the long list of lines that a screen shows a part of: a line for
/// the head of each section, and one for each row of a section that is not folded.
///
/// Rows that nothing groups are one section without a head.
struct ScreenGeometry {
  /// What stands on a line.
  enum Place: Hashable {
    case head(Int)
    case row(ItemPath)

    var section: Int {
      switch self {
      case .head(let section): section
      case .row(let path): path.section
      }
    }
  }

  let contents: any ScreenContents
  /// How many lines the head of a section takes: none where rows are not grouped.
  let headLines: Int
  /// The folded sections, ascending, each with how many rows are hidden before the next section.
  private let folded: [(section: Int, hidden: Int)]

  init(_ contents: any ScreenContents, folded: Set<StoredValue>, hasHeads: Bool) {
    self.contents = contents
    headLines = hasHeads ? 1 : 0
    var hidden = 0
    self.folded = folded.compactMap { contents.section(of: $0) }.sorted().map { section in
      hidden += contents.rowCount(inSection: section)
      return (section, hidden)
    }
  }

  /// How many lines there are.
  var lineCount: Int {
    contents.sectionCount * headLines + contents.rowCount - (folded.last?.hidden ?? 0)
  }

  func isFolded(_ section: Int) -> Bool { folded.contains { $0.section == section } }

  /// Returns the line of a section's head.
  func line(ofHead section: Int) -> Int {
    let hidden = folded.last { $0.section < section }?.hidden ?? 0
    return contents.firstRank(ofSection: section) + section * headLines - hidden
  }

  /// Returns the line of a row, or of its section's head where that is folded.
  func line(of path: ItemPath) -> Int {
    let head = line(ofHead: path.section)
    return isFolded(path.section) ? head : head + headLines + path.item
  }

  /// Returns the first row from a line on, downwards, or with -1 upwards; nil where there is none.
  func row(from line: Int, by step: Int) -> ItemPath? {
    var line = line
    while let place = place(ofLine: line) {
      if case .row(let path) = place { return path }
      line += step
    }
    return nil
  }

  /// Returns what stands on a line; nil behind the last.
  ///
  /// - Complexity: O(log *n*) steps of O(log *n*), and as many as there are folded sections.
  func place(ofLine line: Int) -> Place? {
    guard line >= 0, line < lineCount else { return nil }
    let later = (1..<contents.sectionCount).partitioningIndex { self.line(ofHead: $0) > line }
    let section = later - 1
    let offset = line - self.line(ofHead: section)
    return offset < headLines
      ? .head(section) : .row(ItemPath(section: section, item: offset - headLines))
  }
}
