import SectileCore
import SectileDataSources
import SectileTestSupport

/// Contents with many rows of few grades, which random changes lead from one version to the next.
struct ArrangedContents {
  typealias Contents = SectionedContents<String, ModelRow>

  private(set) var contents: Contents
  private var nextRow = 1
  private var nextSection: Int64 = 1

  /// Creates contents of one section with one row.
  init() {
    let row = Contents.Row(id: "row 0", item: ModelRow(number: 0, grade: 0))
    let header = SourceSection(identity: .integer(0), title: "section 0")
    contents = Contents(sections: [Contents.Section(header: header, rows: [row])])
  }

  /// Makes a few changes.
  mutating func change(_ count: Int, growing chance: Double, _ random: inout SeededRandom) {
    for _ in 0..<count {
      if random.chance(0.08) { changeSections(&random) }
      if random.chance(chance) { insertRow(&random) } else { changeRow(&random) }
    }
  }

  private mutating func changeSections(_ random: inout SeededRandom) {
    let place = Int.random(in: contents.sections.indices, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1:
      // New ones are empty at first, and some of them stay so.
      let header = SourceSection(identity: .integer(nextSection), title: "section \(nextSection)")
      nextSection += 1
      contents.sections.insert(Contents.Section(header: header), at: place)
    case 2 where contents.sections.count > 1: contents.sections.remove(at: place)
    case 3:
      let section = contents.sections.remove(at: place)
      let target = Int.random(in: 0...contents.sections.count, using: &random)
      contents.sections.insert(section, at: target)
    default:
      let header = contents.sections[place].header
      contents.sections[place].header = SourceSection(
        identity: header.identity, title: header.title + "'")
    }
  }

  private mutating func insertRow(_ random: inout SeededRandom) {
    let grade = Int.random(in: 0..<6, using: &random)
    put(
      Contents.Row(id: "row \(nextRow)", item: ModelRow(number: nextRow, grade: grade)), &random)
    nextRow += 1
  }

  private mutating func put(_ row: Contents.Row, _ random: inout SeededRandom) {
    let section = Int.random(in: contents.sections.indices, using: &random)
    let item = Int.random(in: 0...contents.sections[section].rows.count, using: &random)
    contents.sections[section].rows.insert(row, at: item)
  }

  private mutating func changeRow(_ random: inout SeededRandom) {
    let section = Int.random(in: contents.sections.indices, using: &random)
    guard let item = contents.sections[section].rows.indices.randomElement(using: &random) else {
      return
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: contents.sections[section].rows.remove(at: item)
    case 1: put(contents.sections[section].rows.remove(at: item), &random)
    case 2:
      // As somebody does who replaces a row: it goes, and comes with another grade elsewhere.
      var row = contents.sections[section].rows.remove(at: item)
      row.item.grade = Int.random(in: 0..<6, using: &random)
      put(row, &random)
    default:
      contents.sections[section].rows[item].item.grade = Int.random(in: 0..<6, using: &random)
    }
  }
}

/// A composition of one source; each is put on top of others.
enum ArrangingLayer: CaseIterable, Sendable {
  case most, few, kept, sorted, descending, closure
  case sectioned, byIdentity, byDescendingIdentity
  case reversed, mapped, flattened, dropped
  case aggregated

  typealias Source = ComposedDataSource<String, ModelRow>

  func over(_ source: Source) -> Source {
    switch self {
    case .most: source.filter { $0.grade != 2 }
    case .few: source.filter { $0.grade == 3 }
    case .kept: source.filter(keepsEmptySections: true) { $0.grade < 2 }
    case .sorted: source.sorted(by: { $0.grade })
    case .descending: source.sorted(by: { "\($0.grade / 2)" }, .descending)
    case .closure: source.sorted { $0.grade % 2 < $1.grade % 2 }
    case .sectioned: source.sectioned(by: Self.section)
    case .byIdentity: source.sectioned(by: Self.section, .ascending)
    case .byDescendingIdentity: source.sectioned(by: Self.section, .descending)
    case .reversed: source.reversed()
    case .mapped: source.map { ModelRow(number: -$0.number, grade: $0.grade) }
    case .flattened: source.flattened()
    case .dropped: source.dropFirst(2)
    case .aggregated:
      source.aggregating(.count("even") { $0.grade % 2 == 0 }, .sum("grades") { $0.grade })
    }
  }

  /// The title says which row is the first.
  private static func section(_ row: ModelRow) -> SourceSection {
    SourceSection(identity: .integer(Int64(row.grade % 4)), title: "grade of \(row.number)")
  }

  /// Returns the composition of some layers over a source.
  static func stack(
    _ layers: [ArrangingLayer], over source: some DataSource<String, ModelRow>
  ) -> Source {
    layers.reduce(source.map { $0 }) { $1.over($0) }
  }

  static func random(_ random: inout SeededRandom) -> [ArrangingLayer] {
    (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
      // Every other layer is one that keeps rows of its own.
      let kinds = random.chance(0.5) ? allCases : Array(allCases.prefix(9))
      return kinds.randomElement(using: &random)
    }
  }
}
