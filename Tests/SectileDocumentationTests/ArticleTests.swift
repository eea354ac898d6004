import Testing

/// Each block of Swift in the articles and in README.md is an example of this target, so it
/// compiles and was run.
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
  @Test func eachBlockOfAnArticleIsAnExample() throws {
    let examples = Set(try Self.examples().map(\.text))
    for (article, blocks) in try Self.blocks() {
      for block in blocks where !examples.contains(block) {
        Issue.record("\(article) shows what is no example:\n\(block)")
      }
    }
  }

  @Test func eachExampleIsShownSomewhere() throws {
    let shown = Set(try Self.blocks().flatMap(\.blocks))
    for example in try Self.examples() where !shown.contains(example.text) {
      Issue.record("no article shows the example \(example.name)")
    }
  }

  /// Returns the blocks of Swift in each article.
  private static func blocks() throws -> [(article: String, blocks: [String])] {
    let articles = try Article.files(below: "Sources", withSuffix: ".md")
    #expect(articles.count > 10)
    // The program that README.md begins with is the matter of ReadmeTests.
    let readme = ("README.md", Array(try blocks(of: "README.md").dropFirst()))
    return try articles.map { ($0, try blocks(of: $0)) } + [readme]
  }

  private static func blocks(of article: String) throws -> [String] {
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
    let folder = "Tests/SectileDocumentationTests/Examples"
    var texts: [String: String] = [:]
    for file in try Article.files(below: folder, withSuffix: ".swift") {
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

  private static func lines(of file: String) throws -> [Substring] {
    try Article.text(file).split(separator: "\n", omittingEmptySubsequences: false)
  }
}
