import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization

/// What the tests of presenting show: a source drawn as a diagram, in which an item's contents may
/// be anything.
enum Menu {
  struct Dish: Identifiable, Hashable, Sendable {
    let id: String
    var kind = "dish"
    var note = ""
  }

  typealias Source = ArrayDataSource<Dish>

  static func dishes(_ diagram: SectionDiagram) -> [Dish] {
    diagram.sections.flatMap { section in
      section.items.map { Dish(id: $0.id, kind: section.identity, note: $0.contents) }
    }
  }

  /// A source that was loaded.
  static func source(_ diagram: SectionDiagram) -> Source {
    let source = Source(name: "menu", items: dishes(diagram)) {
      SourceSection(identity: .text($0.kind), title: $0.kind)
    }
    source.load()
    return source
  }

  /// Shows a dish as its name, and its note where it has one.
  static let presenter = CellPresenter<Dish, String> { dish, _ in
    dish.note.isEmpty ? dish.id : "\(dish.id) (\(dish.note))"
  }

  static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }
}

/// Counts, from any thread.
final class Counter: Sendable {
  private let value = Atomic<Int>(0)

  var count: Int { value.load(ordering: .sequentiallyConsistent) }

  func add() { value.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}

/// Writes down what it is told, and shows it as a diagram.
final class RecordingTarget<Cell: Sendable>: PresentationTarget {
  typealias ItemID = String

  private let state = Mutex((calls: [String](), contents: SectionedContents<String, Cell>()))
  private let failure = Mutex<(any Error)?>(nil)

  /// The calls since this was asked for last, each in a word or two.
  var calls: [String] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// What the calls add up to.
  var contents: SectionedContents<String, Cell> { state.withLock { $0.contents } }

  /// Lets the next call throw.
  func fail(with error: any Error) {
    failure.withLock { $0 = error }
  }

  private func throwFailure() throws {
    let error = failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
    if let error { throw error }
  }

  func reload(_ contents: any PresentedContents<String, Cell>) throws {
    try throwFailure()
    let contents = try contents.materialized()
    state.withLock { state in
      state.calls.append("reload \(contents.version)")
      state.contents = contents
    }
  }

  func update(_ update: PresentationUpdate<String, Cell>) throws {
    try throwFailure()
    let before = contents
    let after = try before.applying(update.changes)
    let lines = update.changes.changeLines(
      from: SectionList(before.sections.map(\.header)),
      to: SectionList(after.sections.map(\.header)))
    state.withLock { state in
      state.calls.append("update \(after.version): \(lines.joined(separator: ", "))")
      state.contents = after
    }
  }

  func didFail(with error: any Error) {
    state.withLock { $0.calls.append("failure \(error)") }
  }
}

struct Refusal: Error, CustomStringConvertible {
  var description: String { "refused" }
}
