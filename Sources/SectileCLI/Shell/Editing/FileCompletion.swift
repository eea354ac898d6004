internal import Foundation

/// Completes the names of files.
enum FileCompletion {
  /// Returns what TAB does to a path.
  ///
  /// - Parameter word: What was typed of it, in quotes or not.
  /// - Returns: The offer.
  static func offer(for word: String) -> CompletionOffer {
    let quote = word.first.flatMap { $0 == "'" || $0 == "\"" ? String($0) : nil } ?? ""
    let path = String(word.dropFirst(quote.count))
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let start = path.dropFirst(folder.count)
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    let candidates = names.sorted().filter { start.hasPrefix(".") || !$0.hasPrefix(".") }.map {
      name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder + name, isDirectory: &isFolder)
      let path = folder + name + (isFolder.boolValue ? "/" : "")
      if quote.isEmpty { return DotCommandWords.quoted(path) }
      return quote + path
    }
    return CompletionOffer(word, candidates) { candidate in
      if candidate.hasSuffix("/") { return "" }
      return quote.isEmpty ? " " : quote + " "
    }
  }
}
