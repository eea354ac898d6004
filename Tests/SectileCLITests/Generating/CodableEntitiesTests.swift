import Foundation
import SectileTestHelpers
import Testing

/// What `--codable` adds; the structs of `Examples/FromFile` are compiled there.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct CodableEntitiesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(Self.text("Tests/fixture.sql"), in: folder)
  }

  private static func text(_ file: String) throws -> String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return try String(
      contentsOf: root.appendingPathComponent("Examples/FromFile/\(file)"), encoding: .utf8)
  }

  @Test func structsOfTheExampleAreThoseThatAreWritten() throws {
    let run = try CommandRun(["entities", path, "--no-macro", "--codable"])
    #expect(run.code == 0, "\(run.errors)")
    let expected = try Self.text("Sources/SampleTables/Entities.swift")
    #expect(run.output == expected)
  }

  @Test func keyOfSeveralColumnsIsWrittenOutBesideTheMacro() throws {
    let run = try CommandRun(["entities", path, "--codable"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("@Entity\nstruct Author: Codable {\n"))
    #expect(
      run.output.contains(
        """
        struct BookTag: Codable {
          // By hand: the key that the macro writes is not Codable.

        """))
    #expect(run.output.contains("  struct ID: EntityKey, Codable {\n"))
  }

  @Test(arguments: [[], ["--no-macro"]] as [[String]])
  func aCheckKnowsACodableFile(arguments: [String]) throws {
    let file = folder.file("Entities.swift")
    let written = try CommandRun(["entities", path, "--codable", "--output", file] + arguments)
    #expect(written.code == 0, "\(written.errors)")
    let same = try CommandRun(["entities", path, "--check", file])
    #expect(same.code == 0, "\(same.output)\(same.errors)")
    let plain = folder.file("Plain.swift")
    #expect(try CommandRun(["entities", path, "--output", plain] + arguments).code == 0)
    #expect(try CommandRun(["entities", path, "--check", plain]).code == 0)
    let parted = try CommandRun(["entities", path, "--check", plain, "--codable"])
    #expect(parted.code == 1)
    #expect(parted.output.contains("struct Author: Codable {"), "\(parted.output)")
  }
}
