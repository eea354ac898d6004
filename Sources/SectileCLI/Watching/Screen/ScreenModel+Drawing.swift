internal import Sectile
internal import SectilePresenting

extension ScreenModel {
  /// Draws the screen.
  ///
  /// - Parameter time: The time by the clock that changes are noted with, in seconds.
  /// - Returns: The lines, and whether all rows could be read.
  mutating func draw(at time: Double) -> (lines: [ScreenLine], isComplete: Bool) {
    var lines = [titleLine]
    guard size.lines > 1 else { return (lines, true) }
    var isComplete = true
    if showsHelp {
      lines += helpLines
    } else if openRow != nil {
      let row = drawRow(at: time)
      isComplete = row.isComplete
      lines += row.lines
    } else {
      if let filter { lines.append(filterLine(filter)) }
      let body = drawBody(at: time)
      isComplete = body.isComplete
      if size.lines > 2 {
        var names = ScreenLine(width: size.columns)
        layout.addNames(to: &names)
        lines.append(names)
      }
      lines += body.lines
    }
    while lines.count < size.lines - 1 { lines.append(ScreenLine(width: size.columns)) }
    return (lines.prefix(size.lines - 1) + [footerLine], isComplete)
  }

  // MARK: - Title and footer

  private var titleLine: ScreenLine {
    var line = ScreenLine(width: size.columns)
    let style: ScreenStyle = .reverse
    let counts =
      contents.map { contents in
        hasHeads
          ? CountText.rows(contents.rowCount, sections: contents.sectionCount)
          : CountText.text(contents.rowCount, "row")
      } ?? ""
    let state = TerminalText.escaped(status.state)
    // What matters most comes first: a narrow terminal shows the beginning.
    var text = " \(TerminalText.escaped(status.table))  \(counts)  \(state)"
    if let aggregates = contents?.aggregates, !aggregates.isEmpty {
      text += "  \(TerminalText.escaped(aggregates.description))"
    }
    if let version = contents?.version { text += "  v\(version)" }
    if let change = status.lastChange { text += "  changed \(change)" }
    text += "  \(TerminalText.escaped(status.file)) "
    let whole = TerminalText.padded(
      TerminalText.truncated(text, to: size.columns), to: size.columns)
    line.add(whole, at: 0, style.union(status.isFailed ? .red : .bold))
    return line
  }

  private var footerLine: ScreenLine {
    var line = ScreenLine(width: size.columns)
    if let entry {
      line.add(entry.shown(in: size.columns), at: 0, .bold)
      return line
    }
    let deletes = highlights.deleteCount
    if deletes > 0 { line.add("-\(deletes) gone", at: 0, [.red, .dim]) }
    if isFollowing { line.add("following", at: line.end + (deletes > 0 ? 2 : 0), .bold) }
    if let notice {
      let text = TerminalText.escaped(notice.text)
      line.add(text, at: line.end == 0 ? 0 : line.end + 2, notice.isProblem ? .red : .bold)
    } else if let searchText {
      line.add(searchText, at: line.end == 0 ? 0 : line.end + 2, .bold)
    }
    let end = line.end
    let keys = keyLists.first { end + TerminalText.width(of: $0) < size.columns }
    line.addAtEnd(keys ?? "q quit  ? help", .dim)
    return line
  }

  /// What the keys do, from the most words to the fewest.
  private var keyLists: [String] {
    let first = "q quit  ? help  "
    if openRow != nil {
      return [first + "Esc back  left/right other rows  arrows scroll", first + "Esc back"]
    }
    let arrows = cursor == nil ? "arrows scroll" : "arrows choose"
    let sections =
      hasHeads ? (search == nil ? "n/p section  Tab fold  " : "[/] section  Tab fold  ") : ""
    let find = search == nil ? "/ find  " : "n/N match  "
    return [
      first + find + "w where  Enter row  " + sections + "f follow  " + arrows,
      first + find + "w where  Enter row  " + arrows,
    ]
  }

  private func filterLine(_ condition: String) -> ScreenLine {
    var line = ScreenLine(width: size.columns)
    line.add("where \(TerminalText.escaped(condition))", at: 1, .yellow)
    line.addAtEnd("Esc shows all rows", .dim)
    return line
  }

  private var helpLines: [ScreenLine] {
    let width = ScreenKey.meanings.map { TerminalText.width(of: $0.0) }.max() ?? 0
    return [ScreenLine(width: size.columns)]
      + ScreenKey.meanings.map { keys, meaning in
        var line = ScreenLine(width: size.columns)
        line.add(keys, at: 2, .bold)
        line.add(meaning, at: width + 4)
        return line
      }
  }

  // MARK: - Sections and rows

  private mutating func drawBody(at time: Double) -> (lines: [ScreenLine], isComplete: Bool) {
    guard let geometry, bodyLines > 0 else { return ([], true) }
    var places: [ScreenGeometry.Place] = []
    var line = top
    while places.count < bodyLines, let place = geometry.place(ofLine: line) {
      // The head of the section that is looked at stays in sight.
      if hasHeads, places.isEmpty, case .row(let path) = place {
        places.append(.head(path.section))
      }
      if places.count < bodyLines { places.append(place) }
      line += 1
    }
    var isComplete = true
    let rows = places.map { place -> DrawnRow? in
      guard case .row(let path) = place else { return nil }
      guard let values = geometry.contents.values(at: path) else {
        isComplete = false
        return DrawnRow()
      }
      return DrawnRow(
        cells: values.map { ValueText.cell($0, width: ScreenColumns.widthLimit * 4).escaped },
        matches: Set(
          values.indices.filter { search?.matches(values[$0], upTo: Self.markedBytes) == true }))
    }
    layout.measure(rows.compactMap { $0?.cells })
    let lines = zip(places, rows).map { place, row in
      switch place {
      case .head(let section): headLine(section, geometry)
      case .row(let path): rowLine(row ?? DrawnRow(), path, geometry, at: time)
      }
    }
    return (lines, isComplete)
  }

  /// How many bytes of a text may mark its cell as one that contains what is searched for: drawing
  /// must not take long.
  private static let markedBytes = 10_000

  /// A row that is about to be drawn; without cells where it cannot be read.
  private struct DrawnRow {
    var cells: [TextCell] = []
    /// The columns that contain what is searched for.
    var matches: Set<Int> = []
  }

  private func headLine(_ section: Int, _ geometry: ScreenGeometry) -> ScreenLine {
    var line = ScreenLine(width: size.columns)
    let label = SectionHead.label(of: geometry.contents.identity(ofSection: section))
    let count = " (\(geometry.contents.rowCount(inSection: section)))"
    let mark = geometry.isFolded(section) ? "▸ " : "▾ "
    let room = max(1, size.columns - TerminalText.width(of: mark + count))
    line.add(mark + TerminalText.truncated(label, to: room) + count, at: 0, .bold)
    let aggregates = geometry.contents.aggregates(ofSection: section)
    if !aggregates.isEmpty {
      line.add("  " + TerminalText.escaped(aggregates.description), at: line.end, .dim)
    }
    return line
  }

  private func rowLine(
    _ row: DrawnRow, _ path: ItemPath, _ geometry: ScreenGeometry, at time: Double
  ) -> ScreenLine {
    var line = ScreenLine(width: size.columns)
    let id = geometry.contents.id(at: path)
    let look = highlights.look(of: id, at: time)
    let style = look?.style ?? []
    if let look { line.add(look.mark, at: 0, style) }
    let isChosen = cursor == id
    if isChosen { line.add("›", at: 1, .bold) }
    if row.cells.isEmpty {
      line.add("…", at: ScreenColumns.indentation, .dim)
    } else {
      layout.add(
        row.cells, to: &line, isChosen ? style.union(.reverse) : style, marked: row.matches)
    }
    return line
  }
}
