import Foundation
import Hummingbird
import Logging
import Sectile
import SectileFeed
import SectileServer
import SectileService
import ServiceLifecycle
import UnixSignals

/// What the driver chooses.
struct StormOptions: Sendable {
  let database: String
  let port: Int
  let heartbeat: Duration
  let retry: Duration
}

/// One release of the service: a store with a change log, a list, a feed of it for clients in Swift
/// and Python, live routes for `sectile.js`.
struct StormService<Row: StormParcel> {
  let options: StormOptions
  let logger: Logger

  /// Runs until the process is told to end.
  func run() async throws {
    let store = try await Store.open(at: options.database, migrations: Row.migrations)
    do {
      // After a restart clients are told what became of rows since.
      try store.changeLog.enable()
      let parcels = try store.results(of: Row.list)
      try await parcels.loadAndWait()
      try await group(store, parcels).run()
    } catch {
      // A group that has begun has closed it already, and then this does nothing.
      try? await store.close()
      throw error
    }
  }

  private func group(_ store: Store, _ parcels: SectionedResults<Row>) throws -> ServiceGroup {
    let shape = FeedShape<Int64, Row>(Row.shapeName)
    let feed = Feed<SectionedResults<Row>, Void>(
      of: parcels, configuration: FeedConfiguration(answersByKey: true)
    ) { _ in shape }
    var limits = LiveConfiguration()
    limits.streamLimit = 10_000
    limits.heartbeat = options.heartbeat
    let live = LiveRoutes(
      of: store, serving: ["parcels": try LiveRequest(Row.list)], configuration: limits)
    let router = Router()
    live.add(to: router.group("live"))
    add(to: router, store, parcels, feed)
    let server = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: options.port)),
      onServerRunning: { channel in
        let line = "listening \(channel.localAddress?.port ?? 0)\n"
        FileHandle.standardOutput.write(Data(line.utf8))
      },
      logger: logger)
    let services: [any Service] = [
      StoreService(store, logger: logger), server, live, StreamService { feed.finish() },
    ]
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    return ServiceGroup(configuration: configuration)
  }

  private func add(
    to router: Router<BasicRequestContext>, _ store: Store, _ parcels: SectionedResults<Row>,
    _ feed: Feed<SectionedResults<Row>, Void>
  ) {
    let told = FeedResponse.Options(heartbeat: options.heartbeat, retry: options.retry)
    router.add(middleware: StoreErrorAnswers())
    router.get("parcels") { _, _ in
      let contents = try await parcels.contents()
      return Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: try ExactJSON.encode(contents))))
    }
    router.get("parcels/events") { request, _ in
      try await feed.response(to: request, options: told)
    }
    router.put("parcels/:id") { request, context in
      let id = try context.parameters.require("id", as: Int64.self)
      let parcel = Row(try await request.decode(as: StormInput.self, context: context), id: id)
      try await store.write { try $0.save(parcel) }
      return Response(status: .noContent)
    }
    router.delete("parcels/:id") { _, context in
      let id = try context.parameters.require("id", as: Int64.self)
      try await store.write { transaction in
        _ = try transaction.delete(Row.self, key: id)
      }
      return Response(status: .noContent)
    }
  }
}
