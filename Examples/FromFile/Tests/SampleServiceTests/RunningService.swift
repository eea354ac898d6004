import Foundation
import Logging
import SampleService
import SampleTables
import Sectile
import ServiceLifecycle

/// Runs the service on a file made of `Tests/fixture.sql`, and ends it gracefully when a closure is
/// done.
///
/// - Parameter body: Gets the service's address, and a store of the same file, as another program
///   that writes to it has one.
/// - Throws: What the closure throws, and the service.
func withService(_ body: @Sendable (String, Store) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let database = folder.appending(path: "sample.sqlite").path
  let writer = try await fixture(at: database)
  var options = ServiceOptions(database: database)
  options.port = 0
  let (ports, ready) = AsyncStream<Int>.makeStream()
  let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  let service = ServiceApplication(
    options, logger: logger, lists: { try await servedLists(in: $0) },
    onRunning: { ready.yield($0) })
  let group = ServiceGroup(services: [service], logger: logger)
  try await withThrowingTaskGroup(of: Void.self) { tasks in
    tasks.addTask {
      defer { ready.finish() }
      try await group.run()
    }
    var iterator = ports.makeAsyncIterator()
    guard let port = await iterator.next() else { return try await tasks.waitForAll() }
    do {
      try await body("http://127.0.0.1:\(port)", writer)
    } catch {
      await group.triggerGracefulShutdown()
      throw error
    }
    await group.triggerGracefulShutdown()
    try await tasks.waitForAll()
  }
  try await writer.close()
}

/// Makes the file of the fixture; a part of the rows may refer to others that are not in it.
private func fixture(at path: String) async throws -> Store {
  let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixture.sql")
  let sql = try String(contentsOf: script, encoding: .utf8)
  var configuration = StoreConfiguration()
  configuration.enforcesForeignKeys = false
  let store = try await Store.open(at: path, configuration: configuration)
  try await store.write { try $0.execute(sql) }
  return store
}
