import SectileCore

/// A table in miniature, whose rows and sections are shown sorted, as the results of a query are.
struct ContentsModel {
  struct Row: Hashable {
    var section: Int
    var key: Int
    var value: Int
    /// A sort key that is not in the row but comes before its own.
    var outside: Int
  }

  var rows: [Int: Row] = [:]
  var positions: [Int: Int] = [:]
  var titles: [Int: Int] = [:]
  var version = 0

  static let rowLimit = 7
  static let sectionLimit = 4

  mutating func mutate(_ random: inout SplitMix) {
    version += 1
    for _ in 0..<(1 + random.number(below: 4)) {
      let id = random.number(below: Self.rowLimit)
      switch random.number(below: 10) {
      case 0...2: rows[id] = nil
      case 3...4:
        rows[id] = Row(
          section: random.number(below: Self.sectionLimit), key: random.number(below: 5),
          value: random.number(below: 2), outside: rows[id]?.outside ?? 0)
      case 5: rows[id]?.key = random.number(below: 5)
      case 6: rows[id]?.value = random.number(below: 2)
      case 7: rows[id]?.outside = random.number(below: 3)
      case 8: positions[random.number(below: Self.sectionLimit)] = random.number(below: 4)
      default: titles[random.number(below: Self.sectionLimit)] = random.number(below: 2)
      }
    }
  }

  var contents: TestContents {
    let sections = Dictionary(grouping: rows) { $0.value.section }.sorted {
      (positions[$0.key, default: 0], $0.key) < (positions[$1.key, default: 0], $1.key)
    }
    return TestContents(
      version: version,
      sections: sections.map { section, members in
        let sorted = members.sorted {
          ($0.value.outside, $0.value.key, $0.key) < ($1.value.outside, $1.value.key, $1.key)
        }
        return .init(
          header: SourceSection(
            identity: .integer(Int64(section)), title: "\(titles[section, default: 0])"),
          rows: sorted.map {
            .init(id: $0.key, item: "\($0.value.section)/\($0.value.key)/\($0.value.value)")
          })
      })
  }

  /// Returns the direct difference to another state.
  func changeset(to new: ContentsModel) -> TestChangeset {
    var differ = ContentsDiffer(
      old: contents, new: new.contents, isEqual: ==,
      isOrderKeyChanged: { rows[$0]?.outside != new.rows[$0]?.outside },
      isSectionOrderChanged: { identity in
        guard case .integer(let section) = identity else { return true }
        return positions[Int(section), default: 0] != new.positions[Int(section), default: 0]
      })
    differ.oldFingerprint = { id, item in fingerprint(id, item) }
    differ.newFingerprint = { id, item in new.fingerprint(id, item) }
    differ.oldSectionOrder = { order(of: $0) }
    differ.newSectionOrder = { new.order(of: $0) }
    return differ.changeset()
  }

  private func fingerprint(_ id: Int, _ item: String) -> RowFingerprint {
    RowFingerprint(
      content: UInt64(truncatingIfNeeded: item.hashValue), order: UInt64(rows[id]?.outside ?? 0))
  }

  private func order(of identity: StoredValue) -> UInt64 {
    guard case .integer(let section) = identity else { return 0 }
    return UInt64(positions[Int(section), default: 0])
  }
}
