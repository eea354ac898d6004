internal import Sectile

/// Reads the lines of a patch.
final class PatchParser {
  /// Why a line is none of a patch.
  struct Mistake: Error {
    /// The reason, as in `no id`.
    let reason: String
  }

  private let reader = JSONReader()
  private typealias Object = [String: JSONCell]

  /// Reads a line.
  ///
  /// - Parameter bytes: The line, without its end.
  /// - Returns: What it says.
  /// - Throws: ``Mistake``.
  func line(of bytes: [UInt8]) throws(Mistake) -> PatchLine {
    let members: [JSONReader.Member]
    do {
      members = try bytes.withUnsafeBytes { bytes in
        Result { () throws(JSONReader.Mistake) in try reader.members(of: bytes) }
      }.get()
    } catch {
      throw Mistake(reason: error.reason)
    }
    let object = object(members)
    guard case .value(.integer(let version))? = object["v"],
      JSONTag.readableFormats.contains(Int(clamping: version))
    else {
      throw Mistake(
        reason: "not a line of version 1 or 2, as sectile diff and sectile watch write them")
    }
    if let event = object["event"] { return try watchLine(Self.text(event), object) }
    return try diffLine(text("kind", object), object)
  }

  // MARK: - Kinds of lines

  private func diffLine(_ kind: String, _ object: Object) throws(Mistake) -> PatchLine {
    switch kind {
    case "file": return .file
    case "table": return .table(name: try text("table", object), key: try names("key", object))
    case "delete": return .delete(id: try values("id", object), row: try row("row", object))
    case "insert": return .insert(id: try values("id", object), row: try row("row", object))
    case "update":
      return .update(
        id: try values("id", object), before: try row("before", object),
        after: try row("after", object))
    case "summary":
      return .summary(
        deletes: Int(clamping: try number("deletes", object)),
        inserts: Int(clamping: try number("inserts", object)),
        updates: Int(clamping: try number("updates", object)))
    case "schema": return try schemaLine(object)
    case "rebuild": return .rebuild(table: try text("table", object))
    case "sequence":
      let isNull = object["after"] == .value(.null)
      return .sequence(
        table: try text("table", object), isNull ? nil : try number("after", object))
    case "setting":
      return .setting(
        name: try text("name", object), before: try number("before", object),
        after: try number("after", object))
    case "end":
      let isTold = object["newOrphans"] != nil
      return .end(newOrphans: isTold ? Int(clamping: try number("newOrphans", object)) : 0)
    default: throw Mistake(reason: "a line of the kind '\(kind)' is not known")
    }
  }

  private func schemaLine(_ object: Object) throws(Mistake) -> PatchLine {
    guard let kind = SchemaEntry.Kind(rawValue: try text("type", object)) else {
      throw Mistake(reason: "the type of the schema's entry is not known")
    }
    let entry = SchemaEntry(
      kind: kind, name: try text("name", object), table: try text("table", object),
      sql: try text("sql", object))
    let name = try text("action", object)
    guard let action = PatchLine.SchemaAction(rawValue: name) else {
      throw Mistake(reason: "the action '\(name)' is not known")
    }
    return .schema(action, entry)
  }

  private func watchLine(_ event: String?, _ object: Object) throws(Mistake) -> PatchLine {
    switch event {
    case "start":
      if object["only"] != nil {
        throw Mistake(
          reason: "the watch was run with --only, so changes are missing: leave --only out")
      }
      return .start(
        table: try text("table", object), key: try names("key", object),
        columns: try names("columns", object))
    case "willLoad": return .willLoad
    case "finished": return .finished(rowCount: Int(clamping: try number("rows", object)))
    case "partial":
      let rows = try members("rows", object)
      var deletes: [[ExactValue]] = []
      for change in try changes("deletes", rows) { deletes.append(try values("id", change)) }
      var present: [PatchLine.StreamRow] = []
      for list in ["inserts", "moves", "updates"] {
        for change in try changes(list, rows) { present.append(try streamRow(change)) }
      }
      // What is more than true is written as 1.
      return .partial(
        deletes: deletes, rows: present, isComplete: object["more"] != .value(.integer(1)))
    case "failed", "schema": return .note
    default: throw Mistake(reason: "an event '\(event ?? "")' is not known")
    }
  }

  private func streamRow(_ change: Object) throws(Mistake) -> PatchLine.StreamRow {
    let item = change["item"] == .value(.null) ? nil : try row("item", change)
    return PatchLine.StreamRow(id: try values("id", change), item: item)
  }

  // MARK: - Members

  private func object(_ members: [JSONReader.Member]) -> Object {
    Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }
  }

  private static func text(_ cell: JSONCell) -> String? {
    if case .value(.text(let text)) = cell { text } else { nil }
  }

  private func text(_ name: String, _ object: Object) throws(Mistake) -> String {
    guard let text = object[name].flatMap(Self.text) else { throw Self.missing(name) }
    return text
  }

  private func number(_ name: String, _ object: Object) throws(Mistake) -> Int64 {
    guard case .value(.integer(let number))? = object[name] else { throw Self.missing(name) }
    return number
  }

  private static func missing(_ name: String) -> Mistake {
    Mistake(reason: "'\(name)' is not there, or not what it should be")
  }

  private func nested(_ name: String, _ cell: JSONCell?) throws(Mistake) -> String {
    guard case .json(let text)? = cell else { throw Self.missing(name) }
    return text
  }

  private func elements(_ name: String, _ object: Object) throws(Mistake) -> [JSONCell] {
    let text = try nested(name, object[name])
    do {
      return try reader.elements(of: text)
    } catch {
      throw Mistake(reason: "'\(name)' is \(error.reason)")
    }
  }

  private func memberList(
    _ name: String, _ cell: JSONCell?
  ) throws(Mistake) -> [JSONReader.Member] {
    let text = try nested(name, cell)
    do {
      return try reader.members(of: text)
    } catch {
      throw Mistake(reason: "'\(name)' is \(error.reason)")
    }
  }

  private func members(_ name: String, _ object: Object) throws(Mistake) -> Object {
    self.object(try memberList(name, object[name]))
  }

  private func changes(_ name: String, _ rows: Object) throws(Mistake) -> [Object] {
    var changes: [Object] = []
    for change in try elements(name, rows) { changes.append(object(try memberList(name, change))) }
    return changes
  }

  private func names(_ name: String, _ object: Object) throws(Mistake) -> [String] {
    var names: [String] = []
    for element in try elements(name, object) {
      guard let text = Self.text(element) else { throw Self.missing(name) }
      names.append(text)
    }
    return names
  }

  private func values(_ name: String, _ object: Object) throws(Mistake) -> [ExactValue] {
    var values: [ExactValue] = []
    for element in try elements(name, object) { values.append(try value(name, element)) }
    return values
  }

  private func row(_ name: String, _ object: Object) throws(Mistake) -> PatchRow {
    var row = PatchRow()
    for member in try memberList(name, object[name]) {
      row.names.append(member.name)
      row.values.append(try value(member.name, member.value))
    }
    return row
  }

  private func value(_ name: String, _ cell: JSONCell) throws(Mistake) -> ExactValue {
    switch cell {
    case .value(let value): return .value(value)
    case .invalidText(let bytes): return .invalidText(bytes)
    case .json: throw Mistake(reason: "'\(name)' is no value of a column")
    }
  }
}
