// swift-tools-version: 6.2

import PackageDescription

// What `scripts/new-service` copies: a service of a SQLite file that exists.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "SampleService",
  products: [.executable(name: "sample", targets: ["sample"])],
  dependencies: [
    .package(name: "Sectile", path: "../..", traits: ["HTTP", "Server", "Service"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
  ],
  targets: [
    // Everything but the tables.
    .target(
      name: "SampleService",
      dependencies: [
        .product(name: "Sectile", package: "Sectile"),
        .product(name: "SectileFeed", package: "Sectile"),
        .product(name: "SectileServer", package: "Sectile"),
        .product(name: "SectileService", package: "Sectile"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      resources: [
        .embedInCode("Page/index.html"), .embedInCode("Page/lists.js"),
        .embedInCode("../../../../Sources/SectileServer/Page/sectile.js"),
      ],
      swiftSettings: strict),
    // A module of its own: tables may be called as anything of the service is.
    .target(
      name: "SampleTables",
      dependencies: ["SampleService", .product(name: "Sectile", package: "Sectile")],
      swiftSettings: strict),
    .executableTarget(
      name: "sample",
      dependencies: [
        "SampleService", "SampleTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SampleServiceTests",
      dependencies: [
        "SampleService", "SampleTables",
        .product(name: "Sectile", package: "Sectile"),
        .product(name: "SectileFeedClient", package: "Sectile"),
        .product(name: "SectileHTTP", package: "Sectile"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
  ]
)
