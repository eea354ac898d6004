internal import Glibc
internal import Synchronization

/// The arguments of the process, taken as the bytes that they are.
///
/// Swift's strings are UTF-8, and so are the arguments that the parser gets. One that is not UTF-8
/// is either the name of a file, which goes by a link with a name that is, or SQL or a value, whose
/// bytes that are not UTF-8 go by characters that stand for nothing else (``bytes(of:)`` takes them
/// back).
enum ByteArguments {
  /// The character for the byte zero, at the end of the last private plane, which nobody else uses.
  private static let firstStandIn: UInt32 = 0x10_FF00

  private static let hasStandIns = Atomic(false)
  // The folder of the links; nil where none were needed.
  private static let folder = Mutex<(path: String, linkCount: Int)?>(nil)

  /// Returns the arguments without the program's name.
  ///
  /// - Throws: ``CommandFailure`` for one that is not UTF-8 and neither names a file nor is SQL.
  static func texts() throws -> [String] {
    let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }
    let command = arguments.first.flatMap { String(validatingCString: $0) }
    // A character that stands for a byte in one argument must not mean itself in another.
    let needsStandIns =
      command == "sqlite"
      && arguments.contains { String(validatingCString: $0) == nil && access($0, F_OK) != 0 }
    return try arguments.enumerated().map { place, argument in
      if access(argument, F_OK) == 0 {
        return try String(validatingCString: argument) ?? link(to: argument)
      }
      if needsStandIns {
        return text(
          of: UnsafeBufferPointer(start: argument, count: strlen(argument)).map {
            UInt8(bitPattern: $0)
          })
      }
      if let text = String(validatingCString: argument) { return text }
      let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
      let before = place == 0 ? nil : String(validatingCString: arguments[place - 1])
      throw refusal(of: Array(bytes), after: before)
    }
  }

  /// Returns the bytes of an argument or of a dot command's word as they were given.
  static func bytes(of text: String) -> [UInt8] {
    guard hasStandIns.load(ordering: .relaxed) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      scalar.value >= firstStandIn ? [UInt8(scalar.value & 0xFF)] : Array(String(scalar).utf8)
    }
  }

  /// Returns a text whose bytes ``bytes(of:)`` gives back, whatever they are.
  static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value < firstStandIn })
    {
      return text
    }
    hasStandIns.store(true, ordering: .relaxed)
    var text = ""
    var rest = bytes[...]
    while let first = rest.first {
      // The longest piece that is a character; else one byte.
      let character = (1...4).reversed().lazy.compactMap { count in
        rest.count < count ? nil : String(validating: rest.prefix(count), as: UTF8.self)
      }.first { $0.unicodeScalars.count == 1 }
      if let character, let scalar = character.unicodeScalars.first, scalar.value < firstStandIn {
        text += character
        rest = rest.dropFirst(character.utf8.count)
      } else {
        Unicode.Scalar(firstStandIn + UInt32(first)).map { text.unicodeScalars.append($0) }
        rest = rest.dropFirst()
      }
    }
    return text
  }

  // MARK: - Refusing

  /// The options whose values are SQL, which has other words for such bytes.
  private static let sqlOptions = [
    "--where", "--sql", "--query", "--sort", "--section-by", "--aggregate", "--transform",
    "--schema", "--add", "--default",
  ]

  /// Says which argument is not UTF-8, and what to do.
  ///
  /// - Parameters:
  ///   - argument: The bytes of the argument.
  ///   - before: The argument before it; nil where there is none, or one that is not UTF-8 either.
  /// - Returns: The failure.
  static func refusal(of argument: [UInt8], after before: String?) -> CommandFailure {
    var (option, value) = (before ?? "", argument)
    let place: String
    if argument.starts(with: Array("--".utf8)),
      let sign = argument.firstIndex(of: UInt8(ascii: "="))
    {
      (option, value) = (spelled(Array(argument[..<sign])), Array(argument[(sign + 1)...]))
      place = "the value of \(option)"
    } else if option.hasPrefix("--") && !option.contains("=") {
      // Which options have a value, only the parser knows.
      place = "the argument after \(option)"
    } else {
      return CommandFailure(
        .usage, "an argument is not valid UTF-8, and no file has this name: '\(spelled(argument))'",
        hint: "Write it in UTF-8. A file that does not exist yet needs a name in UTF-8.")
    }
    let bytes = text(of: value).unicodeScalars.compactMap(standInByte).map(hexadecimal).joined()
    return CommandFailure(
      .usage, "\(place) is not valid UTF-8: '\(HiddenPassword.hiding(in: spelled(value)))'",
      hint: sqlOptions.contains(option)
        ? "Write it in UTF-8. SQL can name other bytes in hexadecimal: CAST(x'\(bytes)' AS TEXT)."
        : "Write it in UTF-8.")
  }

  /// Writes bytes as text; each that belongs to no character in hexadecimal.
  private static func spelled(_ bytes: [UInt8]) -> String {
    text(of: bytes).unicodeScalars.map { scalar in
      standInByte(scalar).map { "\\x" + hexadecimal($0) } ?? String(scalar)
    }.joined()
  }

  /// The byte that a character stands for; nil where it means itself.
  private static func standInByte(_ scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= firstStandIn ? UInt8(scalar.value & 0xFF) : nil
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  // MARK: - Links

  /// Makes a link with a name that is UTF-8, in a folder that is removed at the end.
  private static func link(to path: UnsafeMutablePointer<CChar>) throws -> String {
    guard let real = realpath(path, nil) else { throw failure() }
    defer { free(real) }
    let last = strrchr(real, Int32(UInt8(ascii: "/"))).map { String(cString: $0 + 1) } ?? ""
    return try folder.withLock { folder in
      if folder == nil {
        folder = (try makeFolder(), 0)
        atexit { ByteArguments.removeFolder() }
      }
      folder?.linkCount += 1
      // Names that differ only in what is not UTF-8 would be the same without a number.
      let name = folder.map { "\($0.path)/\($0.linkCount)-\(last)" } ?? last
      guard symlink(real, name) == 0 else { throw failure() }
      return name
    }
  }

  private static func makeFolder() throws -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/sectile-\(String(repeating: "X", count: 6))".utf8CString)
    guard mkdtemp(&template) != nil else { throw failure() }
    return template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  private static func removeFolder() {
    guard let path = folder.withLock({ $0?.path }), let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) {
          _ = unlinkat(dirfd(directory), $0, 0)
        }
      }
    }
    closedir(directory)
    rmdir(path)
  }

  private static func failure() -> CommandFailure {
    CommandFailure(
      .inputOutput, "a temporary folder is needed: \(String(cString: strerror(errno)))",
      hint: "Let TMPDIR name a folder that may be written.")
  }
}
