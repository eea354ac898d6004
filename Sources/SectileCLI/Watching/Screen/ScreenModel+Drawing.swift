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
    } else {
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
    let deletes = highlights.deleteCount
    if deletes > 0 { line.add("-\(deletes) gone", at: 0, [.red, .dim]) }
    if isFollowing { line.add("following", at: line.end + (deletes > 0 ? 2 : 0), .bold) }
    let sections = hasHeads ? "n/p section  Tab fold  " : ""
    let all = "q quit  ? help  \(sections)f follow  arrows scroll"
    let keys = line.end + TerminalText.width(of: all) < size.columns ? all : "q quit  ? help"
    line.addAtEnd(keys, .dim)
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
    let rows = places.map { place -> [TextCell]? in
      guard case .row(let path) = place else { return nil }
      guard let values = geometry.contents.values(at: path) else {
        isComplete = false
        return []
      }
      return values.map { ValueText.cell($0, width: ScreenColumns.widthLimit * 4).escaped }
    }
    layout.measure(rows.compactMap { $0 })
    let lines = zip(places, rows).map { place, cells in
      switch place {
      case .head(let section): headLine(section, geometry)
      case .row(let path): rowLine(cells ?? [], path, geometry, at: time)
      }
    }
    return (lines, isComplete)
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
    _ cells: [TextCell], _ path: ItemPath, _ geometry: ScreenGeometry, at time: Double
  ) -> ScreenLine {
    var line = ScreenLine(width: size.columns)
    let look = highlights.look(of: geometry.contents.id(at: path), at: time)
    let style = look?.style ?? []
    if let look { line.add(look.mark, at: 0, style) }
    if cells.isEmpty {
      line.add("…", at: ScreenColumns.indentation, .dim)
    } else {
      layout.add(cells, to: &line, style)
    }
    return line
  }
}
