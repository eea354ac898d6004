internal import Foundation
public import ParcelService
public import Sectile
public import SectileFeedClient

/// The list of one client, with what a test of the service wants to know of it.
///
/// An app has no need of it: `FeedClient` connects, comes back, and is a data source.
public struct ParcelList: Sendable {
  /// What the list shows.
  public typealias Contents = SectionedContents<Int64, Parcel>

  private var folding = FeedFolding<Int64, Parcel>()
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

  /// The contents, as last known as a whole.
  public var contents: Contents { folding.contents }
  /// Whether they are all that the service has told.
  public var isWhole: Bool { folding.isWhole }

  private struct Origin: Decodable {
    let sourceVersion: Int
  }

  /// Takes an event in.
  ///
  /// - Parameter event: What the service says.
  /// - Returns: The parcels that are new or other than before, where it is a changeset; those that
  ///   may be, where they are told by their keys.
  /// - Throws: `FeedClientError` where the event does not fit, or cannot be decoded.
  @discardableResult
  public mutating func take(_ event: EventStreamParser.Event) throws -> [Parcel] {
    do {
      switch try folding.take(event) {
      case .reset(let reason): resets[reason, default: 0] += 1
      case .changes(let changeset):
        changesets += 1
        return try changeset.inserts.map { try $0.item } + changeset.moves.map { try $0.item }
          + changeset.updates.map { try $0.item }
      case .keyed(let changes):
        answersByKey += 1
        return changes.upserts.map(\.item)
      case .none, .complete, .failed, .recovered, .dropped: break
      }
      return []
    } catch {
      if let origin = try? JSONDecoder().decode(Origin.self, from: Data(event.data)) {
        if origin.sourceVersion > contents.version { gaps += 1 }
        if origin.sourceVersion < contents.version { doubles += 1 }
      }
      throw error
    }
  }
}
