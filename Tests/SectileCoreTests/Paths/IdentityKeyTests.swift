import Testing

@testable import SectileCore

@Suite struct IdentityKeyTests {
  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")
  /// Too long to be kept inside of a string's own memory.
  private static let long = String(repeating: "long ", count: 10)

  private struct Pair: Hashable {
    var text: String
    var number: Int
  }

  private enum Choice: Hashable {
    case text(String)
    case pair(Pair)
    case nothing
  }

  private struct Code: RawRepresentable, Hashable {
    var rawValue: String
  }

  /// An identity that ignores what other types tell apart.
  private struct Careless: Hashable {
    var text: String
    var note: String

    static func == (left: Careless, right: Careless) -> Bool {
      left.text.lowercased() == right.text.lowercased()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
  }

  private final class Object: Hashable {
    let text: String
    init(_ text: String) { self.text = text }
    static func == (left: Object, right: Object) -> Bool { left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// Makes the same value of two texts, and compares the keys.
  private func expect<ID: Hashable>(
    _ make: (String) -> ID, _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for prefix in ["", Self.long] {
      let (left, right) = (make(prefix + Self.composed), make(prefix + Self.decomposed))
      #expect(left == right, sourceLocation: sourceLocation)
      #expect(IdentityKey(left) != IdentityKey(right), sourceLocation: sourceLocation)
      // Built anew, so that the memory is another.
      let again = make(String(decoding: Array((prefix + Self.composed).utf8), as: UTF8.self))
      #expect(IdentityKey(left) == IdentityKey(again), sourceLocation: sourceLocation)
      #expect(
        IdentityKey(left).hashValue == IdentityKey(again).hashValue, sourceLocation: sourceLocation)
      #expect(Set([left, right, again].map { IdentityKey($0) }).count == 2)
    }
  }

  @Test func textsAreComparedByTheirBytes() {
    expect { $0 }
    expect { Substring($0) }
    expect { Optional($0) }
    expect { [$0, "x"] }
    expect { AnyHashable($0) }
  }

  @Test func textsInValuesAreComparedByTheirBytes() {
    expect { Pair(text: $0, number: 1) }
    expect { Optional(Pair(text: $0, number: 1)) }
    expect { Choice.text($0) }
    expect { Choice.pair(Pair(text: $0, number: 2)) }
    expect { Code(rawValue: $0) }
    #expect(IdentityKey(Character("\u{E9}")) != IdentityKey(Character("e\u{301}")))
  }

  @Test func storedValuesCompareTheirBytesThemselves() {
    let (left, right) = (StoredValue.text(Self.composed), StoredValue.text(Self.decomposed))
    #expect(IdentityKey(left) != IdentityKey(right))
    #expect(IdentityKey([left]) != IdentityKey([right]))
    #expect(IdentityKey(StoredValue.integer(1)) == IdentityKey(StoredValue.real(1)))
    #expect(IdentityKey([StoredValue.integer(1)]) == IdentityKey([StoredValue.real(1)]))
  }

  @Test func whatATypeIgnoresStaysIgnored() {
    let one = IdentityKey(Careless(text: "A", note: Self.long + "x"))
    #expect(one == IdentityKey(Careless(text: "a", note: Self.long + "y")))
    #expect(one != IdentityKey(Careless(text: "b", note: Self.long + "x")))
    #expect(IdentityKey(Object(Self.long)) == IdentityKey(Object(Self.long)))
  }

  @Test func otherValuesAreComparedAsTheyAre() {
    #expect(IdentityKey(1) == IdentityKey(1))
    #expect(IdentityKey(1) != IdentityKey(2))
    #expect(IdentityKey(Choice.nothing) == IdentityKey(.nothing))
    #expect(IdentityKey(0.0) == IdentityKey(-0.0))
    #expect(IdentityKey(Int?.none) == IdentityKey(nil))
  }

  // MARK: - Changesets

  private typealias Contents = SectionedContents<String, Int>

  private func contents(_ version: Int, _ rows: KeyValuePairs<String, Int>) -> Contents {
    let section = SourceSection(identity: .null, title: "")
    let rows = rows.map { Contents.Row(id: $0.key, item: $0.value) }
    return Contents(version: version, sections: [Contents.Section(header: section, rows: rows)])
  }

  @Test func rowsOfEqualTextsAreFollowedApart() throws {
    let first = contents(1, [Self.composed: 1, Self.decomposed: 2])
    let second = contents(2, [Self.decomposed: 3])
    let third = contents(3, [Self.decomposed: 3, Self.composed: 4])
    let (gone, back) = (Changeset(from: first, to: second), Changeset(from: second, to: third))
    #expect(gone.lines == ["R- [0,0] #\(Self.composed)", "R~ [0,1]→[0,0] #\(Self.decomposed)"])
    #expect(try first.applying(gone) == second)
    #expect(first.sections[0].rows[0] != second.sections[0].rows[0])
    let merged = try gone.merging(back)
    #expect(try first.applying(merged) == third)
    // The row that comes back is the one that went, not the one that stayed.
    #expect(merged.deletes.isEmpty && merged.inserts.isEmpty && merged.moves.count == 1)
    #expect(merged.updates.count == 1)
    #expect(throws: ChangesetError.self) {
      try contents(1, [Self.decomposed: 1, Self.composed: 2]).applying(gone)
    }
  }

  @Test func snapshotFindsEachRowOfEqualTexts() {
    let snapshot = ContentsSnapshot(contents(1, [Self.composed: 1, Self.decomposed: 2]))
    #expect(snapshot.path(of: Self.composed) == ItemPath(section: 0, item: 0))
    #expect(snapshot.path(of: Self.decomposed) == ItemPath(section: 0, item: 1))
  }
}
