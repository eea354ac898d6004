internal import Sectile

/// Writes changesets as lines of JSON, the same way the library encodes them: see
/// `Changeset.encode(to:)` for the lists, and its before/after rule for the paths.
///
/// A changeset of nothing but what is new, a first load for one, is split into several lines, each
/// complete in itself: applied one after the other they give the contents after. All but the last
/// say `"more":true`. So no line gets long, whatever is loaded.
struct ChangesetJSON: Sendable {
  /// How many rows one line of a split changeset holds.
  static let rowsPerLine = 1000

  /// The columns that are shown, as they are named in an item's object.
  private let columns: [(name: String, json: String)]

  init(columns: [String]) {
    self.columns = columns.map { ($0, ValueText.json($0)) }
  }

  /// Writes a changeset.
  ///
  /// - Parameters:
  ///   - changes: What changed.
  ///   - head: The members that each line begins with.
  ///   - output: Where the lines go; flushed at the end.
  ///   - reading: Reads an item; nil for one that others have changed meanwhile, which the next
  ///     changeset brings.
  /// - Throws: What reading and writing throw.
  func write(
    _ changes: WatchedChanges, head: String, to output: Output,
    reading: ItemReading
  ) throws {
    let size = changes.isPureGrowth ? Self.rowsPerLine : Int.max
    var start = 0
    repeat {
      let end = changes.inserts.count - start > size ? start + size : changes.inserts.count
      let more = end < changes.inserts.count
      try output.write(
        "{\(head),\"sourceVersion\":\(changes.sourceVersion),"
          + "\"targetVersion\":\(changes.targetVersion),\"more\":\(more),"
          + (start == 0 ? contents(changes) : "") + "\"sections\":{")
      try writeSections(start == 0 ? changes : nil, to: output)
      try output.write("},\"rows\":{")
      try writeRows(changes, inserts: start..<end, to: output, reading)
      try output.line("}}")
      start = end
    } while start < changes.inserts.count
    try output.flush()
  }

  // MARK: - Sections

  private func writeSections(_ changes: WatchedChanges?, to output: Output) throws {
    try list("deletes", changes?.sectionDeletes ?? [], to: output) {
      "\"section\":\($0.section),\"header\":\(header($0.header))"
    }
    try list("inserts", changes?.sectionInserts ?? [], to: output, after: ",") {
      "\"section\":\($0.section),\"header\":\(header($0.header))"
    }
    try list("moves", changes?.sectionMoves ?? [], to: output, after: ",") {
      "\"source\":\($0.source),\"target\":\($0.target),\"header\":\(header($0.header))"
    }
    try list("updates", changes?.sectionUpdates ?? [], to: output, after: ",") {
      "\"source\":\($0.source),\"target\":\($0.target),\"before\":\(header($0.before)),"
        + "\"header\":\(header($0.header))"
    }
  }

  private func contents(_ changes: WatchedChanges) -> String {
    guard let update = changes.contentsUpdate else { return "" }
    return "\"contents\":{\"before\":\(values(update.before)),\"after\":\(values(update.after))},"
  }

  private func header(_ section: SourceSection) -> String {
    let aggregates = section.aggregates
    return "{\"identity\":\(ValueText.json(section.identity)),"
      + "\"title\":\(ValueText.json(section.title))"
      + (aggregates.isEmpty ? "" : ",\"aggregates\":\(values(aggregates))") + "}"
  }

  private func values(_ aggregates: AggregateValues) -> String {
    let members = zip(aggregates.names, aggregates.values).map {
      "\(ValueText.json($0)):\(ValueText.json($1))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  // MARK: - Rows

  private func writeRows(
    _ changes: WatchedChanges, inserts: Range<Int>, to output: Output, _ reading: ItemReading
  ) throws {
    try list("deletes", changes.deletes, to: output) {
      "\"path\":\(path($0.path)),\"id\":\(id($0.id))"
    }
    try list("inserts", changes.inserts[inserts], to: output, after: ",") { change in
      "\"path\":\(path(change.path)),\"id\":\(id(change.id)),"
        + "\"item\":\(try item(reading.read { try change.item }))"
    }
    try list("moves", changes.moves, to: output, after: ",") { change in
      "\"source\":\(path(change.source)),\"target\":\(path(change.target)),"
        + "\"id\":\(id(change.id)),\"contentChanged\":\(change.isContentChanged),"
        + "\"item\":\(try item(reading.read { try change.item }))"
    }
    try list("updates", changes.updates, to: output, after: ",") { change in
      "\"source\":\(path(change.source)),\"target\":\(path(change.target)),"
        + "\"id\":\(id(change.id)),\"item\":\(try item(reading.read { try change.item }))"
    }
  }

  private func list<Changes: Collection>(
    _ name: String, _ changes: Changes, to output: Output, after separator: String = "",
    members: (Changes.Element) throws -> String
  ) throws {
    try output.write("\(separator)\"\(name)\":[")
    var separator = ""
    for change in changes {
      try output.write("\(separator){\(try members(change))}")
      separator = ","
    }
    try output.write("]")
  }

  private func path(_ path: ItemPath) -> String {
    "{\"section\":\(path.section),\"item\":\(path.item)}"
  }

  private func id(_ id: UntypedRow.ID) -> String {
    "[\(id.keyValues.map(ValueText.json).joined(separator: ","))]"
  }

  private func item(_ item: UntypedRow?) -> String {
    guard let item else { return "null" }
    let members = columns.map { "\($0.json):\(item.json(of: $0.name))" }
    return "{\(members.joined(separator: ","))}"
  }
}

extension Changeset {
  /// Whether there is nothing in it but sections and rows that are new.
  fileprivate var isPureGrowth: Bool {
    sectionDeletes.isEmpty && sectionMoves.isEmpty && sectionUpdates.isEmpty && deletes.isEmpty
      && moves.isEmpty && updates.isEmpty
  }
}
