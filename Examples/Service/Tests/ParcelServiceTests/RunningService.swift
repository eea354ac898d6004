import Foundation
import Logging
import ParcelClient
import ParcelService
import ServiceLifecycle

/// Runs the service in a folder of its own, and ends it gracefully when a closure is done.
///
/// - Parameters:
///   - configure: Changes the options.
///   - body: Gets the service's address, and its folder.
/// - Returns: The names of the files that are there afterwards.
/// - Throws: What the closure throws, and the service.
func withService(
  _ configure: (inout ServiceOptions) -> Void = { _ in },
  _ body: @Sendable (ServerAddress, URL) async throws -> Void
) async throws -> [String] {
  let folder = FileManager.default.temporaryDirectory.appending(path: "parcels-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  var options = ServiceOptions(database: folder.appending(path: "parcels.sqlite").path)
  options.port = 0
  configure(&options)
  let (ports, ready) = AsyncStream<Int>.makeStream()
  let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  let application = ParcelApplication(options, logger: logger) { ready.yield($0) }
  let group = ServiceGroup(services: [application], logger: logger)
  try await withThrowingTaskGroup(of: Void.self) { tasks in
    tasks.addTask {
      defer { ready.finish() }
      try await group.run()
    }
    var iterator = ports.makeAsyncIterator()
    guard let port = await iterator.next() else { return try await tasks.waitForAll() }
    do {
      try await body(ServerAddress(host: "127.0.0.1", port: port), folder)
    } catch {
      await group.triggerGracefulShutdown()
      throw error
    }
    await group.triggerGracefulShutdown()
    try await tasks.waitForAll()
  }
  return try FileManager.default.contentsOfDirectory(atPath: folder.path)
}
