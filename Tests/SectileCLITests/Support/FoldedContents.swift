import Foundation
import Testing

/// A client of `watch --ndjson`: applies the lines to contents of its own, and knows nothing of the
/// library but the documented fields.
struct FoldedContents {
  typealias Object = [String: Any]

  struct Row {
    var id: [NSObject]
    var item: NSObject
  }

  struct Section {
    var identity: NSObject
    var rows: [Row]
  }

  private(set) var sections: [Section] = []
  private(set) var version = 0
  private(set) var events: [String: Int] = [:]
  /// How many rows the changesets named.
  private(set) var changedRowCount = 0
  /// Called with each item that arrives, and the time of its line.
  var onItem: (_ item: Object, _ time: Double) -> Void = { _, _ in }

  /// Applies a line.
  mutating func apply(_ line: String) throws {
    let event = try #require(
      JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object, "\(line.prefix(200))")
    #expect(event["v"] as? Int == 2)
    let name = try #require(event["event"] as? String)
    events[name, default: 0] += 1
    switch name {
    case "start": (sections, version) = ([], 0)
    case "partial": try apply(event)
    case "finished":
      #expect(event["version"] as? Int == version)
      #expect(event["rows"] as? Int == sections.reduce(0) { $0 + $1.rows.count })
      #expect(event["sections"] as? Int == sections.count)
    default: break
    }
  }

  private mutating func apply(_ event: Object) throws {
    #expect(event["sourceVersion"] as? Int == version)
    let changedSections = try #require(event["sections"] as? [String: [Object]])
    let rows = try #require(event["rows"] as? [String: [Object]])
    func list(_ lists: [String: [Object]], _ name: String) throws -> [Object] {
      try #require(lists[name])
    }
    let (deletes, inserts) = (try list(rows, "deletes"), try list(rows, "inserts"))
    let (moves, updates) = (try list(rows, "moves"), try list(rows, "updates"))
    changedRowCount += deletes.count + inserts.count + moves.count + updates.count

    // Rows leave by their places before, the last first; then sections; everything arrives by its
    // place after, the first first.
    let leaving = deletes.map { path($0, "path") } + moves.map { path($0, "source") }
    for place in leaving.sorted(by: >) { sections[place.section].rows.remove(at: place.item) }
    try applySections(changedSections)
    let arriving = inserts.map { (path($0, "path"), $0) } + moves.map { (path($0, "target"), $0) }
    for (place, change) in arriving.sorted(by: { $0.0 < $1.0 }) {
      sections[place.section].rows.insert(row(change), at: place.item)
    }
    for change in updates {
      let place = path(change, "target")
      #expect(sections[place.section].rows[place.item].id == row(change).id)
      sections[place.section].rows[place.item] = row(change)
    }
    let time = try #require(event["time"] as? Double)
    for change in inserts + moves + updates {
      if let item = change["item"] as? Object { onItem(item, time) }
    }
    if event["more"] as? Bool == false { version = try #require(event["targetVersion"] as? Int) }
  }

  private mutating func applySections(_ changes: [String: [Object]]) throws {
    let (deletes, inserts) = (changes["deletes"] ?? [], changes["inserts"] ?? [])
    let moves = changes["moves"] ?? []
    let before = sections
    let leaving = deletes.map { number($0, "section") } + moves.map { number($0, "source") }
    for ordinal in leaving.sorted(by: >) { sections.remove(at: ordinal) }
    let arriving =
      inserts.map { (number($0, "section"), Section(identity: identity($0), rows: [])) }
      + moves.map { (number($0, "target"), before[number($0, "source")]) }
    for (ordinal, section) in arriving.sorted(by: { $0.0 < $1.0 }) {
      sections.insert(section, at: ordinal)
    }
  }

  private func number(_ object: Object, _ name: String) -> Int { object[name] as? Int ?? -1 }

  private func path(_ object: Object, _ name: String) -> (section: Int, item: Int) {
    let path = object[name] as? Object ?? [:]
    return (number(path, "section"), number(path, "item"))
  }

  private func identity(_ object: Object) -> NSObject {
    (object["header"] as? Object)?["identity"] as? NSObject ?? NSNull()
  }

  private func row(_ change: Object) -> Row {
    Row(
      id: change["id"] as? [NSObject] ?? [], item: change["item"] as? NSObject ?? NSNull())
  }
}

extension FoldedContents {
  /// Whether the contents are those of a document of `sectile sections --mode json`.
  func isEqual(toSections document: String) throws -> Bool {
    let object = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? Object
    let fresh = try #require(object?["sections"] as? [Object])
    return fresh.count == sections.count
      && zip(fresh, sections).allSatisfy { fresh, section in
        (fresh["section"] as? NSObject ?? NSNull()) == section.identity
          && (fresh["rows"] as? [NSObject] ?? []) == section.rows.map(\.item)
      }
  }
}
