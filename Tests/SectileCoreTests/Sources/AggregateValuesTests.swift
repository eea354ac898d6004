import Foundation
import SectileCore
import Testing

/// Aggregates in headers, changesets and JSON.
@Suite struct AggregateValuesTests {
  private func contents(
    version: Int, _ all: AggregateValues, _ first: AggregateValues
  ) -> SectionedContents<Int, String> {
    let header = SourceSection(identity: "A", title: "A", aggregates: first)
    return SectionedContents(
      version: version, sections: [.init(header: header, rows: [.init(id: 1, item: "a")])],
      aggregates: all)
  }

  @Test func aWholeRealNumberIsAnotherValueThanTheInteger() {
    let sum: AggregateValues = ["sum": 30]
    let realSum: AggregateValues = ["sum": 30.0]
    let total: AggregateValues = ["total": 30]
    let nothing: AggregateValues = [:]
    let ofNothing: AggregateValues = ["sum": nil]
    #expect(sum == ["sum": 30])
    #expect(sum != realSum)
    #expect(sum != total)
    #expect(nothing == .empty)
    #expect(ofNothing["sum"] == .null)
    #expect(ofNothing["total"] == nil)
  }

  @Test(
    arguments: [
      ([:], "{}"), (["count": 2, "sum(size)": 30], #"{"count":2,"sum(size)":30}"#),
      (
        ["a": 30.0, "b": 2.5, "c": nil, "d": "x"],
        #"{"a":{"$real":"30.0"},"b":2.5,"c":null,"d":"x"}"#
      ),
      (
        ["a": .integer(.max), "b": .real(.infinity)],
        #"{"a":{"$integer":"9223372036854775807"},"b":{"$real":"9e999"}}"#
      ),
    ] as [(AggregateValues, String)])
  func jsonKeepsStorageClasses(values: AggregateValues, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let encoded = try encoder.encode(values)
    #expect(String(decoding: encoded, as: UTF8.self) == json)
    let decoded = try JSONDecoder().decode(AggregateValues.self, from: encoded)
    #expect(decoded == values)
  }

  @Test func aChangeOfAggregatesAloneIsAChangeset() throws {
    let before = contents(version: 0, ["n": 1], ["n": 1])
    let after = contents(version: 1, ["n": 2], ["n": 1.0])
    let changeset = Changeset(from: before, to: after)
    #expect(changeset.lines == ["C~ n 1→2", "S~ 0→0 (A) n 1→1.0"])
    #expect(try before.applying(changeset) == after)
    #expect(changeset.batches.count == 1)
    #expect(try before.applying(changeset.batches[0]) == after)
    let decoded = try JSONDecoder().decode(
      Changeset<Int, String>.self, from: JSONEncoder().encode(changeset))
    #expect(decoded == changeset)
    let copy = try JSONDecoder().decode(
      SectionedContents<Int, String>.self, from: JSONEncoder().encode(after))
    #expect(copy == after)
  }

  @Test func mergedChangesetsLeadFromTheFirstToTheLast() throws {
    let versions = [
      contents(version: 0, ["n": 1], ["n": 1]), contents(version: 1, ["n": 2], ["n": 2]),
      contents(version: 2, ["n": 1], ["n": 3]),
    ]
    let merged = try Changeset(from: versions[0], to: versions[1])
      .merging(Changeset(from: versions[1], to: versions[2]))
    #expect(merged.lines == ["S~ 0→0 (A) n 1→3"])
    #expect(try versions[0].applying(merged) == versions[2])
  }
}
