public import SectileCore

extension SectionDiagram {
  /// The diagram as the contents of a source: an item is identified by its name.
  public func contents(version: Int = 0) -> SectionedContents<String, Item> {
    SectionedContents(
      version: version,
      sections: sections.map { section in
        SectionedContents.Section(
          header: section.header,
          rows: section.items.map { SectionedContents.Row(id: $0.id, item: $0) })
      })
  }

  /// Returns the exact difference to another diagram, one line each, in the words of
  /// ``SectileCore/Changeset/changeLines(from:to:)``.
  ///
  /// ```swift
  /// let before: SectionDiagram = "fruit: apple pear | veg: leek"
  /// #expect(before.changes(to: "fruit: apple | veg: leek pear") == ["move fruit/1 → veg/1"])
  /// ```
  public func changes(to after: SectionDiagram) -> [String] {
    let changes = Changeset(from: contents(version: 0), to: after.contents(version: 1))
    return changes.changeLines(
      from: SectionList(sections.map(\.header)), to: SectionList(after.sections.map(\.header)))
  }
}

extension Changeset {
  /// The changes in words that need no counting of sections: one line each, sections first.
  ///
  /// ```text
  /// delete section fruit        insert section veg
  /// move section fruit 0 → 1    update section veg “Veg” → “Vegetables”
  /// delete fruit/0              insert veg/0
  /// move fruit/1 → veg/1        move fruit/1 → fruit/0 *     (* its contents changed too)
  /// update fruit/0              update fruit/0 → fruit/1
  /// update section veg count 2→3                         (only aggregates have changed)
  /// update contents count 4→5
  /// ```
  ///
  /// - Parameters:
  ///   - before: The sections before the change.
  ///   - after: The sections after the change.
  /// - Returns: One line for each change.
  public func changeLines(from before: SectionList, to after: SectionList) -> [String] {
    func old(_ path: ItemPath) -> String { Self.words(path, before) }
    func new(_ path: ItemPath) -> String { Self.words(path, after) }
    var lines = [contentsUpdate].compactMap { update in
      update.map {
        "update contents\(AggregateValues.changes(from: $0.before, to: $0.after))"
      }
    }
    lines += sectionDeletes.map { "delete section \($0.header.identity.label)" }
    lines += sectionInserts.map { "insert section \($0.header.identity.label)" }
    lines += sectionMoves.map {
      "move section \($0.header.identity.label) \($0.source) → \($0.target)"
    }
    lines += sectionUpdates.map { "update section \($0.header.identity.label)\(Self.words($0))" }
    lines += deletes.map { "delete \(old($0.path))" }
    lines += inserts.map { "insert \(new($0.path))" }
    lines += moves.map {
      "move \(old($0.source)) → \(new($0.target))\($0.isContentChanged ? " *" : "")"
    }
    lines += updates.map {
      $0.source == $0.target && old($0.source) == new($0.target)
        ? "update \(old($0.source))" : "update \(old($0.source)) → \(new($0.target))"
    }
    return lines
  }

  private static func words(_ update: SectionUpdate) -> String {
    let aggregates = AggregateValues.changes(
      from: update.before.aggregates, to: update.header.aggregates)
    if !aggregates.isEmpty, update.before.title == update.header.title { return aggregates }
    return " “\(update.before.title)” → “\(update.header.title)”\(aggregates)"
  }

  private static func words(_ path: ItemPath, _ sections: SectionList) -> String {
    let isKnown = sections.indices.contains(path.section)
    return "\(isKnown ? sections[path.section].identity.label : "?")/\(path.item)"
  }
}
