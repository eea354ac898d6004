import SectileCore
import SectileDataSources
import SectileTestSupport

/// The rows that random compositions are made of.
struct ModelRow: Hashable, Sendable {
  var number: Int
  var grade: Int
}

/// A composition, as a description: what is tested is built from it, and what that should show is
/// worked out from it by the plainest means.
indirect enum CompositionModel: CustomStringConvertible, Sendable {
  typealias Row = SectionedContents<AnyItemID, ModelRow>.Row
  typealias Section = SectionedContents<AnyItemID, ModelRow>.Section
  typealias Source = AnyDataSource<ModelRow>

  case leaf(Int)
  case map(CompositionModel)
  case retitled(CompositionModel)
  /// Titles that tell how many rows there are.
  case counted(CompositionModel)
  /// Headers and contents that tell what the rows come to.
  case aggregated(CompositionModel)
  /// Sections by how many rows they have, or by their titles.
  case sectionsSorted(CompositionModel, byCount: Bool)
  case filtered(CompositionModel, modulus: Int, keepsEmptySections: Bool)
  case sorted(CompositionModel, descending: Bool)
  case sectioned(CompositionModel, SectionKind)
  case flattened(CompositionModel)
  case reversed(CompositionModel)
  case window(CompositionModel, offset: Int, limit: Int?)
  case banner(CompositionModel, ItemPath)
  case inserted(CompositionModel, CompositionModel, ItemPath)
  case interleaved(CompositionModel, CompositionModel, stride: Int)
  case concatenated([CompositionModel])
  case sectionPerSource([CompositionModel])
  /// One source in two places: as it is, and the other way round.
  case doubled(CompositionModel)

  enum SectionKind: CaseIterable, Sendable { case firstItem, identity, descendingIdentity }

  static let bannerRow = ModelRow(number: -1, grade: -1)

  // MARK: - Random

  static func random(depth: Int, leaves: Int, _ random: inout SeededRandom) -> CompositionModel {
    guard depth > 0 else { return .leaf(Int.random(in: 0..<leaves, using: &random)) }
    func inner() -> CompositionModel { .random(depth: depth - 1, leaves: leaves, &random) }
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    switch number(19) {
    case 0: return .map(inner())
    case 1: return .retitled(inner())
    case 2:
      return .filtered(inner(), modulus: 2 + number(2), keepsEmptySections: number(2) == 0)
    case 3: return .sorted(inner(), descending: number(2) == 0)
    case 4, 5: return .sectioned(inner(), SectionKind.allCases[number(3)])
    case 6: return .flattened(inner())
    case 7: return .reversed(inner())
    case 8: return .window(inner(), offset: number(4), limit: number(3) == 0 ? nil : number(8))
    case 9: return .banner(inner(), ItemPath(section: number(2), item: number(4)))
    case 10: return .inserted(inner(), inner(), ItemPath(section: number(2), item: number(3)))
    case 11: return .interleaved(inner(), inner(), stride: 1 + number(3))
    case 12: return .doubled(inner())
    case 13: return .counted(inner())
    case 14, 15: return .sectionsSorted(inner(), byCount: number(2) == 0)
    case 17: return .aggregated(inner())
    case 16: return .concatenated([inner(), inner()] + (number(2) == 0 ? [inner()] : []))
    default: return .sectionPerSource([inner(), inner()])
    }
  }

  // MARK: - What is tested

  func source(over leaves: [ContentsSource<Int, ModelRow>]) -> Source {
    switch self {
    case .leaf(let number): return Source(leaves[number])
    case .map(let inner): return inner.source(over: leaves).map(Self.transformed)
    case .retitled(let inner):
      return inner.source(over: leaves).mapSections(Self.retitled)
    case .counted(let inner):
      return inner.source(over: leaves).mapSections(counting: Self.counted)
    case .aggregated(let inner):
      return inner.source(over: leaves).aggregating(
        .count("odd") { $0.grade % 2 != 0 }, .sum("grades") { $0.grade })
    case .sectionsSorted(let inner, byCount: true):
      return inner.source(over: leaves).sortedSections(by: { $1 }, .descending)
    case .sectionsSorted(let inner, byCount: false):
      return inner.source(over: leaves).sortedSections { header, _ in header.title }
    case .filtered(let inner, let modulus, let keepsEmptySections):
      return inner.source(over: leaves).filter(keepsEmptySections: keepsEmptySections) {
        $0.grade % modulus != 0
      }
    case .sorted(let inner, let isDescending):
      return inner.source(over: leaves).sorted(
        by: { $0.grade }, isDescending ? .descending : .ascending)
    case .sectioned(let inner, let kind):
      let direction: SortDirection? =
        switch kind {
        case .firstItem: nil
        case .identity: .ascending
        case .descendingIdentity: .descending
        }
      return inner.source(over: leaves).sectioned(by: Self.section, direction)
    case .flattened(let inner): return inner.source(over: leaves).flattened(title: "all")
    case .reversed(let inner): return inner.source(over: leaves).reversed()
    case .window(let inner, let offset, let limit):
      return inner.source(over: leaves).window(offset: offset, limit: limit)
    case .banner(let inner, let path):
      return inner.source(over: leaves).inserting(Self.bannerRow, at: path)
    case .inserted(let first, let second, let path):
      return first.source(over: leaves)
        .inserting(contentsOf: second.source(over: leaves), at: path)
    case .interleaved(let first, let second, let stride):
      return first.source(over: leaves)
        .interleaved(with: second.source(over: leaves), every: stride)
    case .concatenated(let inner):
      return .concatenating(inner.map { $0.source(over: leaves) })
    case .sectionPerSource(let inner):
      return .sectionPerSource(inner.map { $0.source(over: leaves) })
    case .doubled(let inner):
      let source = inner.source(over: leaves)
      return .concatenating([source, source.reversed()])
    }
  }

  static func transformed(_ row: ModelRow) -> ModelRow {
    ModelRow(number: row.number + 1000, grade: row.grade)
  }

  static func retitled(_ header: SourceSection) -> SourceSection {
    SourceSection(identity: header.identity, title: header.title + "!", footer: "foot")
  }

  /// Also a header that stays while the count changes.
  static func counted(_ header: SourceSection, _ count: Int) -> SourceSection {
    SourceSection(
      identity: header.identity, title: "\(header.title) (\(count))",
      footer: count < 3 ? "few" : "many")
  }

  static func section(_ row: ModelRow) -> SourceSection {
    SourceSection(identity: .integer(Int64(row.grade % 3)), title: "grade \(row.grade % 3)")
  }

  // MARK: - What it should show

  /// The rows in their sections; identities of sections are left out where sources stand side by
  /// side, since they are the composition's own affair.
  func sections(over leaves: [SectionedContents<Int, ModelRow>]) -> [Section] {
    switch self {
    case .leaf(let number):
      return leaves[number].sections.map { section in
        Section(
          header: section.header,
          rows: section.rows.map { Row(id: AnyItemID($0.id), item: $0.item) })
      }
    case .map(let inner):
      return inner.sections(over: leaves).map { section in
        Section(
          header: section.header,
          rows: section.rows.map { Row(id: $0.id, item: Self.transformed($0.item)) })
      }
    case .retitled(let inner):
      return inner.sections(over: leaves).map {
        Section(
          header: Self.retitled($0.header).with($0.header.aggregates), rows: $0.rows)
      }
    case .counted(let inner):
      return inner.sections(over: leaves).map {
        let header = Self.counted($0.header, $0.rows.count).with($0.header.aggregates)
        return Section(header: header, rows: $0.rows)
      }
    case .aggregated(let inner):
      return inner.sections(over: leaves).map {
        let aggregates = Self.aggregates(of: $0.rows, behind: $0.header.aggregates)
        return Section(header: $0.header.with(aggregates), rows: $0.rows)
      }
    case .sectionsSorted(let inner, let isByCount):
      return Self.stablySorted(inner.sections(over: leaves)) {
        isByCount ? $0.rows.count > $1.rows.count : $0.header.title < $1.header.title
      }
    case .filtered(let inner, let modulus, let keepsEmptySections):
      let sections = inner.sections(over: leaves).map { section in
        Section(
          header: section.header, rows: section.rows.filter { $0.item.grade % modulus != 0 })
      }
      return keepsEmptySections ? sections : Self.withoutEmpty(sections)
    case .sorted(let inner, let isDescending):
      return inner.sections(over: leaves).map { section in
        Section(
          header: section.header,
          rows: Self.stablySorted(section.rows) {
            isDescending ? $0.item.grade > $1.item.grade : $0.item.grade < $1.item.grade
          })
      }
    case .sectioned(let inner, let kind): return Self.sectioned(inner.rows(over: leaves), kind)
    case .flattened(let inner):
      let header = SourceSection(identity: .null, title: "all")
      return Self.withoutEmpty([Section(header: header, rows: inner.rows(over: leaves))])
    case .reversed(let inner):
      return inner.sections(over: leaves).reversed().map {
        Section(header: $0.header, rows: $0.rows.reversed())
      }
    case .window(let inner, let offset, let limit):
      return Self.window(inner.sections(over: leaves), offset, limit)
    case .banner(let inner, let path):
      return Self.inserting(
        [Row(id: AnyItemID(0), item: Self.bannerRow)], into: inner.sections(over: leaves), path)
    case .inserted(let first, let second, let path):
      return Self.inserting(
        second.rows(over: leaves), into: first.sections(over: leaves), path)
    case .interleaved(let first, let second, let stride):
      return Self.interleaving(
        first.sections(over: leaves), second.rows(over: leaves), stride)
    case .concatenated(let inner):
      return inner.enumerated().flatMap { number, inner in
        inner.sections(over: leaves).map { Self.placed($0, number) }
      }
    case .sectionPerSource(let inner):
      return inner.enumerated().compactMap { number, inner in
        let rows = inner.rows(over: leaves)
        guard !rows.isEmpty else { return nil }
        let header = SourceSection(identity: .null, title: inner.name)
        return Self.placed(Section(header: header, rows: rows), number)
      }
    case .doubled(let inner):
      let sections = inner.sections(over: leaves)
      let reversed = sections.reversed().map {
        Section(header: $0.header, rows: $0.rows.reversed())
      }
      return sections.map { Self.placed($0, 0) } + reversed.map { Self.placed($0, 1) }
    }
  }

  private func rows(over leaves: [SectionedContents<Int, ModelRow>]) -> [Row] {
    sections(over: leaves).flatMap(\.rows)
  }

  /// What all rows should come to: those of the only source, as of its rows.
  func aggregates(over leaves: [SectionedContents<Int, ModelRow>]) -> AggregateValues {
    switch self {
    case .aggregated(let inner):
      Self.aggregates(of: inner.rows(over: leaves), behind: inner.aggregates(over: leaves))
    case .map(let inner), .retitled(let inner), .counted(let inner), .sectionsSorted(let inner, _),
      .filtered(let inner, _, _), .sorted(let inner, _), .sectioned(let inner, _),
      .flattened(let inner), .reversed(let inner), .window(let inner, _, _):
      inner.aggregates(over: leaves)
    case .leaf, .banner, .inserted, .interleaved, .concatenated, .sectionPerSource, .doubled:
      .empty
    }
  }

  private static func aggregates(
    of rows: [Row], behind others: AggregateValues
  ) -> AggregateValues {
    let grades = rows.map(\.item.grade)
    let kept = zip(others.names, others.values).filter { $0.0 != "odd" && $0.0 != "grades" }
    let odd = StoredValue.integer(Int64(grades.count(where: { $0 % 2 != 0 })))
    let sum = grades.isEmpty ? StoredValue.null : .integer(Int64(grades.reduce(0, +)))
    return AggregateValues(
      AggregateValues.Storage(
        names: kept.map(\.0) + ["odd", "grades"], values: kept.map(\.1) + [odd, sum]))
  }

  /// What the source is called.
  private var name: String {
    switch self {
    case .leaf: "contents"
    case .map(let inner), .retitled(let inner), .counted(let inner), .aggregated(let inner),
      .sectionsSorted(let inner, _),
      .filtered(let inner, _, _),
      .sorted(let inner, _),
      .sectioned(let inner, _), .flattened(let inner), .reversed(let inner),
      .window(let inner, _, _), .banner(let inner, _), .inserted(let inner, _, _),
      .interleaved(let inner, _, _):
      inner.name
    case .concatenated(let inner), .sectionPerSource(let inner):
      inner.map(\.name).joined(separator: ", ")
    case .doubled(let inner): "\(inner.name), \(inner.name)"
    }
  }

  private static func withoutEmpty(_ sections: [Section]) -> [Section] {
    sections.filter { !$0.rows.isEmpty }
  }

  private static func stablySorted<Element>(
    _ rows: [Element], _ isBefore: (Element, Element) -> Bool
  ) -> [Element] {
    var sorted: [Element] = []
    for row in rows {
      let place = sorted.firstIndex { isBefore(row, $0) } ?? sorted.count
      sorted.insert(row, at: place)
    }
    return sorted
  }

  private static func sectioned(_ rows: [Row], _ kind: SectionKind) -> [Section] {
    var sections: [Section] = []
    for row in rows {
      let header = section(row.item)
      if let place = sections.firstIndex(where: { $0.header.identity == header.identity }) {
        sections[place].rows.append(row)
      } else {
        sections.append(Section(header: header, rows: [row]))
      }
    }
    switch kind {
    case .firstItem: return sections
    case .identity: return sections.sorted { $0.header.identity < $1.header.identity }
    case .descendingIdentity: return sections.sorted { $1.header.identity < $0.header.identity }
    }
  }

  private static func window(_ sections: [Section], _ offset: Int, _ limit: Int?) -> [Section] {
    var (rank, shown) = (0, [Section]())
    var pending: [Section] = []
    for section in sections {
      var part = Section(header: section.header)
      for row in section.rows {
        if rank >= offset, rank - offset < limit ?? .max { part.rows.append(row) }
        rank += 1
      }
      // Empty sections are there between those that have rows.
      if !part.rows.isEmpty {
        shown += pending + [part]
        pending = []
      } else if section.rows.isEmpty, !shown.isEmpty {
        pending.append(part)
      }
    }
    return shown
  }

  private static func inserting(
    _ rows: [Row], into sections: [Section], _ path: ItemPath
  ) -> [Section] {
    var result = sections.map { placedRows($0, 0) }
    if sections.indices.contains(path.section) {
      let place = min(path.item, sections[path.section].rows.count)
      result[path.section].rows.insert(contentsOf: rows.map { placed($0, 1) }, at: place)
    }
    return result
  }

  private static func interleaving(
    _ sections: [Section], _ others: [Row], _ stride: Int
  ) -> [Section] {
    let count = sections.reduce(0) { $0 + $1.rows.count }
    var (rank, next) = (0, 0)
    return sections.map { section in
      var result = Section(header: section.header)
      for row in section.rows {
        result.rows.append(placed(row, 0))
        rank += 1
        if rank % stride == 0, rank < count, next < others.count {
          result.rows.append(placed(others[next], 1))
          next += 1
        }
      }
      return result
    }
  }

  private static func placed(_ row: Row, _ number: Int) -> Row {
    Row(id: AnyItemID(row.id, ofSource: number), item: row.item)
  }

  private static func placedRows(_ section: Section, _ number: Int) -> Section {
    Section(header: section.header, rows: section.rows.map { placed($0, number) })
  }

  private static func placed(_ section: Section, _ number: Int) -> Section {
    var result = placedRows(section, number)
    result.header = SourceSection(
      identity: .text("of another source"), title: section.header.title,
      indexTitle: section.header.indexTitle, footer: section.header.footer,
      aggregates: section.header.aggregates)
    return result
  }

  var description: String {
    switch self {
    case .leaf(let number): "leaf \(number)"
    case .map(let inner): "map(\(inner))"
    case .retitled(let inner): "retitled(\(inner))"
    case .counted(let inner): "counted(\(inner))"
    case .aggregated(let inner): "aggregated(\(inner))"
    case .sectionsSorted(let inner, let isByCount): "sectionsSorted(\(inner), \(isByCount))"
    case .filtered(let inner, let modulus, let keepsEmptySections):
      "filtered(\(inner), \(modulus)\(keepsEmptySections ? ", all sections" : ""))"
    case .sorted(let inner, let isDescending): "sorted(\(inner), \(isDescending))"
    case .sectioned(let inner, let kind): "sectioned(\(inner), \(kind))"
    case .flattened(let inner): "flattened(\(inner))"
    case .reversed(let inner): "reversed(\(inner))"
    case .window(let inner, let offset, let limit):
      "window(\(inner), \(offset), \(limit.map(String.init) ?? "all"))"
    case .banner(let inner, let path): "banner(\(inner), \(path))"
    case .inserted(let first, let second, let path): "inserted(\(first), \(second), \(path))"
    case .interleaved(let first, let second, let stride):
      "interleaved(\(first), \(second), \(stride))"
    case .concatenated(let inner): "concatenated(\(inner))"
    case .sectionPerSource(let inner): "sectionPerSource(\(inner))"
    case .doubled(let inner): "doubled(\(inner))"
    }
  }
}
