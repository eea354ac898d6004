import Foundation
import Sectile
import SectileTestHelpers
import Testing

/// What scripts read of the command line is still there: the documents that former versions wrote
/// of their own files, and what they recorded for `apply`.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct FormerDocumentTests {
  private typealias Object = [String: Any]

  /// A line of `documents.ndjson`.
  private struct Recorded: Decodable {
    let arguments: [String]
    let code: Int32
    let output: String
  }

  /// Members that differ from run to run, or whose wording is no part of the format.
  private static let free: Set<String> = [
    "time", "seconds", "milliseconds", "message", "hint", "reason", "lock", "figures", "detail",
    "skipped", "summary",
  ]

  private func withFolders(_ body: (TemporaryFolder) throws -> Void) throws {
    for version in try FormerVersions.folders() {
      let folder = try TemporaryFolder()
      try FormerVersions.copy(version, to: folder)
      try body(folder)
    }
  }

  /// What a value lacks that was there, by its place; members that came later are fine.
  private func missing(_ former: Any, in now: Any, at place: String) -> [String] {
    if let former = former as? Object {
      guard let now = now as? Object else { return [place] }
      return former.keys.sorted().filter { !Self.free.contains($0) }.flatMap { name in
        guard let old = former[name], let new = now[name] else { return ["\(place).\(name)"] }
        return missing(old, in: new, at: "\(place).\(name)")
      }
    }
    if let former = former as? [Any] {
      guard let now = now as? [Any], now.count == former.count else { return [place] }
      return zip(former, now).enumerated().flatMap { number, pair in
        missing(pair.0, in: pair.1, at: "\(place)[\(number)]")
      }
    }
    return "\(former)" == "\(now)" ? [] : ["\(place): \(now) was \(former)"]
  }

  private func documents(_ output: String) -> [Any]? {
    var documents: [Any] = []
    for line in output.split(separator: "\n") {
      guard line.first == "{", let value = try? JSONSerialization.jsonObject(with: Data(line.utf8))
      else { return nil }
      documents.append(value)
    }
    return documents.isEmpty ? nil : documents
  }

  @Test func documentsHaveWhatTheyHad() throws {
    try withFolders { folder in
      let text = try String(contentsOfFile: folder.file("documents.ndjson"), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let recorded = try JSONDecoder().decode(Recorded.self, from: Data(line.utf8))
        let run = try CommandRun(recorded.arguments, in: folder)
        #expect(run.code == recorded.code, "\(recorded.arguments): \(run.errors)")
        if let former = documents(recorded.output) {
          let now = try #require(documents(run.output), "\(recorded.arguments): \(run.output)")
          #expect(missing(former, in: now, at: "$") == [], "\(recorded.arguments)")
        } else if recorded.arguments.contains("csv") {
          #expect(run.output == recorded.output, "\(recorded.arguments)")
        }
      }
    }
  }

  @Test func aRecordedPatchMakesTheSameFile() throws {
    try withFolders { folder in
      let text = try String(contentsOfFile: folder.file("documents.ndjson"), encoding: .utf8)
      let recorded = try text.split(separator: "\n").map {
        try JSONDecoder().decode(Recorded.self, from: Data($0.utf8))
      }
      let patch = try #require(recorded.first { $0.arguments.starts(with: ["diff"]) })
      let run = try CommandRun(["apply", "before.sqlite"], input: patch.output, in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let difference = try CommandRun(
        ["diff", "before.sqlite", "music.sqlite", "--table", "song"], in: folder)
      #expect(difference.code == 0, "\(difference.output)")
    }
  }

  @Test func aRecordedWatchKeepsACopy() throws {
    try withFolders { folder in
      let lines = try String(contentsOfFile: folder.file("watch.ndjson"), encoding: .utf8)
      let run = try CommandRun(["apply", "before.sqlite", "-"], input: lines, in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let difference = try CommandRun(
        ["diff", "before.sqlite", "music.sqlite", "--table", "song"], in: folder)
      #expect(difference.code == 0, "\(difference.output)")
      var folded = FoldedContents()
      for line in lines.split(separator: "\n") { try folded.apply(String(line)) }
      #expect(folded.sections.map(\.rows.count) == [1, 1, 2])
    }
  }
}
