internal import SectileCore

/// The lines of a table with sections, as many as there is room for.
///
/// Only the rows that find room are read.
struct TableLayout<ItemID: Hashable & Sendable> {
  private enum Line {
    case text(String)
    case row([TextCell])
  }

  private let known: [IdentityKey<ItemID>: TextRow]
  private let lineLimit: Int
  private var content: [Line] = []
  /// The cells of the rows that found room.
  private(set) var cells: [IdentityKey<ItemID>: TextRow] = [:]

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - known: Cells that need not be made again.
  ///   - lineLimit: How many lines there is room for.
  init(known: [IdentityKey<ItemID>: TextRow], lineLimit: Int) {
    self.known = known
    self.lineLimit = max(1, lineLimit)
  }

  /// Reads what finds room.
  mutating func read(_ contents: any PresentedContents<ItemID, TextRow>) throws {
    let known = known
    var made: [IdentityKey<ItemID>: TextRow] = [:]
    var shownRows = 0
    var isFull = false
    for (ordinal, section) in contents.sections.enumerated() where !isFull {
      if !section.title.isEmpty {
        isFull = !add { .text(TerminalText.escaped(section.title)) }
      }
      for item in 0..<contents.numberOfItems(in: ordinal) where !isFull {
        let path = ItemPath(section: ordinal, item: item)
        let key = IdentityKey(contents.id(at: path))
        isFull = try !add {
          let cell = try known[key] ?? contents.item(at: path)
          made[key] = cell
          return .row(cell.cells.map(\.escaped))
        }
        if !isFull { shownRows += 1 }
      }
      if let footer = section.footer, !isFull {
        isFull = !add { .text(TerminalText.escaped(footer)) }
      }
    }
    cells = made
    if isFull { leaveRoomForCount(of: contents.numberOfItems - shownRows) }
  }

  /// Adds a line, or returns false where there is no room for it; it is not made then.
  private mutating func add(_ line: () throws -> Line) rethrows -> Bool {
    guard content.count < lineLimit else { return false }
    content.append(try line())
    return true
  }

  private mutating func leaveRoomForCount(of rows: Int) {
    var left = rows
    if let last = content.popLast(), case .row = last { left += 1 }
    content.append(.text("… \(left) more"))
  }

  /// Returns the lines, with the columns' names above them.
  func lines(columns names: [String]) -> [String] {
    let rows = content.compactMap { line in
      if case .row(let cells) = line { cells } else { nil }
    }
    let columns = TextColumns(heads: names, rows: rows)
    let hasTitles = content.contains { line in
      if case .text = line { true } else { false }
    }
    let indentation = hasTitles ? "  " : ""
    return columns.headLines.map { indentation + $0 }
      + content.map { line in
        switch line {
        case .text(let text): text
        case .row(let cells): indentation + columns.line(cells)
        }
      }
  }
}
