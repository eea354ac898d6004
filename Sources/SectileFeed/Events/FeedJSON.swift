internal import SectileCore

/// What a feed says beside changesets, as JSON.
enum FeedJSON {
  /// Why a client gets all contents.
  struct Reason: Hashable, Sendable {
    let name: String

    private init(name: String) { self.name = name }

    /// What a source says.
    init(_ reason: ResetReason) { self.init(name: reason.name) }

    /// It had no position.
    static let joined = Reason(name: "joined")
    /// Its position is one of another process or feed, or of another shape.
    static let foreign = Reason(name: "foreign")
    /// Its position is one of another process or feed, which this one may not go on from.
    static let restarted = Reason(name: "restarted")
    /// What happened since is not kept any more.
    static let tooOld = Reason(name: "tooOld")
    /// Its position is one that the source has not come to.
    static let ahead = Reason(name: "ahead")
    /// A changeset, or the contents before, could not be read.
    static let unreadable = Reason(name: "unreadable")
  }

  /// - Throws: What the encoder throws.
  static func reset(
    _ reason: Reason, to snapshot: some DataSourceSnapshot
  ) throws -> [UInt8] {
    let counts = "\"sections\":\(snapshot.numberOfSections),\"rows\":\(snapshot.numberOfItems)"
    var bytes = Array(
      "{\"format\":\(JSONTag.format),\"reason\":\"\(reason.name)\",\"version\":\(snapshot.version),\(counts)"
        .utf8)
    if !snapshot.aggregates.isEmpty {
      bytes += ",\"aggregates\":".utf8
      try ExactJSON.append(snapshot.aggregates, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  static func complete(version: Int) -> [UInt8] { object("\"version\":\(version)") }

  /// An error's text may name files and tables, which are no business of a client's: its code is
  /// told.
  static func failed(_ error: any Error) -> [UInt8] {
    var bytes = Array("{\"format\":\(JSONTag.format),\"code\":".utf8)
    JSONBytes.append(code(of: error), to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private static func code(of error: any Error) -> String {
    guard let error = error as? any SectileError else { return "unknown" }
    return "\(error.code)"
  }

  static func recovered() -> [UInt8] { object() }

  static func dropped() -> [UInt8] { object("\"reason\":\"slow\"") }

  static func refused() -> [UInt8] { object("\"reason\":\"unauthorized\"") }

  static func heartbeat() -> [UInt8] { object() }

  /// The beginning of a stream, which says how long it is silent at most.
  static func stream(heartbeat: Duration) -> [UInt8] {
    object("\"heartbeat\":\(heartbeat / .seconds(1))")
  }

  private static func object(_ members: String...) -> [UInt8] {
    let all = ["\"format\":\(JSONTag.format)"] + members
    return Array("{\(all.joined(separator: ","))}".utf8)
  }

  /// The beginning of a part of the contents; `]}` ends it.
  static func partHead(version: Int) -> [UInt8] {
    Array("{\"format\":\(JSONTag.format),\"version\":\(version),\"sections\":[".utf8)
  }

  /// Appends a section with the number of its rows.
  static func appendSection(
    _ section: Int, header: SourceSection, count: Int, to bytes: inout [UInt8]
  ) throws {
    bytes += "{\"section\":\(section),\"header\":".utf8
    try ExactJSON.append(header, to: &bytes)
    bytes += ",\"count\":\(count)}".utf8
  }

  /// Appends the beginning of a section's rows; `]}` ends it.
  ///
  /// - Parameters:
  ///   - section: The section's ordinal.
  ///   - header: Its header; nil where an earlier part had it.
  ///   - item: The offset of the first row.
  ///   - bytes: What to append to.
  /// - Throws: Nothing that a header could cause.
  static func appendSection(
    _ section: Int, header: SourceSection?, from item: Int, to bytes: inout [UInt8]
  ) throws {
    bytes += "{\"section\":\(section),\"item\":\(item)".utf8
    if let header {
      bytes += ",\"header\":".utf8
      try ExactJSON.append(header, to: &bytes)
    }
    bytes += ",\"rows\":[".utf8
  }
}
