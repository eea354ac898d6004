import SectileTestHelpers
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct MigrationsTests {
  private func names(_ migrations: Migrations) throws -> [String]? {
    try migrations.load()?.map(\.name)
  }

  @Test func noneHasNothingToLoad() throws {
    #expect(try names(.none) == nil)
  }

  @Test func folderIsReadInTheOrderOfVersions() throws {
    let folder = try TemporaryFolder()
    try folder.write("SELECT 10", to: "V0010_create_b.sql")
    try folder.write("SELECT 9", to: "V0009_create_a.sql")
    try folder.write("SELECT 10000", to: "V10000_create_c.sql")
    try folder.write("Not SQL", to: "README.md")
    #expect(
      try names(.folder(folder.path)) == [
        "V0009_create_a.sql", "V0010_create_b.sql", "V10000_create_c.sql",
      ])
  }

  @Test func folderWithAMisnamedFileIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write("SELECT 1", to: "V0001_create_a.sql")
    try folder.write("SELECT 2", to: "002_create_b.SQL")
    let error = try expectStoreError(.migrationName) { try names(.folder(folder.path)) }
    #expect(error.message.hasPrefix("002_create_b.SQL"))
  }

  @Test func missingFolderIsRefused() throws {
    let folder = try TemporaryFolder()
    let error = try expectStoreError(.migrationUnreadable) {
      try names(.folder(folder.file("missing")))
    }
    #expect(error.message.contains(folder.file("missing")))
  }

  @Test func folderNamedLikeAFileIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("V0001_create_a.sql")
    let error = try expectStoreError(.migrationUnreadable) { try names(.folder(folder.path)) }
    #expect(error.message.contains("V0001_create_a.sql"))
  }

  @Test func twoFilesOfOneVersionAreRefused() throws {
    let error = try expectStoreError(.migrationDuplicate) {
      try names(
        .inline(["V0001_create_a.sql": "SELECT 1", "V00001_create_b.sql": "SELECT 2"]))
    }
    #expect(error.message.contains("V0001_create_a.sql"))
    #expect(error.message.contains("V00001_create_b.sql"))
  }

  @Test func embeddedBytesInlineTextAndFilesAreOne() throws {
    let name = "V0001_create_a.sql"
    let embedded = try Migrations.embedded([name: Array("SELECT 1".utf8)]).load()
    let inline = try Migrations.inline([name: "SELECT 1"]).load()
    let files = try Migrations.files([Migrations.File(name: name, sql: "SELECT 1")]).load()
    #expect(embedded?.map(\.checksum) == inline?.map(\.checksum))
    #expect(embedded?.map(\.checksum) == files?.map(\.checksum))
  }
}
