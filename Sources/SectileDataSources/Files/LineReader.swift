internal import SectileCore

/// Reads the lines of one file once, from its beginning to where it ended when it was opened.
final class LineReader {
  private let file: TextFile
  private let path: String
  private let options: FileLinesOptions
  private var splitter: LineSplitter
  private var occurrences: [FileLine.ID: Int] = [:]
  private var byteCount = 0
  private var isAtEnd = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - file: The file, from which nothing was read yet.
  ///   - path: Where the file is, for errors.
  ///   - options: What is accepted.
  init(file: TextFile, path: String, options: FileLinesOptions) {
    self.file = file
    self.path = path
    self.options = options
    splitter = LineSplitter(limit: options.lineByteCountLimit)
  }

  /// Returns the lines that end in the next bytes, possibly none; nil at the end.
  ///
  /// - Throws: ``DataSourceError``.
  func next(byteCount limit: Int) throws -> [FileLine]? {
    if isAtEnd { return nil }
    // Files that the system makes up while they are read have no size.
    let size = file.signature.byteCount > 0 ? file.signature.byteCount : Int.max
    if size != .max, size > options.byteCountLimit {
      throw DataSourceError.fileTooLarge(path, limit: options.byteCountLimit)
    }
    let wanted = min(limit, size - byteCount)
    do {
      if wanted > 0, let lines = try read(wanted) { return lines }
      isAtEnd = true
      if size != .max, try byteCount < size || file.byteCount() < size {
        throw DataSourceError.fileTruncated(path)
      }
      var lines: [FileLine] = []
      let before = splitter.count
      try splitter.finish { lines.append(try line($0, before)) }
      return lines
    } catch let error as LineSplitter.TooLong {
      throw DataSourceError.lineTooLong(path, line: error.line, limit: options.lineByteCountLimit)
    }
  }

  /// Returns the lines that end in the next bytes; nil where there are no more bytes.
  private func read(_ wanted: Int) throws -> [FileLine]? {
    try withUnsafeTemporaryAllocation(byteCount: wanted, alignment: 1) { buffer in
      let count = try file.read(into: buffer)
      byteCount += count
      guard byteCount <= options.byteCountLimit else {
        throw DataSourceError.fileTooLarge(path, limit: options.byteCountLimit)
      }
      guard count > 0 else { return nil }
      var lines: [FileLine] = []
      let before = splitter.count
      let chunk = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
      try splitter.append(chunk) { lines.append(try line($0, before + lines.count)) }
      return lines
    }
  }

  private func line(_ bytes: UnsafeRawBufferPointer, _ before: Int) throws -> FileLine {
    let text: String
    if options.invalidText.isRefused {
      guard let valid = String(validating: bytes, as: UTF8.self) else {
        throw DataSourceError.invalidText(path, line: before + 1)
      }
      text = valid
    } else {
      text = String(decoding: bytes, as: UTF8.self)
    }
    let first = FileLine.ID(text: text, occurrence: 0)
    let occurrence = occurrences[first, default: 0]
    occurrences[first] = occurrence + 1
    return FileLine(text, occurrence: occurrence)
  }
}
