internal import CDecoding
internal import Glibc

/// Makes text of one encoding text of another, piece by piece, by the C library's iconv.
final class TextConversion {
  /// A character that the other encoding does not have, or bytes that are none.
  struct Mistake: Error {
    /// How many bytes came before it, in all pieces.
    let position: Int
  }

  private let descriptor: iconv_t
  // The beginning of a character whose end is in a later piece.
  private var rest: [UInt8] = []
  private var count = 0

  /// Creates a conversion.
  ///
  /// - Throws: ``CommandFailure`` where the system does not know one of the encodings.
  init(from: String, to: String) throws {
    guard let descriptor = iconv_open(to, from), Int(bitPattern: descriptor) != -1 else {
      throw CommandFailure(
        .usage, "there is no encoding '\(from == "UTF-8" ? to : from)'", hint: "See iconv -l.")
    }
    self.descriptor = descriptor
  }

  deinit {
    iconv_close(descriptor)
  }

  /// Returns whether the system knows an encoding.
  static func knows(_ name: String) -> Bool {
    // Slashes ask iconv to drop or guess characters.
    !name.isEmpty && !name.contains("/")
      && (try? TextConversion(from: name, to: "UTF-8")) != nil
  }

  /// Returns a piece in the other encoding.
  ///
  /// - Throws: ``Mistake``.
  func convert(_ bytes: [UInt8]) throws(Mistake) -> [UInt8] {
    var input = rest + bytes
    rest = []
    var result: [UInt8] = []
    var position = 0
    while position < input.count {
      let (used, made, problem) = step(&input, from: position)
      result += made
      position += used
      if problem == EINVAL {
        rest = Array(input[position...])
        break
      }
      if problem != 0 && problem != E2BIG { throw Mistake(position: count + position) }
    }
    count += position
    return result
  }

  /// Returns what ends the text, in an encoding that has a sign for that.
  ///
  /// - Throws: ``Mistake`` where the text ends within a character.
  func finish() throws(Mistake) -> [UInt8] {
    if !rest.isEmpty { throw Mistake(position: count) }
    return [UInt8](unsafeUninitializedCapacity: 64) { buffer, size in
      buffer.withMemoryRebound(to: CChar.self) { output in
        var start = output.baseAddress
        var room = output.count
        iconv(descriptor, nil, nil, &start, &room)
        size = output.count - room
      }
    }
  }

  private func step(
    _ input: inout [UInt8], from position: Int
  ) -> (used: Int, made: [UInt8], problem: Int32) {
    var used = 0
    var problem: Int32 = 0
    let made = [UInt8](unsafeUninitializedCapacity: 1 << 17) { buffer, size in
      input.withUnsafeMutableBytes { bytes in
        var start = bytes.bindMemory(to: CChar.self).baseAddress.map { $0 + position }
        var left = bytes.count - position
        buffer.withMemoryRebound(to: CChar.self) { output in
          var target = output.baseAddress
          var room = output.count
          if iconv(descriptor, &start, &left, &target, &room) == -1 {
            problem = errno
          }
          size = output.count - room
        }
        used = bytes.count - position - left
      }
    }
    return (used, made, problem)
  }
}
