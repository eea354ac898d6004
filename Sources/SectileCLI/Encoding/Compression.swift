/// A way to make files smaller.
enum Compression: String {
  case gzip
  case zstd

  /// Tells the way by the first bytes; nil for what is not compressed, or in another way.
  init?(beginning bytes: [UInt8]) {
    if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      self = .zstd
    } else {
      return nil
    }
  }

  /// Tells the way by the end of a file's name.
  init?(fileName: String) {
    let name = fileName.lowercased()
    if name.hasSuffix(".gz") {
      self = .gzip
    } else if name.hasSuffix(".zst") {
      self = .zstd
    } else {
      return nil
    }
  }

  /// Returns a file's name without the end that tells the way.
  static func plainName(_ fileName: String) -> String {
    guard Compression(fileName: fileName) != nil, let dot = fileName.lastIndex(of: ".") else {
      return fileName
    }
    return String(fileName[..<dot])
  }

  /// Returns what makes compressed bytes what they were.
  ///
  /// - Parameters:
  ///   - source: The compressed bytes.
  ///   - name: What messages call them.
  /// - Returns: A reader of the bytes as they were.
  /// - Throws: ``CommandFailure`` where there is no memory.
  func reader(_ source: any ByteReading, name: String) throws -> any ByteReading {
    switch self {
    case .gzip: try GzipReader(source, name: name)
    case .zstd: try ZstdReader(source, name: name)
    }
  }

  /// Returns what compresses bytes on their way.
  func writer(_ sink: @escaping @Sendable ([UInt8]) throws -> Void) throws -> any ByteWriting {
    switch self {
    case .gzip: try GzipWriter(sink)
    case .zstd: try ZstdWriter(sink)
    }
  }
}
