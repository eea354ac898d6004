#if Server
  import Foundation
  import Sectile
  import SectileServer
  import Testing

  @testable import SectileServer

  /// `Documentation/serve-openapi.json` says what the server does, and nothing else.
  @Suite(.timeLimit(.minutes(60))) struct OpenAPITests {
    private typealias Object = [String: Any]

    private static func document() throws -> Object {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      let data = try Data(
        contentsOf: root.appendingPathComponent("Documentation/serve-openapi.json"))
      return try #require(try JSONSerialization.jsonObject(with: data) as? Object)
    }

    private static func path(of route: LiveRoute) -> String {
      "/api/" + route.path.replacing(":stream", with: "{stream}")
    }

    /// What a path's operation says.
    private static func operation(_ path: String, _ document: Object) throws -> Object {
      let paths = try #require(document["paths"] as? [String: Object])
      let entry = try #require(paths[path], "\(path) is not described")
      #expect(Set(entry.keys) == ["get"])
      return try #require(entry["get"] as? Object)
    }

    private static func parameters(_ operation: Object, _ document: Object) throws -> [Object] {
      let named = (document["components"] as? Object)?["parameters"] as? [String: Object] ?? [:]
      return try (operation["parameters"] as? [Object] ?? []).map { parameter in
        guard let reference = parameter["$ref"] as? String else { return parameter }
        let name = reference.split(separator: "/").last.map(String.init) ?? ""
        return try #require(named[name])
      }
    }

    @Test func pathsAndParametersAreThoseOfTheRoutes() throws {
      let document = try Self.document()
      let paths = try #require(document["paths"] as? Object)
      #expect(Set(paths.keys) == Set(LiveRoute.allCases.map(Self.path) + ["/"]))
      for route in LiveRoute.allCases {
        let parameters = try Self.parameters(
          try Self.operation(Self.path(of: route), document), document)
        let query = parameters.filter { $0["in"] as? String == "query" }
        let names = query.compactMap { $0["name"] as? String }
        #expect(names.count == Set(names).count)
        #expect(Set(names) == Set(route.parameters), "\(route)")
        let inPath = parameters.filter { $0["in"] as? String == "path" }
        #expect(inPath.count == (route.path.contains(":") ? 1 : 0), "\(route)")
      }
    }

    @Test func codesAreThoseOfRefusals() throws {
      let document = try Self.document()
      let schemas = (document["components"] as? Object)?["schemas"] as? [String: Object] ?? [:]
      let properties = schemas["Error"]?["properties"] as? [String: Object] ?? [:]
      let codes = properties["code"]?["enum"] as? [String] ?? []
      #expect(Set(codes) == Set(Refusal.Code.allCases.map(\.rawValue)))
      #expect(codes.count == Refusal.Code.allCases.count)
    }

    /// What each path answers, on a server whose limits are low.
    private static func provocations(_ route: LiveRoute, _ stream: String) -> [String] {
      let path = path(of: route).replacing("{stream}", with: stream)
      let endless =
        "(WITH+RECURSIVE+c(x)+AS+(SELECT+1+UNION+ALL+SELECT+x%2B1+FROM+c)+SELECT+count(*)+FROM+c)"
      var own = [path + "?nonsense=1"]
      switch route {
      case .rows: own += [path + "?table=package&version=77"]
      case .cell:
        own += [
          path + "?table=package&at=0&column=name",
          path + "?table=package&version=77&at=0&column=name",
          path + "?table=large&at=0&column=data", path + "?table=package&at=99&column=name",
        ]
      case .open: own += [path + "?as=a&table=package"]
      case .close: own += [path + "?as=a", path + "?as=a"]
      case .export: own += [path, path + "?table=large"]
      case .log: own += [path]
      case .labels, .references:
        own += ["package", "nope", "package&column=nope"].map { path + "?keys=[[1]]&table=\($0)" }
      case .facets:
        own += ["package", "nope", "package&where=nope"].map {
          path + "?column=name&table=\($0)"
        }
      default: own += [path]
      }
      guard route.takesRequest else { return own }
      let rest = route == .cell ? "&at=0&column=name" : route == .open ? "&as=z" : ""
      return own + [
        path + "?table=package\(rest)", path + "?table=nope\(rest)",
        path + "?table=package&where=nope\(rest)",
        path + "?table=package&where=\(endless)\(rest)",
      ]
    }

    private static func described(_ path: String, _ document: Object) throws -> Set<Int> {
      let responses = try operation(path, document)["responses"] as? Object ?? [:]
      return Set(responses.keys.compactMap { Int($0) })
    }

    @Test func statusesAreThoseOfAnswers() async throws {
      let document = try Self.document()
      let schema =
        RunningServer.packages(12) + [
          "CREATE TABLE large (id INTEGER PRIMARY KEY, data BLOB)",
          "INSERT INTO large VALUES (1, zeroblob(70000))",
        ]
      try await withServer(schema) {
        // What has an end has to come to it also on a busy machine.
        $0.queryTime = .seconds(2)
        $0.views = 8
        $0.streams = 3
        $0.cellBytes = 50_000
      } _: { server async throws in
        let cookie = try await server.cookie()
        try await EventStreamTests.withStream(server, cookie, "/api/events") { _, stream in
          var seen: [LiveRoute: Set<Int>] = [:]
          for route in LiveRoute.allCases {
            let plain = Self.path(of: route).replacing("{stream}", with: stream)
            for target in Self.provocations(route, stream) {
              seen[route, default: []].insert(try await Self.status(server, target, cookie))
            }
            seen[route, default: []].formUnion(try await Self.gateStatuses(server, plain))
          }
          try server.writer.changeLog.enable()
          seen[.log, default: []].insert(try await Self.status(server, "/api/log", cookie))
          try await Self.fillUp(server, stream, cookie, &seen)
          for route in LiveRoute.allCases {
            // Where a mistake of the server's, or somebody's lock, would come from.
            var unprovoked: Set =
              route.takesRequest && route != .explain ? [500] : [500, 503]
            // Exports have a limit of their own; see `ExportClientTests`.
            if route == .export { unprovoked.insert(429) }
            let described = try Self.described(Self.path(of: route), document)
            let found = seen[route] ?? []
            #expect(found.subtracting(described).isEmpty, "\(route) answers what is not described")
            #expect(
              described.subtracting(found).subtracting(unprovoked).isEmpty,
              "\(route) is described with what it does not answer")
            #expect(described.contains(500))
          }
        }
      }
    }

    /// Asks, and closes the connection: a stream that is opened goes at once.
    private static func status(
      _ server: RunningServer, _ target: String, _ cookie: String
    ) async throws -> Int {
      try await RawConnection.with(port: server.port) { connection in
        let head =
          "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nCookie: \(cookie)\r\n\r\n"
        try await connection.write(Array(head.utf8))
        return try await connection.head().status
      }
    }

    /// What the gate answers, whatever the path is.
    private static func gateStatuses(_ server: RunningServer, _ path: String) async throws -> [Int]
    {
      let host = "127.0.0.1:\(server.port)"
      var statuses: [Int] = []
      for request in [
        "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n",
        "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://x\r\n\r\n",
        "PUT \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n",
        "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET \(path)?q=\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\nHost: \(host)\r\n\r\n",
      ] {
        statuses.append(try await server.send(request).status)
      }
      return statuses
    }

    /// What is answered when there are as many views and streams as there may be.
    private static func fillUp(
      _ server: RunningServer, _ stream: String, _ cookie: String,
      _ seen: inout [LiveRoute: Set<Int>]
    ) async throws {
      for limit in 1...8 {
        _ = try await server.get(
          "/api/events/\(stream)/open?as=v\(limit)&table=package&limit=\(limit)", cookie: cookie)
      }
      for route in [LiveRoute.sections, .rows, .cell, .events, .open] {
        let rest = route == .cell ? "&at=0&column=name" : route == .open ? "&as=z" : ""
        let path = path(of: route).replacing("{stream}", with: stream)
        let status = try await status(server, "\(path)?table=package&limit=99\(rest)", cookie)
        seen[route, default: []].insert(status)
      }
    }
  }
#endif
