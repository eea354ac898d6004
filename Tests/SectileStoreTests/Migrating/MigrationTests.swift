import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct MigrationTests {
  @Test(
    arguments: [
      ("V0001_create_package.sql", 1), ("V12345_add_size_to_package.sql", 12_345),
      ("V0010_fill_fts5.sql", 10), ("V0000_create_a.sql", 0),
    ])
  func namesThatObeyTheRule(_ name: String, _ version: Int64) {
    #expect(Migrations.File.version(of: name) == version)
  }

  @Test(arguments: [
    "", "V.sql", "V001_create_package.sql", "v0001_create_package.sql", "0001_create_package.sql",
    "V0001_create.sql", "V0001__package.sql", "V0001_create_.sql", "V0001_Create_package.sql",
    "V0001-create-package.sql", "V0001_create_package.SQL", "V0001_create_package.sql.bak",
    "V0001_create_pack age.sql", "V0001_crée_package.sql", "V00a1_create_package.sql",
    "V99999999999999999999_create_package.sql", "V0001_create_package",
    "V٠٠٠١_create_package.sql",
  ])
  func namesThatBreakTheRule(_ name: String) throws {
    #expect(Migrations.File.version(of: name) == nil)
    let error = try expectStoreError(.migrationName) {
      try Migration(Migrations.File(name: name, sql: "SELECT 1"))
    }
    #expect(error.message.hasPrefix(name))
    #expect(error.hint?.contains("V0001_create_package.sql") == true)
  }

  @Test func byteOrderMarkIsNoPartOfTheTextButOfTheChecksum() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let name = "V0001_create_a.sql"
    let marked = try Migration(Migrations.File(name: name, bytes: mark + Array("SELECT 1".utf8)))
    let plain = try Migration(Migrations.File(name: name, sql: "SELECT 1"))
    #expect(marked.sql == "SELECT 1")
    #expect(marked.sql == plain.sql)
    #expect(marked.checksum != plain.checksum)
  }

  @Test(arguments: [[0x61, 0xFF], [0x53, 0x00], [0xFF, 0xFE, 0x53, 0x00]] as [[UInt8]])
  func bytesThatAreNotTextAreRefused(_ bytes: [UInt8]) throws {
    let error = try expectStoreError(.migrationUnreadable) {
      try Migration(Migrations.File(name: "V0001_create_a.sql", bytes: bytes))
    }
    #expect(error.message == "V0001_create_a.sql is not UTF-8 text")
  }

  @Test(arguments: ["", " \n\t", "-- only a comment", "/* a */ ; ;"])
  func fileWithoutAStatementIsRefused(_ sql: String) throws {
    let error = try expectStoreError(.migrationEmpty) {
      try Migration(Migrations.File(name: "V0001_create_a.sql", sql: sql))
    }
    #expect(error.message.hasPrefix("V0001_create_a.sql"))
  }
}
