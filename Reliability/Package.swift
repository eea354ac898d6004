// swift-tools-version: 6.1

import PackageDescription

// A package of its own, so that users of Sectile never resolve or build a campaign. Without the
// trait `Macros` nothing here needs swift-syntax; the entity is written by hand.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "SectileReliability",
  products: [.executable(name: "sectile-reliability", targets: ["SectileReliability"])],
  dependencies: [
    .package(name: "Sectile", path: "..", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(name: "CFaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "SectileReliability",
      dependencies: [
        "CFaultVFS",
        .product(name: "Sectile", package: "Sectile"),
        .product(name: "SectileRemote", package: "Sectile"),
        .product(name: "SectileTestSupport", package: "Sectile"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
  ]
)
