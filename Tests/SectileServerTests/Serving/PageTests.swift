#if Server
  import Foundation
  import SectileServer
  import Testing

  @testable import SectileServer

  /// The page's files, from memory.
  @Suite(.timeLimit(.minutes(60))) struct PageTests {
    private static var folder: URL {
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/SectileServer/Page")
    }

    @Test func allFilesOfTheFolderArePartOfTheProgram() throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      #expect(Set(PageFile.all.map(\.name)) == Set(names))
      for file in PageFile.all {
        let data = try Data(contentsOf: Self.folder.appendingPathComponent(file.name))
        #expect(file.bytes == Array(data), "\(file.name)")
      }
    }

    @Test func filesAreServedWithTheirTypes() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        for file in PageFile.all {
          let answer = try await server.get(file.path, cookie: cookie)
          #expect(answer.status == 200, "\(file.name)")
          #expect(answer.body == file.bytes, "\(file.name)")
          let type = answer.headers["content-type"]?.first ?? ""
          let expected: String =
            switch file.name.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "svg": "image/svg+xml"
            case "js": "text/javascript; charset=utf-8"
            default: "text/plain; charset=utf-8"
            }
          #expect(type == expected, "\(file.name)")
          let tag = try #require(answer.headers["etag"]?.first)
          let again = try await server.get(
            file.path, cookie: cookie, headers: ["If-None-Match: \(tag)"])
          #expect(again.status == 304, "\(file.name)")
          #expect(again.body.isEmpty)
          // Without a session there is none of it.
          #expect(try await server.get(file.path).status == 401, "\(file.name)")
        }
      }
    }

    /// A policy without `unsafe-…` allows nothing of it.
    @Test func pageHasNothingInline() throws {
      for file in PageFile.all where file.name.hasSuffix(".html") {
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(!text.contains("style="), "\(file.name)")
        #expect(!text.contains("<style"), "\(file.name)")
        #expect(!text.contains("javascript:"), "\(file.name)")
        #expect(text.firstMatch(of: /<script(?![^>]*\ssrc=)[^>]*>/) == nil, "\(file.name)")
        #expect(text.firstMatch(of: /\son[a-z]+\s*=/) == nil, "\(file.name)")
        #expect(text.firstMatch(of: /(src|href)="(https?:)?\/\//) == nil, "\(file.name)")
      }
    }
  }
#endif
