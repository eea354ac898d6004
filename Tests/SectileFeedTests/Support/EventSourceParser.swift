/// Reads a stream of server-sent events as the WHATWG's standard says, section 9.2.6.
struct EventSourceParser {
  struct Message: Equatable {
    let event: String
    let data: String
    let lastEventID: String
  }

  private(set) var messages: [Message] = []
  private(set) var lastEventID = ""
  private(set) var retry: Int?
  private var idBuffer = ""
  private var data = ""
  private var eventType = ""
  private var line: [UInt8] = []
  private var isAfterReturn = false

  /// Reads some bytes of the stream.
  mutating func read(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n") where isAfterReturn: isAfterReturn = false
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        isAfterReturn = byte == UInt8(ascii: "\r")
        end(String(decoding: line, as: UTF8.self))
        line = []
      default:
        isAfterReturn = false
        line.append(byte)
      }
    }
  }

  private mutating func end(_ line: String) {
    if line.utf8.isEmpty { return dispatch() }
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return field(line, "") }
    if colon == line.startIndex { return }
    var value = line[line.utf8.index(after: colon)...]
    if value.utf8.first == UInt8(ascii: " ") {
      value = value[value.utf8.index(after: value.startIndex)...]
    }
    field(String(line[..<colon]), String(value))
  }

  private mutating func field(_ name: String, _ value: String) {
    switch name {
    case "event": eventType = value
    case "data": data += value + "\n"
    case "id": if !value.utf8.contains(0) { idBuffer = value }
    case "retry":
      if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        retry = Int(value)
      }
    default: break
    }
  }

  private mutating func dispatch() {
    lastEventID = idBuffer
    defer { (data, eventType) = ("", "") }
    if data.utf8.isEmpty { return }
    let text = String(decoding: data.utf8.dropLast(), as: UTF8.self)
    messages.append(
      Message(
        event: eventType.isEmpty ? "message" : eventType, data: text, lastEventID: lastEventID))
  }
}
