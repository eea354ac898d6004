internal import SectileCore

extension SectionedContents {
  /// Returns where a source's contents differ from these, in sentences; at most the first twenty.
  func differences(
    to source: any DataSource<ItemID, Item>, isEqual: (Item, Item) -> Bool
  ) -> [String] {
    var found: [String] = []
    func expect(_ isRight: Bool, _ sentence: @autoclosure () -> String) {
      if !isRight, found.count < 20 { found.append(sentence()) }
    }
    expect(version == source.version, "version is \(source.version) instead of \(version)")
    let headers = Array(source.sections)
    expect(
      headers.count == source.numberOfSections,
      "numberOfSections is \(source.numberOfSections), but sections has \(headers.count)")
    let expected = sections.map(\.header)
    let (seen, meant) = (headers.map(\.words), expected.map(\.words))
    expect(headers == expected, "sections are \(seen) instead of \(meant)")
    expect(
      count == source.numberOfItems, "numberOfItems is \(source.numberOfItems) instead of \(count)")
    guard headers == expected, headers.count == source.numberOfSections else { return found }
    for (ordinal, section) in sections.enumerated() {
      let count = source.numberOfItems(in: ordinal)
      expect(
        count == section.rows.count,
        "section \(ordinal) has \(count) items instead of \(section.rows.count)")
      guard count == section.rows.count else { continue }
      for (offset, row) in section.rows.enumerated() where found.count < 20 {
        let path = ItemPath(section: ordinal, item: offset)
        let actual = source.path(of: row.id)
        expect(
          actual == path,
          "path(of: \(IdentityText.text(of: row.id))) is \(actual?.description ?? "nil") "
            + "instead of \(path)")
        do {
          let item = try source.item(at: path)
          expect(isEqual(item, row.item), "the item at \(path) is \(item) instead of \(row.item)")
        } catch {
          expect(false, "the item at \(path) cannot be read: \(error)")
        }
      }
    }
    return found
  }
}

extension SourceSection {
  /// The identity, and the title where it differs.
  var words: String {
    title == identity.label ? title : "\(identity.label)(\(title))"
  }
}
