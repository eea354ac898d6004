import Foundation
import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct JSONLinesTests {
  final class Paper: Sendable {
    private let written = Mutex<[String]>([])
    var lines: [String] {
      written.withLock { written in
        defer { written = [] }
        return written
      }
    }
    func write(_ line: String) { written.withLock { $0.append(line) } }
  }

  static func target(_ paper: Paper) -> JSONLines<String, String> {
    JSONLines(
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
      },
      write: { paper.write($0) })
  }

  @Test func everythingIsALineOfItsOwn() {
    let paper = Paper()
    let adapter = Adapter(
      source: Menu.source("a: x y\u{2028}\""), presenter: Menu.presenter, target: Self.target(paper)
    )
    #expect(
      paper.lines == [
        #"{"reload":{"format":2,"version":1}}"#,
        #"{"header":{"identity":"a","title":"a"},"section":0,"sections":"insert"}"#,
        #"{"id":"x","item":"x","path":{"item":0,"section":0},"rows":"insert"}"#,
        #"{"id":"y","item":"y","path":{"item":1,"section":0},"rows":"insert"}"#,
        #"{"id":"\"","item":"\"","path":{"item":2,"section":0},"rows":"insert"}"#,
      ])
    withExtendedLifetime(adapter) {}
  }

  @Test func changesAreStepsWithALineEach() throws {
    let paper = Paper()
    let source = Menu.source("a: x y w | b: z")
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: Self.target(paper))
    _ = paper.lines
    try source.replace(with: Menu.dishes("b: z=new | a: w x"))
    #expect(
      paper.lines == [
        #"{"update":{"format":2,"sourceVersion":1,"targetVersion":2}}"#,
        #"{"header":{"identity":"b","title":"b"},"sections":"move","source":1,"target":0}"#,
        #"{"id":"y","path":{"item":1,"section":1},"rows":"delete"}"#,
        #"{"contentChanged":false,"id":"w","rows":"move","#
          + #""source":{"item":1,"section":1},"target":{"item":0,"section":1}}"#,
        #"{"id":"z","item":"z (new)","path":{"item":0,"section":0},"rows":"update"}"#,
      ])
    try source.replace(with: Menu.dishes("c: z=new x"))
    #expect(
      paper.lines == [
        #"{"update":{"format":2,"sourceVersion":2,"targetVersion":3}}"#,
        #"{"header":{"identity":"c","title":"c"},"section":2,"sections":"insert"}"#,
        #"{"id":"w","path":{"item":0,"section":1},"rows":"delete"}"#,
        #"{"contentChanged":true,"id":"z","item":"z (new)","rows":"move","#
          + #""source":{"item":0,"section":0},"target":{"item":0,"section":2}}"#,
        #"{"contentChanged":true,"id":"x","item":"x","rows":"move","#
          + #""source":{"item":0,"section":1},"target":{"item":1,"section":2}}"#,
        #"{"header":{"identity":"a","title":"a"},"section":1,"sections":"delete"}"#,
        #"{"header":{"identity":"b","title":"b"},"section":0,"sections":"delete"}"#,
      ])
    withExtendedLifetime(adapter) {}
  }

  @Test func headerThatChangedIsALine() throws {
    let paper = Paper()
    let source = Menu.Source(name: "menu", items: Menu.dishes("a: x")) {
      SourceSection(identity: "s", title: $0.note)
    }
    source.load()
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: Self.target(paper))
    _ = paper.lines
    try source.replace(with: Menu.dishes("a: x=warm"))
    #expect(
      paper.lines.last
        == #"{"header":{"identity":"s","title":"warm"},"section":0,"sections":"update"}"#)
    withExtendedLifetime(adapter) {}
  }

  @Test func failureIsALine() {
    let paper = Paper()
    let target = Self.target(paper)
    target.didFail(with: Refusal())
    #expect(paper.lines == [#"{"failure":"refused"}"#])
  }
}
