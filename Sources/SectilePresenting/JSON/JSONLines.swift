public import SectileCore

/// Writes what a target would show as lines of JSON, one for each change of a cell.
///
/// The words are those of ``/Sectile/Changeset``'s own format. Each call of the target begins
/// with a line of its own; then each line is one step, and supposes that the earlier ones were
/// applied:
///
/// ```json
/// {"reload":{"format":2,"version":1}}
/// {"sections":"insert","section":0,"header":{"identity":"fruit","title":"Fruit"}}
/// {"rows":"insert","path":{"section":0,"item":0},"id":7,"item":"apple"}
/// {"update":{"format":2,"sourceVersion":1,"targetVersion":2}}
/// {"rows":"move","source":{…},"target":{…},"id":7,"contentChanged":true,"item":"apples"}
/// {"rows":"delete","path":{…},"id":8}
/// {"rows":"update","path":{…},"id":9,"item":"pear"}
/// {"sections":"move","source":0,"target":1,"header":{…}}
/// {"failure":"the server does not answer"}
/// ```
///
/// Before a `reload` a reader forgets everything. A `failure` changes nothing. A row that moved
/// with the contents it had has no `item`.
public final class JSONLines<ItemID, Cell>: PresentationTarget
where ItemID: Hashable & Sendable & Encodable, Cell: Sendable & Encodable {
  private let encode: @Sendable (any Encodable) throws -> String
  private let write: @Sendable (String) throws -> Void

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - encode: Returns a value as JSON without line breaks.
  ///   - write: Writes one line; the line end is not part of it.
  public init(
    encode: @escaping @Sendable (any Encodable) throws -> String,
    write: @escaping @Sendable (String) throws -> Void
  ) {
    self.encode = encode
    self.write = write
  }

  /// Writes that everything is new, then everything.
  ///
  /// - Throws: What making a cell, encoding, or writing throws.
  public func reload(_ contents: any PresentedContents<ItemID, Cell>) throws {
    try line(.reload(version: contents.version))
    for (ordinal, header) in contents.sections.enumerated() {
      try line(.section("insert", section: ordinal, header: header))
      for item in 0..<contents.numberOfItems(in: ordinal) {
        let path = ItemPath(section: ordinal, item: item)
        let (id, cell) = (contents.id(at: path), try contents.item(at: path))
        try line(.row("insert", path: path, id: id, item: cell))
      }
    }
  }

  /// Writes one line for each step.
  ///
  /// - Throws: What making a cell, encoding, or writing throws.
  public func update(_ update: PresentationUpdate<ItemID, Cell>) throws {
    let changes = update.changes
    try line(.update(from: changes.sourceVersion, to: changes.targetVersion))
    for edit in changes.sequentialEdits { try line(step(edit)) }
  }

  /// Writes what went wrong.
  public func didFail(with error: any Error) {
    // Where writing is what fails, there is nobody to tell.
    try? line(.failure("\(error)"))
  }

  private func line(_ line: JSONLine<ItemID, Cell>) throws {
    try write(encode(line))
  }

  private func step(_ edit: SequentialEdit<ItemID, Cell>) throws -> JSONLine<ItemID, Cell> {
    switch edit {
    case .insertSection(let section, let change):
      .section("insert", section: section, header: change.header)
    case .moveSection(let from, let to, let change):
      .sectionMove(from: from, to: to, header: change.header)
    case .deleteSection(let section, let change):
      .section("delete", section: section, header: change.header)
    case .updateSection(let section, let change):
      .section("update", section: section, header: change.header)
    case .insertRow(let path, let change):
      .row("insert", path: path, id: change.id, item: try change.item)
    case .deleteRow(let path, let change):
      .row("delete", path: path, id: change.id, item: nil)
    case .updateRow(let path, let change):
      .row("update", path: path, id: change.id, item: try change.item)
    case .moveRow(let from, let to, let change):
      .rowMove(
        from: from, to: to, id: change.id, isContentChanged: change.isContentChanged,
        item: change.isContentChanged ? try change.item : nil)
    }
  }
}
