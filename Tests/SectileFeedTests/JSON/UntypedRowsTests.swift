import Foundation
import SectileCore
import SectileFeed
import SectileStore
import Testing

/// Rows that no type describes: what JSON has no word for is tagged in changesets, contents and
/// feeds alike.
@Suite(.timeLimit(.minutes(60))) struct UntypedRowsTests {
  private static let items = [
    #""n":{"$integer":"9007199254740993"},"b":{"$blob":"00ff"},"t":{"$text":"ff"}"#,
    #""n":{"$real":"9e999"},"b":null,"t":"é""#,
  ]

  private func makeResults(in store: Store) throws -> SectionedResults<UntypedRow> {
    try store.write { transaction in
      try transaction.execute("CREATE TABLE v (id INTEGER PRIMARY KEY, n, b, t)")
      try transaction.execute(
        "INSERT INTO v VALUES (9007199254740995, 9007199254740993, x'00ff', CAST(x'ff' AS TEXT))")
      try transaction.execute("INSERT INTO v VALUES (9223372036854775807, 9e999, NULL, 'é')")
    }
    var plan = FetchPlan(table: "v", keyColumns: ["id"], itemColumns: ["n", "b", "t"])
    plan.section = FetchPlan.Section(identity: plan.term("id"))
    let results = try store.results(of: plan)
    try results.load()
    return results
  }

  @Test func theyAreTaggedInOneWay() async throws {
    let store = try Store.inMemory()
    let results = try makeResults(in: store)
    let feed = Feed<SectionedResults<UntypedRow>, Void>(of: results)
    var iterator = try await feed.events().makeAsyncIterator()
    #expect(await iterator.next()?.kind == .reset)
    let part = String(decoding: try #require(await iterator.next()).json, as: UTF8.self)
    for item in Self.items { #expect(part.contains(item), "\(part)") }
    #expect(part.contains(#""id":[{"$integer":"9223372036854775807"}]"#), "\(part)")
    #expect(part.contains(#"{"identity":{"$integer":"9007199254740995"}"#), "\(part)")
    #expect(await iterator.next()?.kind == .complete)
    try await store.write { try $0.execute("UPDATE v SET n = 1 << 60 WHERE t = 'é'") }
    let changes = String(decoding: try #require(await iterator.next()).json, as: UTF8.self)
    #expect(changes.hasPrefix(#"{"format":2,"#))
    #expect(changes.contains(#""n":{"$integer":"1152921504606846976"}"#), "\(changes)")
    // Foundation's encoder, for contents and snapshots.
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let contents = String(decoding: try encoder.encode(results.snapshot), as: UTF8.self)
    #expect(contents.contains(#""t":{"$text":"ff"}"#), "\(contents)")
    #expect(contents.contains(#""b":{"$blob":"00ff"}"#), "\(contents)")
    try await store.close()
  }

  @Test func olderFormatsAreRead() throws {
    let decoder = JSONDecoder()
    let values = #"[{"blob":"00ff"},{"real":"-inf"},9007199254740993,null,"a",1.5]"#
    #expect(
      try decoder.decode([StoredValue].self, from: Data(values.utf8)) == [
        .blob([0, 0xFF]), .real(-.infinity), .integer(9_007_199_254_740_993), .null, .text("a"),
        .real(1.5),
      ])
    for format in [1, 2] {
      let json = #"{"format":\#(format),"version":7,"sections":[]}"#
      let contents = try decoder.decode(
        SectionedContents<Int, String>.self, from: Data(json.utf8))
      #expect(contents.version == 7)
    }
  }

  @Test(arguments: [
    #"{"$integer":"1.5"}"#, #"{"$integer":"+1"}"#, #"{"$integer":"9223372036854775808"}"#,
    #"{"$integer":7}"#, #"{"$real":"nan"}"#, #"{"$blob":"0"}"#, #"{"$text":"zz"}"#, "{}",
    #"{"$blob":"00","$text":"00"}"#, #"{"$other":"1"}"#, "[]", "true",
  ])
  func whatIsNoValueIsRefused(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(StoredValue.self, from: Data(json.utf8))
    }
  }

  @Test func textThatIsNotUTF8ComesAsItsBytes() throws {
    let json = Data(#"[{"$text":"ff"},{"$text":"c3a9"}]"#.utf8)
    #expect(
      try JSONDecoder().decode([StoredValue].self, from: json) == [.blob([0xFF]), .text("é")])
  }
}
