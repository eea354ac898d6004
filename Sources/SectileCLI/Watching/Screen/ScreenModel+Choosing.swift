internal import Sectile

/// The chosen row: a search leads to one, and Enter shows one whole. Arrows then choose another
/// row, where they scroll otherwise.
extension ScreenModel {
  /// Where the chosen row is; nil where there is none.
  var cursorPath: ItemPath? {
    cursor.flatMap { id in contents?.path(of: id) }
  }

  /// Chooses a row and brings it into sight.
  mutating func choose(_ path: ItemPath) {
    guard let geometry else { return }
    cursor = geometry.contents.id(at: path)
    let line = geometry.line(of: path)
    let page = max(1, bodyLines)
    // The head that stays in sight may take the first line.
    let last = top + page - 1 - (hasHeads ? 1 : 0)
    if line < top - page || line > last + page {
      top = max(0, line - page / 2)
    } else if line < top {
      top = line
    } else if line > last {
      top += line - last
    }
    if hasHeads, path.item == 0, top == line { top = max(0, line - 1) }
  }

  /// Chooses the row that is so many lines from the chosen one, or the one next to that.
  mutating func moveCursor(by distance: Int) {
    guard let geometry, let path = cursorPath else { return }
    let line = max(0, min(geometry.line(of: path) + distance, geometry.lineCount - 1))
    moveCursor(near: line, by: distance < 0 ? -1 : 1)
  }

  /// Chooses the first row from a line on, or else the one on its other side.
  mutating func moveCursor(near line: Int, by step: Int) {
    guard let geometry,
      let path = geometry.row(from: line, by: step) ?? geometry.row(from: line, by: -step)
    else { return }
    choose(path)
  }

  /// Lets the row that takes the place of the chosen one be chosen, where that is gone.
  mutating func keepCursor(since before: ScreenGeometry?) {
    guard let id = cursor, let contents, contents.path(of: id) == nil else { return }
    let rank = before.flatMap { before in
      before.contents.path(of: id).map { before.contents.rank(of: $0) }
    }
    cursor = rank.flatMap { contents.path(atRank: min($0, contents.rowCount - 1)) }
      .map { contents.id(at: $0) }
  }
}
