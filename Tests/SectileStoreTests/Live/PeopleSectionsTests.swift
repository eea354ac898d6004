import Foundation
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Rows in sections by their first letter, in the order of a language.
@Suite(.timeLimit(.minutes(60))) struct PeopleSectionsTests {
  private static let names = [
    "", " ", "apt", "Apt", "Äpfel", "A\u{308}pfel", "ärger", "b", "B", "item 2", "item 10",
    "\u{E9}clair", "e\u{301}clair", "E", "ß", "ss", "SS", "\u{1F469}\u{200D}\u{1F467}",
    "\u{1F1E9}\u{1F1EA}", "7zip", "a\u{FF19}\u{FF19}", "a\u{FF19}\u{E40}", "Zoë", "zoe", "\u{301}",
  ]

  private static let insertion =
    "INSERT INTO label VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET name = ?2"
  private static let deletion = "DELETE FROM label WHERE id = ?1 OR name = ?2"

  private static let languages = ["", "sv", "de@collation=phonebook", "cs"]

  /// Each changeset is replayed, and compared with a fresh fetch.
  @Test(arguments: 0..<16)
  func rowsAreFollowedOneByOne(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let kind = StorageKind.allCases[Int(seed % 4)]
    let language = Self.languages.randomElement(using: &random) ?? ""
    let collation = TextCollation.localized(Locale(identifier: language))
    let compare = try #require(collation.compare)
    var configuration = SmallWorld.configuration
    configuration.collations = [collation]
    try withStore(kind, configuration: configuration) { store in
      try store.write {
        try $0.execute("CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
      }
      let request = FetchRequest<Label>()
        .sectioned(by: \.name.firstLetter, collation: collation)
        .sort(by: \.name, collation: collation)
      #expect(try store.explain(request).maintenance.kind != .refetching)
      let live = try LiveResults(request, in: store)
      for _ in 0..<24 {
        let rows: [[StoredValue]] = (0..<Int.random(in: 1...4, using: &random)).map { _ in
          [
            .integer(.random(in: 1...20, using: &random)),
            .text(Self.names.randomElement(using: &random) ?? ""),
          ]
        }
        let isDeleting = random.chance(0.2)
        _ = try live.changes {
          try store.write { transaction in
            for row in rows {
              try transaction.execute(isDeleting ? Self.deletion : Self.insertion, values: row)
            }
          }
        }
        let titles = live.results.sections.map(\.title)
        let isInOrder = zip(titles, titles.dropFirst()).allSatisfy { compare($0, $1) < 0 }
        #expect(isInOrder, "\(random): \(titles)")
      }
      #expect(live.recorder.errors.isEmpty)
    }
  }
}
