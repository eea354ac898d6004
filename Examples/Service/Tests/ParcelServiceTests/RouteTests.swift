import Foundation
import NIOHTTP1
import ParcelClient
import ParcelService
import Sectile
import Testing

@Suite(.timeLimit(.minutes(60))) struct RouteTests {
  @Test func parcelIsWrittenReadAndDeleted() async throws {
    let files = try await withService { server, _ in
      let put = try await server.answer(.PUT, "/parcels/7", Self.parcel("Ada"))
      #expect(put.status == 204)
      let fresh = try await server.answer(.GET, "/parcels")
      let contents = try JSONDecoder().decode(
        SectionedContents<Int64, Parcel>.self, from: Data(fresh.bytes))
      #expect(contents.description == "waiting:[#7]")
      #expect(contents.sections[0].rows[0].item.recipient == "Ada")
      #expect(try await server.answer(.DELETE, "/parcels/7").status == 204)
      #expect(try await server.answer(.DELETE, "/parcels/7").status == 404)
      #expect(try await server.answer(.GET, "/packages/7").status == 404)
    }
    #expect(files == ["parcels.sqlite"])
  }

  @Test(arguments: [
    ("/parcels/seven", #"{"status":"waiting","recipient":"Ada","weight":1}"#, 400, "noNumber"),
    ("/parcels/7", #"{"status":"waiting"}"#, 400, "unreadable"),
    ("/parcels/7", #"{"status":"waiting","recipient":"Ada","weight":0}"#, 422, "unsuitable"),
  ])
  func refusalIsJSONWithoutWhatWasSent(
    path: String, body: String, status: Int, code: String
  ) async throws {
    _ = try await withService { server, _ in
      let answer = try await server.answer(.PUT, path, Array(body.utf8))
      let text = String(decoding: answer.bytes, as: UTF8.self)
      #expect(answer.status == status)
      #expect(text.contains(#""code":"\#(code)""#))
      #expect(!text.contains("Ada"))
    }
  }

  @Test func healthAndMetricsSayWhatTheStoreDoes() async throws {
    _ = try await withService { server, _ in
      let health = try await server.answer(.GET, "/health")
      // Where the disk is nearly full it is degraded, and answers all the same.
      #expect(health.status == 200)
      let status = String(decoding: health.bytes, as: UTF8.self)
      #expect(status == #"{"status":"ok"}"# || status.contains(#""code":"diskNearlyFull""#))
      _ = try await server.answer(.PUT, "/parcels/7", Self.parcel("Ada"))
      let metrics = try await server.answer(.GET, "/metrics")
      let lines = String(decoding: metrics.bytes, as: UTF8.self).split(separator: "\n")
      #expect(lines.contains("# TYPE sectile_commits_total counter"))
      #expect(lines.contains("sectile_commits_total 1"))
      #expect(lines.contains("parcels_open_streams 0"))
    }
  }

  static func parcel(_ recipient: String) -> [UInt8] {
    Array(#"{"status":"waiting","recipient":"\#(recipient)","weight":1}"#.utf8)
  }
}
