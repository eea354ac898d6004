internal import Foundation
internal import Sectile
internal import Synchronization

/// Writes what happens in a watch as JSON, one object a line, version 1.
///
/// ```json
/// {"v":2,"event":"start","time":1764000000.123,"file":"a.db","table":"tool","sectionBy":"kind",
///   "columns":["id","name"],"key":["id"],"immutable":false}
/// {"v":2,"event":"willLoad","time":…,"version":0}
/// {"v":2,"event":"partial","time":…,"sourceVersion":0,"targetVersion":1,"more":false,
///   "sections":{…},"rows":{…}}
/// {"v":2,"event":"finished","time":…,"version":1,"sections":2,"rows":5}
/// {"v":2,"event":"failed","time":…,"code":"busy","message":"…","hint":"…"}
/// {"v":2,"event":"schema","time":…,"restarts":false,"columns":["id","name"],"key":["id"]}
/// ```
///
/// `time` is in seconds since 1970. After `start` the contents are empty, at version zero; it comes
/// again where a new schema makes them begin anew, which `restarts` of `schema` says before. In
/// between, each `partial` leads from its `sourceVersion` to its `targetVersion`; see
/// ``ChangesetJSON``. Where nobody has to know the first contents, their `partial` is left out; of
/// contents that began anew there is one instead, behind `finished`, that compares them with those
/// told before.
///
/// An `id` holds the values of the key, an `item` the columns; it is null for a row that others
/// changed before it could be read: the next changeset brings it. Values are as in
/// `sectile sqlite --mode json`. `only` of `start` is there where some kinds of changes are told
/// alone: the lines then do not give the contents. `columns` of `schema` is null where there is no
/// such table any more.
final class JSONReporter: WatchReporting {
  private let output: Output
  private let reading: ItemReading
  private let showsFirstLoad: Bool

  // MARK: - Mutable state
  //
  // - `json`: guarded by its mutex; writing happens outside of it.
  private let json = Mutex(ChangesetJSON(columns: []))

  init(output: Output, reading: ItemReading, showsFirstLoad: Bool) {
    self.output = output
    self.reading = reading
    self.showsFirstLoad = showsFirstLoad
  }

  func begin(_ request: WatchedRequest, _ results: WatchedResults) throws {
    json.withLock { $0 = ChangesetJSON(columns: request.columns) }
    try write(
      "start",
      "\"file\":\(ValueText.json(request.file)),\"table\":\(ValueText.json(request.table)),"
        + "\"sectionBy\":\(request.sectionBy.map(ValueText.json) ?? "null"),"
        + "\"columns\":\(Self.list(request.columns)),\"key\":\(Self.list(request.key)),"
        + "\"immutable\":\(request.isImmutable)" + Self.only(request.only))
  }

  /// The member that says which kinds of changes are told alone, for those who need all.
  private static func only(_ kinds: Set<ChangeKind>) -> String {
    kinds.isEmpty
      ? "" : ",\"only\":\(list(ChangeKind.allCases.filter(kinds.contains).map(\.rawValue)))"
  }

  func schemaChanged(to request: WatchedRequest?, restarts: Bool) throws {
    try write(
      "schema",
      "\"restarts\":\(restarts),\"columns\":\(request.map { Self.list($0.columns) } ?? "null"),"
        + "\"key\":\(request.map { Self.list($0.key) } ?? "null")")
  }

  func willLoad(at version: Int) throws {
    try write("willLoad", "\"version\":\(version)")
  }

  func changed(_ changes: WatchedChanges, isFirstLoad: Bool, _ results: WatchedResults) throws {
    if isFirstLoad && !showsFirstLoad { return }
    let json = json.withLock { $0 }
    try json.write(changes, head: Self.head("partial"), to: output, reading: reading)
  }

  func differs(by changes: WatchedChanges, _ results: WatchedResults) throws {
    if !showsFirstLoad { try changed(changes, isFirstLoad: false, results) }
  }

  func finished(_ results: WatchedResults) throws {
    try write(
      "finished",
      "\"version\":\(results.version),\"sections\":\(results.numberOfSections),"
        + "\"rows\":\(results.numberOfItems)")
  }

  func failed(_ error: any Error) throws {
    let error = error as? StoreError
    let hint = error?.hint.map(CommandFailure.plain)
    try write(
      "failed",
      "\"code\":\(ValueText.json(error?.code.description ?? "unknown")),"
        + "\"message\":\(ValueText.json(error?.message ?? "it failed")),"
        + "\"hint\":\(hint.map(ValueText.json) ?? "null")")
  }

  private func write(_ event: String, _ members: String) throws {
    try output.line("{\(Self.head(event)),\(members)}")
    try output.flush()
  }

  /// Returns the members that each line begins with.
  static func head(_ event: String) -> String {
    let time = (Date().timeIntervalSince1970 * 1000).rounded() / 1000
    return "\"v\":\(ValueText.jsonVersion),\"event\":\"\(event)\",\"time\":\(time)"
  }

  private static func list(_ names: [String]) -> String {
    "[\(names.map(ValueText.json).joined(separator: ","))]"
  }
}
