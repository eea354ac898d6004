import Foundation
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Paths and ordinals that a client sent, and paths of versions that are gone: none of them ends
/// the process.
@Suite(.timeLimit(.minutes(60))) struct HostilePathTests {
  private static let numbers = [Int.min, .min + 1, -1, 0, 1, 2, 3, 7, .max - 1, .max]

  private static let paths = numbers.flatMap { section in
    numbers.map { ItemPath(section: section, item: $0) }
  }

  private func code(_ body: () throws -> Void) -> DataSourceError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? DataSourceError)?.code
    }
  }

  private func expectThrowing(
    _ results: SectionedResults<UntypedRow>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let snapshot = results.snapshot
    #expect(checkSnapshot(snapshot) == [], sourceLocation: sourceLocation)
    for path in Self.paths {
      let expected: DataSourceError.Code? = snapshot.contains(path) ? nil : .noSuchPath
      let codes = [
        code { _ = try results.item(at: path) }, code { _ = try results.id(at: path) },
        code { _ = try results[path.section, path.item] }, code { _ = try snapshot.item(at: path) },
      ]
      #expect(
        codes == Array(repeating: expected, count: 4), "\(path)", sourceLocation: sourceLocation)
      #expect(results.contains(path) == (expected == nil), sourceLocation: sourceLocation)
      let item = (try? snapshot[path]) ?? nil
      #expect((item == nil) == (expected != nil), sourceLocation: sourceLocation)
      _ = results.origin(at: path)
    }
    for section in Self.numbers {
      let isThere = (0..<snapshot.numberOfSections).contains(section)
      #expect((results.numberOfItems(in: section) > 0) == isThere, sourceLocation: sourceLocation)
      #expect((snapshot.numberOfItems(in: section) > 0) == isThere, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func pathsThatAreNotThereThrow(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let results = try store.results(of: SmallWorld.plan)
      // Nothing is loaded: nothing is anywhere.
      expectThrowing(results)
      try results.load()
      expectThrowing(results)
      try store.write { try $0.execute("DELETE FROM item") }
      #expect(results.numberOfSections == 0)
      expectThrowing(results)
      try store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (9, 'A', 1)") }
      results.cancel()
      expectThrowing(results)
    }
  }

  @Test(arguments: [StorageKind.memory, .file])
  func aThreadThatDeletesBetweenTheCountAndTheCallEndsNothing(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(SmallWorld.schema) }
    let results = try store.results(of: SmallWorld.plan)
    try results.load()
    let codes = try endingInTime {
      var codes: Set<DataSourceError.Code?> = []
      let isOver = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        for round in 0..<400 {
          try? store.write { writing in
            try writing.execute(
              round % 2 == 0
                ? "DELETE FROM item" : "INSERT INTO item (id, s, k) VALUES (1, 'A', 1), (2, 'B', 2)"
            )
          }
        }
        isOver.signal()
      }
      while isOver.wait(timeout: .now()) != .success {
        for section in 0..<results.numberOfSections {
          for item in 0..<results.numberOfItems(in: section) {
            do {
              _ = try results.item(at: ItemPath(section: section, item: item))
            } catch {
              codes.insert((error as? DataSourceError)?.code)
            }
          }
        }
      }
      return codes
    }
    #expect(codes.subtracting([.noSuchPath]) == [])
    try store.close()
  }
}
