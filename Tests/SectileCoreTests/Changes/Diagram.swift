import SectileCore

typealias TestContents = SectionedContents<Int, String>
typealias TestChangeset = Changeset<Int, String>

/// Returns contents drawn as `A: 1 2 | B: 3y`.
///
/// A row is its identity and, after it, its content (`x` where there is none). A section may carry a
/// title: `A=Fruit: 1 2`.
func contents(_ diagram: String, version: Int = 0) -> TestContents {
  var contents = TestContents(version: version)
  for part in diagram.split(separator: "|") {
    let sides = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = trimmed(sides[0]).split(separator: "=")
    let title = names.count > 1 ? String(names[1]) : String(names[0])
    let header = SourceSection(identity: .text(String(names[0])), title: title)
    let rows = sides[1].split(separator: " ").map { word in
      let digits = word.prefix { $0.isNumber }
      let content = word.dropFirst(digits.count)
      return TestContents.Row(
        id: Int(digits) ?? -1, item: content.isEmpty ? "x" : String(content))
    }
    contents.sections.append(.init(header: header, rows: rows))
  }
  return contents
}

private func trimmed(_ text: Substring) -> Substring {
  let start = text.drop { $0 == " " }
  return start.prefix { $0 != " " }
}

/// Returns the diagram of contents, for messages.
func diagram(_ contents: TestContents) -> String {
  contents.sections.map { section in
    let rows = section.rows.map { "\($0.id)\($0.item)" }.joined(separator: " ")
    return "\(section.header.identity.label)=\(section.header.title): \(rows)"
  }.joined(separator: " | ")
}

/// Every way to place some of the rows `1...rowCount` in the sections; sections without rows are
/// left out.
func arrangements(rowCount: Int, sections: [String]) -> [TestContents] {
  var sequences: [[Int]] = [[]]
  var result: [[Int]] = [[]]
  for _ in 0..<rowCount {
    sequences = sequences.flatMap { sequence in
      (1...rowCount).filter { !sequence.contains($0) }.map { sequence + [$0] }
    }
    result += sequences
  }
  return result.flatMap { splits(of: $0, sections: sections[...]) }.map { sections in
    TestContents(
      sections: sections.map { name, ids in
        .init(
          header: SourceSection(identity: .text(name), title: name),
          rows: ids.map { .init(id: $0, item: "x") })
      })
  }
}

private func splits(of ids: [Int], sections: ArraySlice<String>) -> [[(String, [Int])]] {
  guard let first = sections.first else { return ids.isEmpty ? [[]] : [] }
  return (0...ids.count).flatMap { count in
    let head = Array(ids.prefix(count))
    return splits(of: Array(ids.dropFirst(count)), sections: sections.dropFirst()).map {
      head.isEmpty ? $0 : [(first, head)] + $0
    }
  }
}
