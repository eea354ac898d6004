import Testing

@testable import SectileCLI

@Suite struct MigrationNameTests {
  @Test(arguments: [
    "add_size_column", "add-size-column", "Add size column", "AddSizeColumn", " add  size.column ",
  ])
  func anySpellingBecomesTheRules(name: String) throws {
    #expect(try MigrationName(name).next(after: []) == "V0001_add_size_column.sql")
  }

  @Test func theVersionFollowsTheNewest() throws {
    let name = try MigrationName("add index2")
    #expect(
      try name.next(after: ["V0009_add_a.sql", "V0011_add_b.sql", "notes.txt", "V99_add_c.sql"])
        == "V0012_add_index2.sql")
    #expect(try name.next(after: ["V12345_add_a.sql"]) == "V12346_add_index2.sql")
    #expect(throws: CommandFailure.self) {
      try name.next(after: ["V\(Int64.max)_add_a.sql"])
    }
  }

  @Test(arguments: ["size", "", "--", "größe ändern", "V0003_add_size", "add_size.sql"])
  func othersAreRefused(name: String) throws {
    let failure = try #require(throws: CommandFailure.self) { try MigrationName(name) }
    #expect(failure.code == .usage)
    #expect(failure.hint != nil)
  }
}
