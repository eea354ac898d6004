internal import Sectile

/// A piece of SQL with where it came from, for messages.
struct ScriptText {
  /// The text as it was read; it need not be UTF-8.
  let bytes: [UInt8]
  /// What messages call the file; nil where the text was typed or is an argument.
  let name: String?
  /// The line its first byte stands on; nil where lines mean nothing.
  let firstLine: Int?

  /// Creates a piece of SQL.
  init(_ bytes: [UInt8], name: String? = nil, firstLine: Int? = nil) {
    self.bytes = bytes
    self.name = name
    self.firstLine = firstLine
  }

  /// Creates a piece of SQL that has no place in a file.
  init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Where a byte stands, as a message begins: `line 3: `; empty where lines mean nothing.
  func place(of offset: Int) -> String {
    guard let firstLine else { return "" }
    let line = firstLine + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    return name.map { "\($0):\(line): " } ?? "line \(line): "
  }

  /// The offset of the first byte from another one on that is no space.
  func textOffset(from offset: Int) -> Int {
    let blanks = Array(" \t\r\n;".utf8)
    return bytes[min(offset, bytes.count)...].firstIndex { !blanks.contains($0) } ?? offset
  }
}
