internal import Sectile

/// One input of an import: where its bytes come from and how they are read.
struct ImportInput: ImportReading {
  /// The bytes.
  let source: InputSource
  /// What they are written in.
  let format: ImportFormat
  /// How separated values are read.
  private(set) var separated: SeparatedInput
  /// What separates fields, where nobody said it and it is not what the format promises.
  let guessedDelimiter: UInt8?

  /// Finds out how to read an input.
  ///
  /// - Parameters:
  ///   - source: The bytes.
  ///   - path: The path as it was given; `-` for standard input.
  ///   - format: The format; nil for what the path's ending tells, or the first bytes.
  ///   - separated: What is said about separated values.
  /// - Throws: ``CommandFailure`` where nothing tells the format.
  init(
    source: InputSource, path: String, format: ImportFormat?, separated: SeparatedOptions
  ) throws {
    self.source = source
    guard
      let format = try format ?? ImportFormat(fileName: path)
        ?? ImportFormat(beginning: source.peek())
    else {
      throw CommandFailure(
        .usage, "the format of \(source.name) is not clear",
        hint: "Say it with --format: \(ImportFormat.names).")
    }
    if format.isTyped && !separated.isEmpty {
      throw CommandFailure(
        .usage, "\(source.name) is \(format.rawValue), which has no header, delimiter or quotes",
        hint: "Leave out --no-header, --columns, --delimiter, --no-quotes, --fill-rows and --null.")
    }
    self.format = format
    var input = separated.input(format)
    let saidDelimiter = format.isTyped ? nil : try Self.separatorLine(of: source)?.delimiter
    guessedDelimiter =
      format == .csv && separated.delimiter == nil && saidDelimiter == nil
      ? try DelimiterGuess.delimiter(in: source.peek()) : nil
    // What the person says goes before what the file says.
    if separated.delimiter == nil, let delimiter = saidDelimiter ?? guessedDelimiter {
      input.delimiter = delimiter
    }
    self.separated = input
  }

  private static func separatorLine(of source: InputSource) throws -> SeparatorLine? {
    try source.peek().withUnsafeBytes {
      SeparatorLine(beginning: ByteOrderMark.withoutMark($0))
    }
  }

  /// What messages call it.
  var name: String { source.name }

  /// Whether values come with a type of their own.
  var isTyped: Bool { format.isTyped }

  /// Makes sure that it can be read twice.
  func makeRewindable() throws { try source.makeRewindable() }

  /// Goes back to the beginning.
  func rewind() throws { try source.rewind() }

  /// Calls a closure every now and then while it is read, with how much was read of how much.
  func watch(_ body: @escaping (_ position: Int, _ count: Int?) throws -> Void) {
    source.checkpoint = { [unowned source] in try body(source.position, source.byteCount) }
  }

  /// What messages call a row: the file with the line, or with the number of the object.
  func place(_ number: Int) -> String {
    format == .json ? "\(source.name): object \(number)" : "\(source.name):\(number)"
  }

  /// Returns the input with names for columns that have none.
  func naming(_ names: [String]) -> Self {
    if separated.hasHeader || separated.names != nil { return self }
    var input = self
    input.separated.names = names
    return input
  }

  /// Calls a closure with each record, from where the source stands.
  func read(_ body: (ImportRecord) throws -> Void) throws {
    switch format {
    case .csv, .tsv: try separated.read(source, body)
    case .json: try JSONInput().readDocument(of: source, body)
    case .ndjson: try JSONInput().readLines(of: source, body)
    }
  }
}
