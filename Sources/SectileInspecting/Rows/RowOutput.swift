/// Where the text of rows goes.
package protocol RowOutput: AnyObject {
  /// Adds text as it is.
  func write(_ text: String) throws

  /// Adds bytes as they are.
  func write(_ bytes: UnsafeRawBufferPointer) throws
}

extension RowOutput {
  /// Adds bytes in hexadecimal, piece by piece: a large value is not there once more as text.
  package func write(hexadecimal bytes: [UInt8]) throws {
    let digits = Array("0123456789abcdef".utf8)
    let pieceSize = 1 << 15
    var piece: [UInt8] = []
    piece.reserveCapacity(2 * min(bytes.count, pieceSize))
    for start in stride(from: 0, to: bytes.count, by: pieceSize) {
      piece.removeAll(keepingCapacity: true)
      for byte in bytes[start..<min(start + pieceSize, bytes.count)] {
        piece.append(digits[Int(byte >> 4)])
        piece.append(digits[Int(byte & 15)])
      }
      try piece.withUnsafeBytes { try write($0) }
    }
  }

  /// Adds text in quotes, those inside of it twice.
  ///
  /// Bytes are looked at, not characters: a quote followed by a combining mark is one Swift
  /// character.
  package func write(_ text: String, in quote: UInt8) throws {
    var text = text
    try text.withUTF8 { bytes in
      let mark = [quote]
      try mark.withUnsafeBytes { mark in
        try write(mark)
        var rest = UnsafeRawBufferPointer(bytes)[...]
        while let next = rest.firstIndex(of: quote) {
          try write(UnsafeRawBufferPointer(rebasing: rest[...next]))
          try write(mark)
          rest = rest[(next + 1)...]
        }
        try write(UnsafeRawBufferPointer(rebasing: rest))
        try write(mark)
      }
    }
  }
}
