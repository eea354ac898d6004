/// An output whose bytes are changed on their way to a file descriptor: encoded, then compressed.
struct EncodedOutput {
  /// Where UTF-8 is written.
  let output: Output
  // What changes it, in the order in which the bytes go through.
  private let stages: [any ByteWriting]

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - descriptor: Where the bytes go.
  ///   - encoding: The encoding of text; nil for UTF-8.
  ///   - compression: How the bytes are made fewer; nil where they are not.
  /// - Throws: ``CommandFailure`` for an encoding that nobody knows.
  init(to descriptor: Int32, encoding: String?, compression: Compression?) throws {
    var sink: @Sendable ([UInt8]) throws -> Void = { try Output.send($0, to: descriptor) }
    var stages: [any ByteWriting] = []
    if let compression {
      let stage = try compression.writer(sink)
      stages.insert(stage, at: 0)
      sink = { try stage.write($0) }
    }
    if let encoding {
      let stage = try EncodingWriter(encoding, sink)
      stages.insert(stage, at: 0)
      sink = { try stage.write($0) }
    }
    self.stages = stages
    output = Output(sink: sink)
  }

  /// Writes what is still held back; called once, after the last of the text.
  func finish() throws {
    try output.flush()
    for stage in stages { try stage.finish() }
  }
}
