// swift-tools-version: 6.2

import PackageDescription

// A service as a team would begin it: copy the folder, and name Sectile by its address instead of
// its path.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "ParcelService",
  products: [
    .library(name: "ParcelService", targets: ["ParcelService"]),
    .executable(name: "parcels", targets: ["parcels"]),
    .executable(name: "parcels-load", targets: ["parcels-load"]),
  ],
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
    .target(
      name: "ParcelService",
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
      swiftSettings: strict),
    .executableTarget(
      name: "parcels",
      dependencies: [
        "ParcelService",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // What drives the service: clients that fold what they are told, as an app would.
    .target(
      name: "ParcelClient",
      dependencies: [
        "ParcelService",
        .product(name: "Sectile", package: "Sectile"),
        .product(name: "SectileFeedClient", package: "Sectile"),
        .product(name: "SectileHTTP", package: "Sectile"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "parcels-load",
      dependencies: [
        "ParcelClient", "ParcelService",
        .product(name: "Sectile", package: "Sectile"),
        .product(name: "SectileFeedClient", package: "Sectile"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ParcelServiceTests",
      dependencies: [
        "ParcelClient", "ParcelService",
        .product(name: "Sectile", package: "Sectile"),
        .product(name: "SectileFeedClient", package: "Sectile"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
  ]
)
