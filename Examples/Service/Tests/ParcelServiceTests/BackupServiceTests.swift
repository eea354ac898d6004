import Foundation
import Logging
import Sectile
import Testing

@testable import ParcelService

@Suite(.timeLimit(.minutes(60))) struct BackupServiceTests {
  @Test func latestCopiesAreKept() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "parcels-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.inMemory(migrations: Parcel.migrations)
    let backups = BackupService(
      of: store, to: folder.path, every: .seconds(3_600), keeping: 2,
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    var paths: [String] = []
    for id in Int64(1)...4 {
      try await store.write {
        try $0.save(Parcel(id: id, status: "waiting", recipient: "Ada", weight: 1, updated: 0))
      }
      paths.append(try await backups.backUp())
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left == paths.suffix(2).map { URL(fileURLWithPath: $0).lastPathComponent })
    let copy = try await Store.open(at: paths[3])
    #expect(try await copy.read { try $0.fetchCount(FetchRequest<Parcel>()) } == 4)
    try await copy.close()
  }
}
