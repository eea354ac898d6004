import Foundation
import SectileCore
import SectileFeed
import SectileFeedClient
import SectileTestHelpers
import Testing

/// Streams that former versions of the feed told are read today, and their positions are known.
@Suite struct FormerStreamTests {
  private typealias Folding = FeedFolding<StoredValue, Reading>

  /// The part of the recorded items that every version has.
  private struct Reading: Decodable, Sendable {
    let label: String
  }

  /// What each stream leads to: the version, and titles with the identities of rows.
  private static let states = [
    "changes": [
      "7 A[1 2] five[9007199254740993 4] [5 6]",
      "8 A & B[1 7 2] five[9007199254740993] [5 6 8]",
      "9 [8 5 6] A & B[2 10] new[9007199254740993 7]", "10",
    ],
    "keyed": ["3 A[1 2 3] B[4]", "4 B[4 2] A[3 9]", "5 B[4 2] A[3 9]"],
    "slow": ["0", "1 A[1]", "4 A[1 2 3 4]"],
    "answer": ["0 A[1]"],
  ]

  private static func text(_ contents: Folding.Contents) -> String {
    let sections = contents.sections.map { section in
      let ids = section.rows.map { $0.id.description }
      return "\(section.header.title)[\(ids.joined(separator: " "))]"
    }
    return (["\(contents.version)"] + sections).joined(separator: " ")
  }

  @Test(arguments: Self.states.keys.sorted())
  func recordedStreamsLeadToTheSameContents(name: String) throws {
    for version in try FormerVersions.folders() {
      let file = version.appendingPathComponent("feeds/\(name).sse")
      let bytes = [UInt8](try Data(contentsOf: file))
      var (folding, parser) = (Folding(), EventStreamParser())
      var states: [String] = []
      for event in try parser.take(bytes) {
        guard event.name != "refused" else { break }
        switch try folding.take(event) {
        case .complete, .changes, .keyed: states.append(Self.text(folding.contents))
        default: break
        }
        // Clients of former versions come back with their positions.
        guard !event.lastID.isEmpty, folding.isWhole else { continue }
        let position = try #require(FeedPosition(event.lastID), "\(file.path): \(event.lastID)")
        #expect(position.version == UInt64(folding.contents.version), "\(file.path)")
      }
      #expect(states == Self.states[name], "\(file.path)")
    }
  }
}
