internal import Sectile

extension ScreenModel {
  /// How many lines show the open row.
  private var rowLines: Int { max(0, size.lines - Self.frameLines) }

  /// Shows the chosen row whole, or else the first one in sight.
  mutating func openChosenRow() {
    guard let geometry, let path = cursorPath ?? geometry.row(from: top, by: 1) else { return }
    open(path)
  }

  private mutating func open(_ path: ItemPath) {
    guard let contents else { return }
    let id = contents.id(at: path)
    openRow = ScreenRow(id, rank: contents.rank(of: path), columns: columns)
    cursor = id
  }

  /// Does what a key asks for while a row is shown.
  mutating func pressInRow(_ key: ScreenKey) {
    guard let row = openRow else { return }
    let page = max(1, rowLines - 1)
    switch key {
    case .up: openRow?.top = max(0, row.top - 1)
    case .down: openRow?.top = row.top + 1
    case .pageUp: openRow?.top = max(0, row.top - page)
    case .pageDown: openRow?.top = row.top + page
    case .home: openRow?.top = 0
    // Drawing knows how many lines there are.
    case .end: openRow?.top = Int(Int32.max)
    case .left: turn(to: row.rank - 1)
    // The next one has taken the place of one that is gone.
    case .right: turn(to: row.isGone ? row.rank : row.rank + 1)
    case .enter, .escape: closeRow()
    default: break
    }
  }

  private mutating func turn(to rank: Int) {
    if let path = contents?.path(atRank: rank) { open(path) }
  }

  private mutating func closeRow() {
    openRow = nil
    guard let path = cursorPath else { return }
    unfold(path.section)
    choose(path)
  }

  /// Draws the open row.
  mutating func drawRow(at time: Double) -> (lines: [ScreenLine], isComplete: Bool) {
    guard var row = openRow else { return ([], true) }
    let isComplete = contents.map { row.update(from: $0, at: time) } ?? false
    var head = ScreenLine(width: size.columns)
    if row.isGone {
      head.add("This row is gone: it was deleted, or it is not asked for any more.", at: 1, .red)
    } else {
      let total = contents?.rowCount ?? 0
      head.add("row \(row.rank + 1) of \(total)", at: 1, .underline)
    }
    let lines = row.draw(width: size.columns, lines: rowLines)
    openRow = row
    return ([head] + lines, isComplete)
  }
}
