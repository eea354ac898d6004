import SectileCore
import SectileDataSources
import SectileTestSupport

/// What feeds are fed with: rows that are grouped by kind.
struct Plum: Identifiable, Hashable, Codable, Sendable {
  var id: Int
  var kind: String
  var weight: Int

  static let plums = [
    Plum(id: 1, kind: "green", weight: 30), Plum(id: 2, kind: "blue", weight: 40),
    Plum(id: 3, kind: "green", weight: 35),
  ]

  /// A source of plums, loaded.
  static func source(_ plums: [Plum], name: String = "plums") -> ArrayDataSource<Plum> {
    let source = ArrayDataSource(
      name: name, items: plums,
      sectionedBy: { SourceSection(identity: .text($0.kind), title: "\($0.kind) plums") })
    source.load()
    return source
  }

  /// Changes a list in one to four places: plums come, go, move, and get other values.
  static func change(_ plums: inout [Plum], _ random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = plums.indices.randomElement(using: &random)
      switch (Int.random(in: 0..<5, using: &random), place) {
      case (0, let place?): plums.remove(at: place)
      case (1, let place?): plums[place].weight += 1
      case (2, let place?): plums[place].kind = kind(&random)
      case (3, let place?):
        let plum = plums.remove(at: place)
        plums.insert(plum, at: Int.random(in: 0...plums.count, using: &random))
      default:
        let id = Int.random(in: 1...40, using: &random)
        guard !plums.contains(where: { $0.id == id }) else { continue }
        plums.insert(
          Plum(id: id, kind: kind(&random), weight: id),
          at: Int.random(in: 0...plums.count, using: &random))
      }
    }
  }

  private static func kind(_ random: inout SeededRandom) -> String {
    ["green", "blue", "é", "line\nbreak"].randomElement(using: &random) ?? "green"
  }
}
