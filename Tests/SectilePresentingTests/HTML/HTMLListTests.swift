import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct HTMLListTests {
  typealias Dish = Menu.Dish

  static let presenter = CellPresenter<Dish, HTMLFragment> { dish, _ in .text(dish.id + dish.note) }

  /// A page that does what it is told, in lists of markup.
  final class Page: Sendable {
    struct Section: Equatable {
      var open: String
      var rows: [String]
      var close: String
    }

    private let state = Mutex((changes: [HTMLChange](), sections: [Section]()))

    var changes: [HTMLChange] {
      state.withLock { state in
        defer { state.changes = [] }
        return state.changes
      }
    }

    /// All sections, put together.
    var markup: String {
      state.withLock { $0.sections.map { $0.open + $0.rows.joined() + $0.close }.joined() }
    }

    func apply(_ changes: [HTMLChange]) {
      state.withLock { state in
        state.changes += changes
        for change in changes { Self.apply(change, &state.sections) }
      }
    }

    private static func apply(_ change: HTMLChange, _ sections: inout [Section]) {
      switch change {
      case .whole(let html): sections = Self.sections(html.markup)
      case .insertSection(let at, let html): sections.insert(Self.sections(html.markup)[0], at: at)
      case .moveSection(let from, let to): sections.insert(sections.remove(at: from), at: to)
      case .removeSection(let at): sections.remove(at: at)
      case .replaceHeading(let at, let heading, let footer):
        let open = sections[at].open
        let start = open.prefix(through: open.firstIndex(of: ">") ?? open.startIndex)
        sections[at].open = "\(start)\(heading)<ul>"
        sections[at].close = "</ul>\(footer)</section>"
      case .insertRow(let at, let html):
        sections[at.section].rows.insert(html.markup, at: at.item)
      case .moveRow(let from, let to):
        let row = sections[from.section].rows.remove(at: from.item)
        sections[to.section].rows.insert(row, at: to.item)
      case .removeRow(let at): sections[at.section].rows.remove(at: at.item)
      case .replaceRow(let at, let html): sections[at.section].rows[at.item] = html.markup
      }
    }

    /// Takes lists apart, in which no text looks like a tag.
    private static func sections(_ markup: String) -> [Section] {
      pieces(markup, closedBy: "</section>").map { section in
        let head = section.prefix(upTo: end(of: "<ul>", in: section))
        let tail = section.suffix(from: start(of: "</ul>", in: section))
        let rows = section.dropFirst(head.count).dropLast(tail.count)
        return Section(
          open: String(head), rows: pieces(String(rows), closedBy: "</li>"), close: String(tail))
      }
    }

    private static func pieces(_ text: String, closedBy tag: String) -> [String] {
      var rest = text[...]
      var result: [String] = []
      while let range = rest.firstRange(of: tag) {
        result.append(String(rest[..<range.upperBound]))
        rest = rest[range.upperBound...]
      }
      return result
    }

    private static func end(of tag: String, in text: String) -> String.Index {
      text.firstRange(of: tag)?.upperBound ?? text.endIndex
    }

    private static func start(of tag: String, in text: String) -> String.Index {
      text.firstRange(of: tag)?.lowerBound ?? text.endIndex
    }
  }

  @Test func wholeIsSectionsWithHeadings() throws {
    let page = Page()
    let source = Menu.Source(name: "menu", items: [Dish(id: "x<"), Dish(id: "y", kind: "b&")]) {
      SourceSection(
        identity: .text($0.kind), title: $0.kind == "dish" ? "" : $0.kind,
        footer: $0.kind == "dish" ? "<end>" : nil)
    }
    source.load()
    let adapter = Adapter(
      source: source, presenter: Self.presenter, target: HTMLList<String> { page.apply($0) })
    #expect(
      page.changes == [
        .whole(
          .unsafeMarkup(
            "<section data-section=\"dish\"><ul><li data-id=\"x&lt;\">x&lt;</li></ul>"
              + "<footer>&lt;end&gt;</footer></section>"
              + "<section data-section=\"b&amp;\"><h2>b&amp;</h2><ul><li data-id=\"y\">y</li></ul>"
              + "</section>"))
      ])
    #expect(page.markup == (try HTMLList<String>.whole(adapter.contents).markup))
  }

  @Test func rowsMayBeATable() throws {
    let presenter = CellPresenter<Dish, HTMLFragment> { dish, _ in
      .cells([.text(dish.id), .text(dish.note)])
    }
    let adapter = Adapter(source: Menu.source("a: x=1"), presenter: presenter)
    #expect(
      try HTMLList<String>.whole(adapter.contents, .table).markup
        == "<section data-section=\"a\"><h2>a</h2><table><tbody><tr data-id=\"x\">"
        + "<td>x</td><td>1</td></tr></tbody></table></section>")
  }

  @Test func changesAreFragmentsStepByStep() throws {
    let page = Page()
    let source = Menu.source("a: x y | b: z")
    let adapter = Adapter(
      source: source, presenter: Self.presenter, target: HTMLList<String> { page.apply($0) })
    _ = page.changes
    try source.replace(with: Menu.dishes("a: y=2 | c: x=3"))
    #expect(
      page.changes == [
        .insertSection(
          at: 2,
          .unsafeMarkup("<section data-section=\"c\"><h2>c</h2><ul></ul></section>")),
        .removeRow(at: Menu.path(1, 0)),
        .moveRow(from: Menu.path(0, 0), to: Menu.path(2, 0)),
        .replaceRow(at: Menu.path(2, 0), .unsafeMarkup("<li data-id=\"x\">x3</li>")),
        .removeSection(at: 1),
        .replaceRow(at: Menu.path(0, 0), .unsafeMarkup("<li data-id=\"y\">y2</li>")),
      ])
    #expect(page.markup == (try HTMLList<String>.whole(adapter.contents).markup))
  }

  @Test func pageThatFollowsTheFragmentsEqualsTheWhole() throws {
    for seed in 0..<100 {
      var random = SeededRandom(seed: UInt64(seed))
      let page = Page()
      let source = Menu.Source(name: "menu", items: []) {
        SourceSection(
          identity: .text(String($0.kind.prefix(1))), title: String($0.kind.dropFirst()),
          footer: $0.kind.hasSuffix("y") ? $0.kind : nil)
      }
      source.load()
      let adapter = Adapter(
        source: source, presenter: Self.presenter, target: HTMLList<String> { page.apply($0) })
      for _ in 0..<5 {
        let titles = ["", "x", "y"].shuffled(using: &random)
        let dishes = (0..<9).filter { _ in random.chance(0.7) }.map {
          let section = Int.random(in: 0..<3, using: &random)
          return Dish(
            id: "\($0)", kind: "abc".dropFirst(section).prefix(1) + titles[section],
            note: random.chance(0.5) ? "!" : "")
        }
        try source.replace(with: dishes.shuffled(using: &random))
        #expect(
          page.markup == (try HTMLList<String>.whole(adapter.contents).markup), "\(random)")
      }
    }
  }
}
