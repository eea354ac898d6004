internal import Glibc

/// Opens the files that a person sends results to.
enum OutputFile {
  /// Opens a file for writing.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - overwrites: Whether a file that exists may lose what it holds.
  ///   - isOwned: Whether it belongs to a database that is open, which is never written.
  /// - Returns: The descriptor.
  /// - Throws: ``CommandFailure``.
  static func open(
    _ path: String, overwrites: Bool, isOwned: Bool
  ) throws -> Int32 {
    if isOwned {
      throw CommandFailure(
        .inputOutput, "\(path) belongs to the open database", hint: "Choose another file.")
    }
    if path.hasPrefix("|") {
      throw CommandFailure(
        .usage, "results are not piped into commands: \(path)",
        hint: "Run sectile sqlite with SQL in its arguments, and pipe what it writes.")
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    if exists && isRegular && status.st_size > 0 && !overwrites {
      throw CommandFailure(
        .inputOutput, "\(path) exists", hint: "Overwrite it with -f, or choose another file.")
    }
    if exists && !isRegular && status.st_mode & S_IFMT != S_IFDIR {
      return try SpecialFile.openForWriting(path)
    }
    // Without O_EXCL a link that leads nowhere would make the file that it names.
    let flags = O_WRONLY | O_CLOEXEC | (exists ? O_TRUNC : O_CREAT | O_EXCL)
    let descriptor = Glibc.open(path, flags, 0o666)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .inputOutput, "cannot write \(path): \(String(cString: strerror(errno)))",
        hint: "Check that the folder exists and may be written.")
    }
    return descriptor
  }
}
