import Foundation
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite struct DpkgStatusFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func readsTheFixture() throws {
    let contents = try DpkgStatusFile(path: Fixture.status).read()
    #expect(contents.packages.count == 14)
    #expect(contents.skippedCount == 1)
    #expect(contents.packages.map(\.id).contains("libc6:i386"))
    #expect(contents.packages.first { $0.name == "libsqlite3-0" }?.section == "libs")
    #expect(contents.packages.first { $0.name == "vendor-tool" }?.section == nil)
    #expect(
      contents.packages.first { $0.name == "latin1-maintainer" }?.maintainer
        == "Andr\u{FFFD} <andre@example.org>")
    #expect(!contents.packages.contains { $0.name == "old-editor" })
  }

  @Test func linesMayCrossTheBlocksOfReading() throws {
    // Names of growing length put line ends at every offset around the ends of blocks.
    let names = (0..<3000).map { "p\($0)" + String(repeating: "x", count: $0 % 97) }
    let text = names.map { "Package: \($0)\nVersion: 1\n" }.joined(separator: "\n")
    let file = DpkgStatusFile(path: try folder.write(text, to: "status"))
    var total = 0
    let contents = try file.read { total = $0 }
    #expect(contents.packages.map(\.name) == names)
    #expect(total == text.utf8.count)
  }

  @Test func ofTwoPackagesWithOneIdentityTheLastCounts() throws {
    let file = DpkgStatusFile(
      path: try folder.write("Package: a\nVersion: 1\n\nPackage: a\nVersion: 2\n", to: "status"))
    #expect(try file.read().packages.map(\.version) == ["2"])
  }

  @Test func aMissingFileIsNamed() {
    let file = DpkgStatusFile(path: folder.file("missing"))
    let failure = #expect(throws: CommandFailure.self) { try file.read() }
    #expect(failure?.code == .noInput)
    #expect(failure?.message.contains("missing") == true)
    #expect(throws: CommandFailure.self) { try file.stamp() }
  }

  @Test func aFolderIsNoStatusFile() {
    let failure = #expect(throws: CommandFailure.self) {
      try DpkgStatusFile(path: folder.url.path).read()
    }
    #expect(failure?.code == .noInput)
  }

  @Test func aFileOfSomethingElseIsRefused() throws {
    let file = DpkgStatusFile(path: try folder.write("hello\nworld\n", to: "hello.txt"))
    let failure = #expect(throws: CommandFailure.self) { try file.read() }
    #expect(failure?.code == .data)
  }

  @Test func anEmptyFileHasNoPackages() throws {
    #expect(try DpkgStatusFile(path: folder.write("", to: "status")).read().packages.isEmpty)
  }

  @Test func theStampTellsAReplacedFile() throws {
    let file = DpkgStatusFile(path: try folder.write("Package: a\n", to: "status"))
    let before = try file.stamp()
    #expect(try file.stamp() == before)
    let next = try folder.write("Package: b\n", to: "status-new")
    #expect(rename(next, file.path) == 0)
    #expect(try file.stamp() != before)
  }
}
