#if Server
  import Foundation

  /// A client of a stream: reads events, and keeps what it is told of the structure of each view.
  final class EventClient {
    /// One event.
    struct Event {
      var name = "message"
      var data: [String: Any] = [:]
    }

    private let connection: RawConnection
    private let foldsStructure: Bool
    private var rest: [UInt8] = []
    private(set) var lastID = ""
    private(set) var heartbeats = 0
    /// What each view consists of, by its name; the stream's own goes by an empty one.
    private(set) var views: [String: FoldedStructure] = [:]

    /// Creates a client; one of a feed, whose events have items, keeps no structure.
    init(_ connection: RawConnection, foldsStructure: Bool = true) {
      self.connection = connection
      self.foldsStructure = foldsStructure
    }

    /// Asks for a stream, and reads the head of the answer.
    func open(
      _ target: String, port: Int, cookie: String, lastID: String? = nil
    ) async throws -> HTTPAnswer {
      var head = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \(cookie)\r\n"
      if let lastID { head += "Last-Event-ID: \(lastID)\r\n" }
      try await connection.write(Array((head + "\r\n").utf8))
      return try await connection.head()
    }

    /// Reads the next event, and takes it in; nil at the end.
    func next() async throws -> Event? {
      while let block = try await nextBlock() {
        if let event = try parsed(block) { return event }
      }
      return nil
    }

    /// Reads until so many heartbeats were heard, or the stream ends; events are taken in.
    func hear(_ count: Int) async throws {
      while heartbeats < count, let block = try await nextBlock() { _ = try parsed(block) }
    }

    /// Reads up to the next empty line; nil at the end.
    private func nextBlock() async throws -> String? {
      while true {
        if let end = rest.firstRange(of: Array("\n\n".utf8)) {
          let block = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
          rest.removeFirst(end.upperBound)
          return block
        }
        guard let chunk = try await connection.chunk() else { return nil }
        rest += chunk
      }
    }

    /// Reads until an event of a name; nil where the stream ends before.
    func next(named name: String) async throws -> Event? {
      while let event = try await next() {
        if event.name == name { return event }
      }
      return nil
    }

    /// Reads until a view has a version.
    func reach(_ version: Int, of view: String = "") async throws {
      while (views[view]?.isWhole ?? false) == false || (views[view]?.version ?? -1) < version {
        guard try await next() != nil else { throw HTTPMistake(description: "the stream ended") }
      }
    }

    private func parsed(_ block: String) throws -> Event? {
      var event = Event()
      var hasData = false
      for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : ""
        if value.first == " " { value = value.dropFirst() }
        switch parts[0] {
        case "id": lastID = String(value)
        case "event": event.name = String(value)
        case "data":
          hasData = true
          let json = try JSONSerialization.jsonObject(with: Data(value.utf8))
          event.data = json as? [String: Any] ?? [:]
        default: break
        }
      }
      guard hasData else { return nil }
      if event.name == "heartbeat" {
        heartbeats += 1
        return nil
      }
      guard foldsStructure else { return event }
      let parts = event.name.split(separator: ".")
      let view = parts.count > 1 ? String(parts[0]) : ""
      try views[view, default: FoldedStructure()].take(String(parts.last ?? ""), event.data)
      return event
    }
  }

  /// Sections with the identities of their rows' places, as far as they were told: those before a
  /// changeset are numbers of no meaning.
  struct FoldedStructure {
    /// What stands at a place: the identity where it was told.
    typealias Row = String

    private(set) var version = -1
    private(set) var isWhole = false
    private(set) var resets = 0
    private(set) var sections: [(identity: String, rows: [Row])] = []

    /// The sections with their counts.
    var counts: [String] { sections.map { "\($0.identity):\($0.rows.count)" } }

    mutating func take(_ event: String, _ data: [String: Any]) throws {
      switch event {
      case "reset":
        sections = []
        isWhole = false
        resets += 1
        version = data["version"] as? Int ?? -1
      case "sections":
        for section in data["sections"] as? [[String: Any]] ?? [] {
          let count = section["count"] as? Int ?? 0
          sections.append((Self.identity(section["header"]), Array(repeating: "", count: count)))
        }
      case "complete": isWhole = true
      // Who goes on from a position was told the contents before.
      case "changes" where resets > 0: try apply(data)
      default: break
      }
    }

    private static func identity(_ header: Any?) -> String {
      text((header as? [String: Any])?["identity"] ?? NSNull())
    }

    static func text(_ value: Any) -> String {
      let data = try? JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
      return data.map { String(decoding: $0, as: UTF8.self) } ?? "?"
    }

    private static func path(_ value: Any?) throws -> (section: Int, item: Int) {
      guard let path = value as? [String: Any], let section = path["section"] as? Int,
        let item = path["item"] as? Int
      else { throw HTTPMistake(description: "no path: \(String(describing: value))") }
      return (section, item)
    }

    private mutating func apply(_ data: [String: Any]) throws {
      guard data["sourceVersion"] as? Int == version else {
        throw HTTPMistake(description: "a gap: \(version), \(data["sourceVersion"] ?? "?")")
      }
      let parts = data["sections"] as? [String: Any] ?? [:]
      let rows = data["rows"] as? [String: Any] ?? [:]
      func list(_ of: [String: Any], _ name: String) -> [[String: Any]] {
        of[name] as? [[String: Any]] ?? []
      }
      var out =
        try
        (list(rows, "deletes").map { try Self.path($0["path"]) }
        + list(rows, "moves").map { try Self.path($0["source"]) })
      out.sort { $0 > $1 }
      for path in out { sections[path.section].rows.remove(at: path.item) }
      var kept: [Int: (identity: String, rows: [Row])] = [:]
      let moves = list(parts, "moves").map {
        (source: $0["source"] as? Int ?? -1, target: $0["target"] as? Int ?? -1)
      }
      for move in moves { kept[move.target] = sections[move.source] }
      let deletes =
        list(parts, "deletes").compactMap { $0["section"] as? Int } + moves.map(\.source)
      for section in deletes.sorted(by: >) { sections.remove(at: section) }
      for insert in list(parts, "inserts") {
        kept[insert["section"] as? Int ?? -1] = (Self.identity(insert["header"]), [])
      }
      for (target, section) in kept.sorted(by: { $0.key < $1.key }) {
        sections.insert(section, at: target)
      }
      var new =
        try
        (list(rows, "inserts").map { (try Self.path($0["path"]), $0["id"] ?? NSNull()) }
        + list(rows, "moves").map { (try Self.path($0["target"]), $0["id"] ?? NSNull()) })
      new.sort { $0.0 < $1.0 }
      for (path, id) in new { sections[path.section].rows.insert(Self.text(id), at: path.item) }
      for update in list(rows, "updates") {
        let path = try Self.path(update["target"])
        sections[path.section].rows[path.item] = Self.text(update["id"] ?? NSNull())
      }
      version = data["targetVersion"] as? Int ?? -1
    }
  }

  extension [UInt8] {
    func firstRange(of mark: [UInt8]) -> Range<Int>? {
      var start = 0
      while let first = self[start...].firstIndex(of: mark[0]), first + mark.count <= count {
        if self[first..<(first + mark.count)].elementsEqual(mark) {
          return first..<(first + mark.count)
        }
        start = first + 1
      }
      return nil
    }
  }
#endif
