import SectileFeed
import Synchronization

/// A client that reads whatever comes, as it comes.
final class AnswerReader: Sendable {
  private struct State {
    var text = ""
    var hasEnded = false
  }

  private let state = Mutex(State())

  init(_ answer: FeedResponse) {
    Task.detached { [self] in
      for await bytes in answer.body {
        state.withLock { $0.text += String(decoding: bytes, as: UTF8.self) }
      }
      state.withLock { $0.hasEnded = true }
    }
  }

  /// What it was told.
  var text: String { state.withLock { $0.text } }
  /// Whether that is all.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// The events that it was told, as a browser reads them.
  var messages: [EventSourceParser.Message] {
    var parser = EventSourceParser()
    parser.read(Array(text.utf8)[...])
    return parser.messages
  }

  /// The names of the events.
  var names: [String] { messages.map(\.event) }
}
