/// Reads a stream of server-sent events by the rules of Python's httpx-sse, which are not those of
/// the standard: each empty line after anything that was said is a message, one without data among
/// them, and an `id` stays.
struct LineByLineEventDecoder {
  struct Message: Equatable {
    let event: String
    let data: String
    let id: String
    let retry: Int?
  }

  private(set) var messages: [Message] = []
  private var event = ""
  private var data: [String] = []
  private var id = ""
  private var retry: Int?

  /// Reads a whole stream whose lines end with a line feed.
  mutating func read(_ stream: String) {
    for line in stream.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      read(line: String(decoding: line, as: UTF8.self))
    }
  }

  private mutating func read(line: String) {
    if line.utf8.isEmpty {
      guard !event.isEmpty || !data.isEmpty || !id.isEmpty || retry != nil else { return }
      messages.append(
        Message(event: event, data: data.joined(separator: "\n"), id: id, retry: retry))
      (event, data, retry) = ("", [], nil)
      return
    }
    if line.utf8.first == UInt8(ascii: ":") { return }
    let parts = line.utf8.split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count > 1 ? parts[1] : ""[...].utf8
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: parts[0], as: UTF8.self) {
    case "event": event = text
    case "data": data.append(text)
    case "id": if !value.contains(0) { id = text }
    case "retry": retry = Int(text) ?? retry
    default: break
    }
  }
}
