import Foundation
import SectileTestHelpers
import Testing

@testable import SectileStore

/// SQLite says of many things that it could not open the file.
@Suite struct UnusableLogTests {
  private let failure = StoreError.SQLiteFailure(
    resultCode: 14, message: "unable to open database file")

  /// On a file system that is mounted read-only the log cannot be made, and there may be none.
  @Test func aLogThatCannotBeMadeIsTold() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("database", to: "store.sqlite")
    let error = try #require(
      StoreError.unusableLog(failure, of: path, isFolderWritable: false))
    #expect(error.code == .cannotOpen && error.isOfUnusableLog)
    #expect(error.message.contains("the log beside the file cannot be used"))
    #expect(StoreError.unusableLog(failure, of: path, isFolderWritable: true)?.code == nil)
    let missing = folder.file("missing.sqlite")
    #expect(StoreError.unusableLog(failure, of: missing, isFolderWritable: false)?.code == nil)
  }
}
