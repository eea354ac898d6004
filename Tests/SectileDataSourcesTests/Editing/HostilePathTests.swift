import Dispatch
import Foundation
import SectileCore
import SectileDataSources
import SectileTestHelpers
import SectileTestSupport
import Testing

/// Paths, ordinals and numbers that a client sent, and paths of versions that are gone: none of
/// them ends the process.
@Suite(.timeLimit(.minutes(60))) struct HostilePathTests {
  struct Thing: Identifiable, Hashable, Sendable {
    let id: Int
    var shelf: String { "\(id % 3)" }
  }

  private static let numbers = [Int.min, .min + 1, -1, 0, 1, 2, 7, .max - 1, .max]

  private static let paths = numbers.flatMap { section in
    numbers.map { ItemPath(section: section, item: $0) }
  }

  private static func array(_ count: Int = 7) -> ArrayDataSource<Thing> {
    ArrayDataSource(
      name: "array", items: (0..<count).map { Thing(id: $0) },
      sectionedBy: { SourceSection(identity: .text($0.shelf), title: $0.shelf) })
  }

  private static func dictionary() -> DictionaryDataSource<Thing> {
    DictionaryDataSource(
      name: "dictionary", items: ["a": [Thing(id: 1), Thing(id: 2)], "b": [Thing(id: 3)]])
  }

  /// Everything that can be made of one source.
  private static func compositions(_ source: ArrayDataSource<Thing>) -> [any DataSource] {
    let other = array(3)
    other.load()
    return [
      source, source.map { $0.shelf }, source.filter { $0.id > 2 },
      source.sorted { $0.id > $1.id }, source.flattened(), source.reversed(),
      source.prefix(4), source.dropFirst(2), source.window(offset: 1, limit: 3),
      source.inserting(Thing(id: 99), at: ItemPath(section: 1, item: 1)),
      source.interleaved(with: other, every: 2), source.concatenated(with: other),
      source.reversed().filter { $0.id != 3 }.prefix(3), AnyDataSource(source),
    ]
  }

  private func problems(of source: any DataSource) -> [String] {
    func problems(_ source: some DataSource) -> [String] {
      let snapshot = source.snapshot
      var problems = checkSnapshot(snapshot)
      for path in Self.paths {
        _ = source.origin(at: path)
        let isThere = snapshot.contains(path)
        if source.contains(path) != isThere { problems.append("contains \(path)") }
        if ((try? snapshot[path]) ?? nil) == nil, isThere { problems.append("nothing at \(path)") }
        let code = errorCode { _ = try source.item(at: path) }
        if code != (isThere ? nil : .noSuchPath) { problems.append("\(path): \(code as Any)") }
        let idCode = errorCode { _ = try source.id(at: path) }
        if idCode != code { problems.append("identity of \(path): \(idCode as Any)") }
      }
      for section in Self.numbers where !(0..<snapshot.numberOfSections).contains(section) {
        if source.numberOfItems(in: section) != 0 { problems.append("section \(section)") }
      }
      return problems
    }
    return problems(source)
  }

  private func errorCode(_ body: () throws -> Void) -> DataSourceError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? DataSourceError)?.code
    }
  }

  // MARK: - Reading

  @Test func pathsThatAreNotThereThrowInEverySource() async throws {
    let source = Self.array()
    source.load()
    for composition in Self.compositions(source) {
      // Before it is loaded, nothing is anywhere.
      if composition !== source { #expect(problems(of: composition) == [], "\(composition.name)") }
      try composition.load()
      #expect(composition.numberOfItems > 0)
      #expect(problems(of: composition) == [], "\(composition.name)")
    }
    let others: [any DataSource] = [
      Self.dictionary(), FixedDataSource(name: "fixed", items: [Thing(id: 1)]),
      FixedDataSource(name: "empty", items: [Thing]()),
    ]
    for source in others {
      #expect(problems(of: source) == [], "\(source.name)")
      try source.load()
      #expect(problems(of: source) == [], "\(source.name)")
    }
  }

  @Test func anEmptySourceHasNothingAnywhere() throws {
    let source = Self.array(0)
    source.load()
    for composition in Self.compositions(source) {
      try composition.load()
      #expect(problems(of: composition) == [], "\(composition.name)")
    }
  }

  @Test func aSnapshotAnswersNilWhereThereIsNothing() throws {
    let source = Self.array()
    source.load()
    let snapshot = source.snapshot
    #expect(try snapshot[ItemPath(section: 0, item: 1)] == Thing(id: 3))
    #expect(try snapshot[ItemPath(section: 0, item: 3)] == nil)
    let error = try #require(throws: DataSourceError.self) {
      try snapshot.item(at: ItemPath(section: 9, item: -4))
    }
    #expect(error.message == "There is no item at [9,-4].")
  }

  @Test(arguments: numbers, [nil] + numbers)
  func windowsOfAnySizeShowWhatThereIs(offset: Int, limit: Int?) throws {
    let source = Self.array()
    let window = source.window(offset: offset, limit: limit)
    window.load()
    let rest = max(0, 7 - max(0, offset))
    #expect(window.numberOfItems == min(rest, max(0, limit ?? .max)))
    #expect(problems(of: window) == [])
    try source.insert(Thing(id: 20), at: ItemPath(section: 0, item: 0))
    #expect(problems(of: window) == [])
  }

  @Test(arguments: numbers)
  func insertionsAnywhereShowWhatThereIs(number: Int) throws {
    let source = Self.array()
    for path in [ItemPath(section: number, item: 1), ItemPath(section: 1, item: number)] {
      let list = source.inserting(Thing(id: 99), at: path)
      list.load()
      let isThere = (0..<3).contains(path.section)
      #expect(list.numberOfItems == source.numberOfItems + (isThere ? 1 : 0), "\(path)")
      #expect(problems(of: list) == [], "\(path)")
      #expect(checkSnapshot(list.snapshot) == [], "\(path)")
    }
  }

  // MARK: - Editing

  /// Edits a source at every path and pair of paths; returns the codes of the errors.
  private func edit<Source: DataSource>(
    _ make: () throws -> Source, _ thing: some Sendable
  ) throws -> Set<DataSourceError.Code?> {
    var codes: Set<DataSourceError.Code?> = []
    for path in Self.paths {
      let source = try make()
      codes.insert(errorCode { try source.insertItem(thing, at: path) })
      codes.insert(errorCode { try source.replaceItem(at: path, with: thing) })
      codes.insert(errorCode { try source.removeItem(at: path) })
      for capability in [EditingCapability.removing, .moving, .replacing, .inserting] {
        _ = source.canEdit(capability, at: path)
      }
      for other in [ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1)] {
        codes.insert(errorCode { try source.moveItem(from: other, to: path) })
        codes.insert(errorCode { try source.moveItem(from: path, to: other) })
      }
      #expect(problems(of: source) == [], "\(path)")
    }
    return codes
  }

  @Test func editsAtPathsThatAreNotThereAreRefused() throws {
    func array() -> ArrayDataSource<Thing> {
      let source = Self.array()
      source.load()
      return source
    }
    func dictionary() -> DictionaryDataSource<Thing> {
      let source = Self.dictionary()
      source.load()
      return source
    }
    #expect(try edit(array, Thing(id: 50)).contains(.noSuchPath))
    #expect(try edit(dictionary, Thing(id: 50)).contains(.noSuchPath))
    for position in Self.compositions(array()).indices {
      let source = Self.compositions(array())[position]
      func edit(_ source: some DataSource) throws {
        let codes = try self.edit(
          {
            try source.load()
            return source
          }, Thing(id: 50))
        #expect(codes.contains(.noSuchPath), "\(source.name)")
      }
      try edit(source)
    }
  }

  // MARK: - Threads

  @Test func aThreadThatDeletesBetweenTheCountAndTheCallEndsNothing() throws {
    let source = Self.array(0)
    let lists: [any DataSource] = Self.compositions(source)
    for list in lists { try list.load() }
    let codes = try endingInTime {
      var found: Set<DataSourceError.Code?> = []
      let isOver = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        for round in 0..<300 {
          try? source.replace(with: (0..<(round % 2 == 0 ? 9 : 0)).map { Thing(id: $0) })
        }
        isOver.signal()
      }
      while isOver.wait(timeout: .now()) != .success {
        for list in lists {
          for section in 0..<list.numberOfSections {
            for item in 0..<list.numberOfItems(in: section) {
              let path = ItemPath(section: section, item: item)
              do {
                _ = try list.item(at: path)
                _ = list.origin(at: path)
              } catch {
                found.insert((error as? DataSourceError)?.code)
              }
            }
          }
        }
      }
      return found
    }
    #expect(codes.subtracting([.noSuchPath]) == [])
  }
}
