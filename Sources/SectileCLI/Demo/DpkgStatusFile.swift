internal import Glibc

/// A dpkg status file on disk: what it holds, and whether it has changed.
struct DpkgStatusFile {
  /// Where dpkg keeps it.
  static let systemPath = "/var/lib/dpkg/status"

  /// What tells one state of the file from another.
  ///
  /// dpkg replaces the file by renaming a new one.
  struct Stamp: Equatable {
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
  }

  /// What a file held.
  struct Contents {
    /// The installed packages, in the order of the file; of two with one identity, the last.
    var packages: [InstalledPackage] = []
    /// How many paragraphs named no package.
    var skippedCount = 0
  }

  private static let blockSize = 1 << 16
  /// A line longer than this is not a status file's.
  private static let lineLimit = 1 << 24

  /// The file's path.
  let path: String

  /// Returns the file's present state.
  func stamp() throws -> Stamp {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure("cannot look at", errno) }
    return Stamp(
      inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
  }

  /// Reads the file.
  ///
  /// - Parameter progress: Hears how many bytes were read.
  /// - Returns: The packages of the file.
  /// - Throws: ``CommandFailure`` where the file cannot be read or is no status file.
  func read(progress: (_ bytes: Int) throws -> Void = { _ in }) throws -> Contents {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot open", errno) }
    defer { close(descriptor) }

    var parser = DpkgStatusParser()
    var contents = Contents()
    var positions: [String: Int] = [:]
    func add(_ package: InstalledPackage?) {
      guard let package else { return }
      if let position = positions[package.id] {
        contents.packages[position] = package
      } else {
        positions[package.id] = contents.packages.count
        contents.packages.append(package)
      }
    }

    var block = [UInt8](repeating: 0, count: Self.blockSize)
    var rest: [UInt8] = []
    var total = 0
    while true {
      let count = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure("cannot read", errno)
      }
      if count == 0 { break }
      total += count
      try progress(total)
      var lines = block[..<count].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let unfinished = lines.removeLast()
      for line in lines {
        if rest.isEmpty {
          add(parser.consume(line))
        } else {
          rest += line
          add(parser.consume(rest))
          rest.removeAll(keepingCapacity: true)
        }
      }
      rest += unfinished
      if rest.count > Self.lineLimit { throw notAStatusFile() }
    }
    if !rest.isEmpty { add(parser.consume(rest)) }
    add(parser.finish())
    contents.skippedCount = parser.skippedCount
    if contents.packages.isEmpty && parser.removedCount == 0 && total > 0 { throw notAStatusFile() }
    return contents
  }

  private func notAStatusFile() -> CommandFailure {
    CommandFailure(
      .data, "\(path) names no packages",
      hint: "It should look like \(Self.systemPath): paragraphs with 'Package:' and 'Version:'.")
  }

  private func failure(_ what: String, _ number: Int32) -> CommandFailure {
    let reason = String(cString: strerror(number))
    guard number == ENOENT || number == ENOTDIR || number == EACCES || number == EISDIR else {
      return CommandFailure(.inputOutput, "\(what) \(path): \(reason)")
    }
    return CommandFailure(
      .noInput, "\(what) \(path): \(reason)",
      hint: "Name a dpkg status file with --input; Debian and its relatives have one.")
  }
}
