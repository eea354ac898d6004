internal import Foundation

/// The files that this process has open.
enum OpenFiles {
  #if os(Linux)
    /// Where the system lists them, by their descriptors.
    static let folder = "/proc/self/fd/"
  #else
    /// Where the system lists them, by their descriptors.
    static let folder = "/dev/fd/"
  #endif

  /// Returns the names of the descriptors in ``folder``; nil where the system does not tell.
  static func descriptors() -> [String]? {
    try? FileManager.default.contentsOfDirectory(atPath: folder)
  }

  /// Returns what the file system says about them; nil where the system does not tell.
  ///
  /// - Complexity: O(*n*) for *n* descriptors, with a call of `stat` for each.
  static func identities() -> [FileIdentity]? {
    descriptors()?.compactMap { FileIdentity(folder + $0) }
  }
}
