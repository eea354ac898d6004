import Foundation
import Testing

/// Each block of Swift in the articles is an example of this target, so it compiles and was run.
///
/// An example stands between two comments, the parts of one name joined by an empty line:
///
/// ```swift
/// // example: a-name
/// …
/// // example: end
/// ```
///
/// What is hidden (set-up, expectations) stands outside of the comments.
@Suite struct ArticleTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func eachBlockOfAnArticleIsAnExample() throws {
    let examples = Set(try Self.examples().map(\.text))
    let articles = try Self.files(below: "Sources", withSuffix: ".md")
    #expect(articles.count > 10)
    for article in articles {
      for block in try Self.blocks(of: article) where !examples.contains(block) {
        Issue.record("\(article.lastPathComponent) shows what is no example:\n\(block)")
      }
    }
  }

  @Test func eachExampleIsShownSomewhere() throws {
    var shown: Set<String> = []
    for article in try Self.files(below: "Sources", withSuffix: ".md") {
      shown.formUnion(try Self.blocks(of: article))
    }
    for example in try Self.examples() where !shown.contains(example.text) {
      Issue.record("no article shows the example \(example.name)")
    }
  }

  /// Returns the blocks of Swift in an article.
  private static func blocks(of article: URL) throws -> [String] {
    var blocks: [String] = []
    var block: String?
    for line in try lines(of: article) {
      if let text = block {
        if line == "```" {
          blocks.append(text)
          block = nil
        } else {
          block = text + line + "\n"
        }
      } else if line == "```swift" {
        block = ""
      }
    }
    return blocks
  }

  /// Returns the examples of this target, each without its own indentation.
  private static func examples() throws -> [(name: String, text: String)] {
    let mark = "// example: "
    var texts: [String: String] = [:]
    for file in try files(below: "Tests/SectileDocumentationTests/Examples", withSuffix: ".swift") {
      var current: (name: String, indentation: Int)?
      for line in try lines(of: file) {
        let content = line.drop { $0 == " " }
        if content == mark + "end" {
          current = nil
        } else if content.hasPrefix(mark) {
          let name = String(content.dropFirst(mark.count))
          current = (name, line.count - content.count)
          if let text = texts[name] { texts[name] = text + "\n" }
        } else if let current {
          texts[current.name, default: ""] += line.dropFirst(current.indentation) + "\n"
        }
      }
    }
    #expect(!texts.isEmpty)
    return texts.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
  }

  private static func lines(of file: URL) throws -> [Substring] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func files(below folder: String, withSuffix suffix: String) throws -> [URL] {
    let folder = root.appendingPathComponent(folder).path
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(suffix) }.sorted()
      .map { URL(fileURLWithPath: folder).appendingPathComponent($0) }
  }
}
