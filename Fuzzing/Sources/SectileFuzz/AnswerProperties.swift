import Dispatch
import Foundation
import Synchronization

@testable import SectileRemote

/// The answer of a service: a line with the style and the page that was asked for, header fields,
/// an empty line, the body.
///
/// Loading it throws a `RemoteError`, or gives the items of the body, the page that follows by the
/// rules of the style, and a token that can be written down.
enum AnswerProperties {
  struct Song: Codable, Hashable, Sendable {
    let id: Int
    let title: String?
  }

  private struct Canned: PageTransport {
    let answer: PageResponse

    func response(to request: PageRequest) async throws -> PageResponse { answer }
  }

  private typealias Page = LoadedPage<Song, PageToken>

  private static let styles: [String: PageStyle] = [
    "whole": .whole, "number": .number(), "number2": .number(size: 2), "offset": .offset(),
    "offset2": .offset(size: 2), "cursor": .cursor(), "link": .link(),
  ]

  static func check(_ input: FuzzInput) throws {
    let parts = Self.parts(of: input.bytes)
    let words = parts.head.first.map { $0.split(separator: " ", maxSplits: 1) } ?? []
    guard words.count == 2, let style = styles[String(words[0])],
      let page = PageToken(String(words[1]))
    else { return }
    require(PageToken(page.description) == page, "a token is read differently: \(page)")
    var answer = PageResponse(body: parts.body)
    for line in parts.head.dropFirst() {
      let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard field.count == 2 else { continue }
      if field[0] == "Status" { answer.status = Int(field[1].drop { $0 == " " }) ?? 200 }
      answer.headers.append(String(field[0]), String(field[1].drop { $0 == " " }))
    }
    if let wait = RetryAfter.duration(in: answer.headers) {
      require(wait >= .zero, "a service asks to be asked in the past")
    }
    guard let loaded = try load(page, style, answer) else { return }
    require((200..<300).contains(answer.status), "status \(answer.status) is taken for success")
    requireItems(loaded, in: answer.body)
    requireNext(loaded, after: page, style)
    var items = loaded.items
    if input.isControl { items.reverse() }
    answer.body = Array(try JSONEncoder().encode(["songs": items]))
    let again = try load(page, .whole, answer)
    require(again?.items == loaded.items, "items change on their way through JSON")
  }

  private static func parts(of bytes: [UInt8]) -> (head: [Substring], body: [UInt8]) {
    let end = bytes.indices.first { bytes[$0...].starts(with: "\n\n".utf8) } ?? bytes.count
    let head = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n")
    return (head, Array(bytes[min(end + 2, bytes.count)...]))
  }

  private static func requireItems(_ loaded: Page, in body: [UInt8]) {
    // Foundation's decoder takes what its other reader refuses, where nobody asks for it.
    guard let read = try? JSONSerialization.jsonObject(with: Data(body)) else { return }
    let object = read as? [String: Any]
    let songs = object?["songs"] as? [Any]
    require(songs?.count == loaded.items.count, "other items than those of the body")
  }

  private static func requireNext(_ loaded: Page, after page: PageToken, _ style: PageStyle) {
    guard let next = loaded.nextPage else { return }
    require(PageToken(next.description) == next, "a token is read differently: \(next)")
    if let before = page.number, let number = next.number {
      require(number > before, "page \(number) follows page \(before)")
    }
    if let before = page.offset, let offset = next.offset {
      require(offset == before + loaded.items.count, "offset \(offset) follows \(before)")
    }
    require(style.request(for: next).bodySizeLimit > 0, "a page that cannot be asked for")
  }

  /// Loads a page, and waits for it.
  private static func load(
    _ page: PageToken, _ style: PageStyle, _ answer: PageResponse
  ) throws -> Page? {
    let service = RemoteService(
      transport: Canned(answer: answer),
      parser: JSONPageParser<Song>(
        items: ["songs"], nextCursor: style == .cursor() ? ["paging", "next"] : nil,
        total: ["paging", "total"]), style: style)
    let box = ResultBox()
    Task { await box.run { try await service.loadPage(page) } }
    return try attempt(RemoteError.self) { try box.wait()?.get() } ?? nil
  }

  /// The result of a task, for a thread that waits for it.
  private final class ResultBox: Sendable {
    private let stored = Mutex<Result<Page, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    func wait() -> Result<Page, any Error>? {
      done.wait()
      return stored.withLock { $0 }
    }

    func run(_ body: () async throws -> Page) async {
      do {
        let page = try await body()
        stored.withLock { $0 = .success(page) }
      } catch {
        stored.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
  }
}
