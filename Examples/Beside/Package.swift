// swift-tools-version: 6.1

import PackageDescription

// A server without a framework, which keeps tables of its own by another library: copy what you
// need, and name Sectile by its address instead of its path. The trait HTTP is for the test.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Beside",
  products: [.executable(name: "jobs", targets: ["jobs"])],
  dependencies: [
    .package(name: "Sectile", path: "../..", traits: ["HTTP"]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    .target(
      name: "JobService",
      dependencies: [
        .product(name: "Sectile", package: "Sectile"),
        .product(name: "SectileFeed", package: "Sectile"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .executableTarget(name: "jobs", dependencies: ["JobService"], swiftSettings: strict),
    .testTarget(
      name: "JobServiceTests",
      dependencies: [
        "JobService",
        .product(name: "Sectile", package: "Sectile"),
        .product(name: "SectileFeedClient", package: "Sectile"),
        .product(name: "SectileHTTP", package: "Sectile"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: strict),
  ]
)
