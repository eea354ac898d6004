internal import Foundation
public import ParcelService
public import Sectile

/// The list of one client: what it was told, folded into contents.
public struct ParcelList: Sendable {
  /// What the list shows.
  public typealias Contents = SectionedContents<Int64, Parcel>

  /// The contents, whole only where ``isWhole`` says so.
  public private(set) var contents = Contents()
  /// Whether a reset has come to its end.
  public private(set) var isWhole = false
  /// Resets so far, the first included, by their reasons.
  public private(set) var resets: [String: Int] = [:]
  /// How often it was told what became of parcels by their keys, instead of a reset.
  public private(set) var answersByKey = 0
  /// Changesets so far.
  public private(set) var changesets = 0
  /// Changesets that lead from a version that comes later than the list's.
  public private(set) var gaps = 0
  /// Changesets that lead from a version that the list has left behind.
  public private(set) var doubles = 0

  /// Creates a list that knows nothing yet.
  public init() {}

  private struct Reset: Decodable {
    let version: Int
    let reason: String
  }

  private struct Part: Decodable {
    struct Section: Decodable {
      let section: Int
      let item: Int
      let header: SourceSection?
      let rows: [Contents.Row]
    }
    let sections: [Section]
  }

  /// Takes an event in.
  ///
  /// - Parameter event: What the service says.
  /// - Returns: The parcels that are new or other than before, where it is a changeset; those that
  ///   may be, where they are told by their keys.
  /// - Throws: What decoding throws, and applying what does not fit.
  @discardableResult
  public mutating func take(_ event: EventParser.Event) throws -> [Parcel] {
    let decoder = JSONDecoder()
    let data = Data(event.data)
    switch event.name {
    case "reset":
      let reset = try decoder.decode(Reset.self, from: data)
      contents = Contents(version: reset.version)
      isWhole = false
      resets[reset.reason, default: 0] += 1
    case "rows":
      for part in try decoder.decode(Part.self, from: data).sections { try append(part) }
    case "complete": isWhole = true
    case "changes":
      return try apply(try decoder.decode(Changeset<Int64, Parcel>.self, from: data))
    case "keyed":
      let changes = try decoder.decode(KeyedChanges<Int64, Parcel>.self, from: data)
      try contents.apply(changes)
      answersByKey += 1
      return changes.upserts.map(\.item)
    default: break
    }
    return []
  }

  private mutating func append(_ part: Part.Section) throws {
    if let header = part.header { contents.sections.append(Contents.Section(header: header)) }
    guard part.section == contents.sections.count - 1,
      part.item == contents.sections[part.section].rows.count
    else { throw ClientError(description: "a part of the contents is missing") }
    contents.sections[part.section].rows += part.rows
  }

  private mutating func apply(_ changeset: Changeset<Int64, Parcel>) throws -> [Parcel] {
    if changeset.sourceVersion > contents.version { gaps += 1 }
    if changeset.sourceVersion < contents.version { doubles += 1 }
    try contents.apply(changeset)
    changesets += 1
    var parcels: [Parcel] = []
    for insert in changeset.inserts { parcels.append(try insert.item) }
    for move in changeset.moves { parcels.append(try move.item) }
    for update in changeset.updates { parcels.append(try update.item) }
    return parcels
  }
}
