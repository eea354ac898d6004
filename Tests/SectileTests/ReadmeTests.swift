#if Macros

  import Foundation
  import Synchronization
  import Testing

  // The program of README.md, in two parts: declarations cannot stand inside of a function.
  // README: begin
  import Sectile

  @Entity
  struct Package: Identifiable, Sendable {
    var id: Int64
    var name: String
    var section: String
  }
  // README: end

  @Suite(.timeLimit(.minutes(60))) struct ReadmeTests {
    @Test func theProgramPrintsWhatItsCommentsSay() throws {
      let printed = Mutex<[String]>([])
      let print: @Sendable (String) -> Void = { line in printed.withLock { $0.append(line) } }
      // README: begin

      let table =
        "CREATE TABLE package (id INTEGER PRIMARY KEY, name TEXT NOT NULL, section TEXT NOT NULL)"
      let store = try Store.inMemory(migrations: .inline(["V0001_create_package.sql": table]))
      let results = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      let observation = results.observe { event in
        guard case .didPartiallyLoad(let changes) = event else { return }
        for new in changes.sectionInserts { print("S+ \(new.section) \(new.header.title)") }
        for new in changes.inserts { print("R+ \(new.path) \(new.id)") }
        for move in changes.moves { print("R> \(move.source)→\(move.target) \(move.id)") }
      }
      try results.load()
      try store.write { tx in
        try tx.insert(Package(id: 1, name: "bash", section: "shells"))
        try tx.insert(Package(id: 2, name: "dash", section: "shells"))
      }
      // S+ 0 shells
      // R+ [0,0] 1
      // R+ [0,1] 2
      try store.write { try $0.update(Package(id: 1, name: "zsh", section: "shells")) }
      // R> [0,0]→[0,1] 1
      // README: end
      observation.cancel()
      let program = try Self.program()
      let comments = program.split(separator: "\n").filter { $0.hasPrefix("// ") }
      #expect(printed.withLock { $0 } == comments.map { String($0.dropFirst(3)) })
    }

    @Test func theReadmeShowsThisProgram() throws {
      let readme = try Self.readme()
      let start = try #require(readme.range(of: "```swift\n"))
      let end = try #require(readme[start.upperBound...].range(of: "```"))
      #expect(String(readme[start.upperBound..<end.lowerBound]) == (try Self.program()))
    }

    private static func readme() throws -> String {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      return try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    }

    /// Returns the lines between the marks of this file, each region without its own indentation.
    private static func program() throws -> String {
      let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
      var text = ""
      var indentation: Int?
      for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
        let content = line.drop { $0 == " " }
        if content == "// README: begin" {
          indentation = line.count - content.count
        } else if content == "// README: end" {
          indentation = nil
        } else if let indentation {
          text += line.dropFirst(indentation) + "\n"
        }
      }
      return text
    }
  }

#endif
