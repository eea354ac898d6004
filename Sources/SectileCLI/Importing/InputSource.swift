internal import Glibc

/// The text of an input: of a file, a pipe or standard input.
///
/// What gzip or zstd packed is unpacked, and text in UTF-16 with a byte order mark, or in an
/// encoding that was named, becomes UTF-8.
///
/// While it waits for a pipe it calls its checkpoint, so that Ctrl-C is heard.
final class InputSource {
  private static let chunkSize = 1 << 18

  /// What messages call it.
  let name: String
  /// The encoding it is written in; nil for UTF-8, or what a byte order mark tells.
  let encoding: String?
  /// How many bytes it has, packed; nil for a pipe, whose end nobody knows.
  private(set) var byteCount: Int?
  /// How many bytes were read since the last ``rewind()``.
  private(set) var position = 0
  /// Is called before each chunk, and while a pipe has nothing; what it throws ends the reading.
  var checkpoint: () throws -> Void = {}

  private var descriptor: Int32
  private let ownsDescriptor: Bool
  // Where a file that somebody else has read from begins for us.
  private var start: off_t
  // What was looked at, and is still to be read.
  private var ahead: [UInt8] = []
  // What unpacks and decodes; nil until the first bytes are there, or where they are text already.
  private var stages: (any ByteReading)?
  private var isText = false
  // A terminal goes on after its end, which is one all the same.
  private var isAtEnd = false

  /// Opens an input.
  ///
  /// - Parameters:
  ///   - path: The path of a file, or `-` for standard input.
  ///   - encoding: The encoding of its text; nil for UTF-8, or what a byte order mark tells.
  /// - Throws: ``CommandFailure`` where there is nothing to read.
  init(path: String, encoding: String? = nil) throws {
    self.encoding = encoding
    ownsDescriptor = path != "-"
    name = path == "-" ? "standard input" : path
    // Without blocking, so that a named pipe nobody writes to cannot hold Ctrl-C up.
    descriptor =
      path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .noInput, "\(name): \(String(cString: strerror(errno)))", hint: "Check the path.")
    }
    start = max(0, lseek(descriptor, 0, SEEK_CUR))
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      // Not yet whole, so nothing else closes it.
      if ownsDescriptor { close(descriptor) }
      throw CommandFailure(
        .noInput, "\(name) is a folder", hint: "Name the files in it.")
    case S_IFREG: byteCount = max(0, Int(status.st_size) - Int(start))
    default: byteCount = nil
    }
  }

  deinit {
    if ownsDescriptor { close(descriptor) }
  }

  /// Returns the first bytes, which stay to be read.
  func peek() throws -> [UInt8] {
    if ahead.isEmpty { ahead = try nextChunk() ?? [] }
    return ahead
  }

  /// Calls a closure with chunk after chunk, to the end.
  func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    while true {
      try checkpoint()
      let chunk = ahead.isEmpty ? try nextChunk() : ahead
      ahead = []
      guard let chunk else { return }
      try chunk.withUnsafeBytes(body)
    }
  }

  /// Goes back to the beginning; see ``makeRewindable()``.
  func rewind() throws {
    guard lseek(descriptor, start, SEEK_SET) == start else { throw failure(errno) }
    ahead = []
    stages = nil
    isAtEnd = false
    position = 0
  }

  /// Copies what cannot be read twice to a temporary file without a name.
  func makeRewindable() throws {
    guard byteCount == nil else { return }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array(
      "\(folder)/sectile-import-\(String(repeating: "X", count: 6))".utf8CString)
    let copy = mkstemp(&template)
    guard copy >= 0 else {
      throw CommandFailure(
        .inputOutput, "no temporary file in \(folder): \(String(cString: strerror(errno)))",
        hint: "Set TMPDIR to a folder with room for the input.")
    }
    unlink(template)
    do {
      let output = Output(descriptor: copy)
      try read { try output.write($0) }
      try output.flush()
    } catch {
      close(copy)
      throw error
    }
    if ownsDescriptor { close(descriptor) }
    descriptor = copy
    start = 0
    byteCount = max(0, Int(lseek(copy, 0, SEEK_END)))
    isText = true
    try rewind()
  }

  private func nextChunk() throws -> [UInt8]? {
    if isText { return try nextPackedChunk() }
    if stages == nil { stages = try makeStages() }
    return try stages?.next()
  }

  /// Looks at the first bytes for how the text is packed and written.
  private func makeStages() throws -> any ByteReading {
    let packed = try reader(beginning: nextPackedChunk()) { [unowned self] in
      try nextPackedChunk()
    }
    let first = packed.first ?? []
    guard let compression = Compression(beginning: first) else {
      return try decoded(first, packed.reader)
    }
    let unpacked = try compression.reader(packed.reader, name: name)
    let text = try reader(beginning: unpacked.next()) { try unpacked.next() }
    return try decoded(text.first ?? [], text.reader)
  }

  private func decoded(_ first: [UInt8], _ text: any ByteReading) throws -> any ByteReading {
    let hasMark = first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF])
    guard let encoding = encoding ?? (hasMark ? "UTF-16" : nil) else { return text }
    return try DecodingReader(text, encoding: encoding, name: name)
  }

  /// Returns a reader that begins with bytes that were looked at.
  private func reader(
    beginning first: [UInt8]?, _ body: @escaping () throws -> [UInt8]?
  ) throws -> (first: [UInt8]?, reader: any ByteReading) {
    var ahead = first
    let reader = ByteReader {
      defer { ahead = nil }
      return try ahead ?? body()
    }
    return (first, reader)
  }

  /// Reads until the chunk is full, so that its size does not depend on a pipe's.
  private func nextPackedChunk() throws -> [UInt8]? {
    if isAtEnd { return nil }
    let chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
      while count < buffer.count {
        if byteCount == nil { try waitForData() }
        let space = UnsafeMutableRawBufferPointer(buffer)[count...]
        let length = Glibc.read(
          descriptor, space.base.baseAddress?.advanced(by: count), space.count)
        if length < 0 {
          if errno == EINTR || errno == EAGAIN { continue }
          throw failure(errno)
        }
        if length == 0 {
          isAtEnd = true
          break
        }
        count += length
      }
    }
    position += chunk.count
    return chunk.isEmpty ? nil : chunk
  }

  private func waitForData() throws {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      try checkpoint()
      if poll(&request, 1, 100) != 0 { return }
    }
  }

  private func failure(_ number: Int32) -> CommandFailure {
    CommandFailure(.inputOutput, "cannot read \(name): \(String(cString: strerror(number)))")
  }
}
