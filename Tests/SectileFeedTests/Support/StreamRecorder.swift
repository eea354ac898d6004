import Foundation
import SectileCore
import Testing

@testable import SectileFeed

/// Writes what a client is told as a stream of server-sent events, with positions that are the same
/// in each run: the number of the feed in them is 1.
struct StreamRecorder {
  /// Where the streams are that the clients are tested with as well.
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/feeds")

  private(set) var bytes: [UInt8] = []
  /// Where the client stands, with the true number of the feed.
  private(set) var position: FeedPosition?

  /// Begins a connection.
  mutating func connect() { bytes += ServerSentEvents.retry(after: .seconds(2)) }

  /// Writes a heartbeat.
  mutating func beat() { bytes += ServerSentEvents.heartbeat }

  /// Writes the next events, which have to be of these kinds.
  mutating func take(
    _ kinds: [FeedEvent.Kind], from iterator: inout FeedEvents.Iterator
  ) async throws {
    for kind in kinds {
      let next = await iterator.next()
      let event = try #require(next)
      #expect(event.kind == kind)
      position = event.position
      let written = event.position.map {
        FeedPosition(epoch: 1, version: $0.version, fingerprint: $0.fingerprint, log: $0.log)
      }
      bytes += ServerSentEvents.bytes(of: FeedEvent(event.kind, event.json, at: written))
    }
  }

  /// Writes what was told over a connection.
  mutating func take(_ text: String) {
    var text = text
    var parser = EventSourceParser()
    parser.read(Array(text.utf8)[...])
    for id in Set(parser.messages.map(\.lastEventID)) {
      guard let position = FeedPosition(id) else { continue }
      let written = FeedPosition(
        epoch: 1, version: position.version, fingerprint: position.fingerprint, log: position.log)
      text = text.replacingOccurrences(of: id, with: written.description)
    }
    // How many are heard depends on how fast the machine is.
    let beat = "event: heartbeat\ndata: {\"format\":2}\n\n"
    while text.contains(beat + beat) {
      text = text.replacingOccurrences(of: beat + beat, with: beat)
    }
    bytes += text.utf8
  }

  /// Compares the stream with the recorded one, byte by byte; with `SECTILE_WRITE_STREAMS=1`, it is
  /// recorded anew.
  func check(against name: String) throws {
    let file = Self.folder.appendingPathComponent("\(name).sse")
    if ProcessInfo.processInfo.environment["SECTILE_WRITE_STREAMS"] == "1" {
      try Data(bytes).write(to: file)
    }
    let recorded = Array(try Data(contentsOf: file))
    guard bytes != recorded else { return }
    let newLine = UInt8(ascii: "\n")
    let told = bytes.split(separator: newLine, omittingEmptySubsequences: false)
    let expected = recorded.split(separator: newLine, omittingEmptySubsequences: false)
    let line = zip(told, expected).prefix { $0.elementsEqual($1) }.count
    let texts = [told, expected].map { lines in
      line < lines.count ? String(decoding: lines[line], as: UTF8.self) : "(the end)"
    }
    Issue.record("line \(line + 1) of \(name).sse is\n\(texts[1])\nand was told as\n\(texts[0])")
  }
}
