import SectileCore
import SectileTestSupport

typealias TestContents = SectionedContents<Int, String>
typealias TestChangeset = Changeset<Int, String>

/// Returns contents drawn as `A: 1 2 | B(Title): 3=y`; a row's content is `x` where none is drawn.
func contents(_ diagram: SectionDiagram, version: Int = 0) -> TestContents {
  TestContents(
    version: version,
    sections: diagram.sections.map { section in
      .init(
        header: section.header,
        rows: section.items.map {
          .init(id: Int($0.id) ?? -1, item: $0.contents.isEmpty ? "x" : $0.contents)
        })
    })
}

/// Returns the diagram of contents, for messages.
func diagram(_ contents: TestContents) -> SectionDiagram {
  SectionDiagram(
    sections: contents.sections.map { section in
      .init(
        identity: section.header.identity.label, title: section.header.title,
        items: section.rows.map { .init(id: "\($0.id)", contents: $0.item) })
    })
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
