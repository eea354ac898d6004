// swift-tools-version: 6.1

import PackageDescription

// A package of its own, so that users of Sectile never see it. The library's targets are here by
// links to its sources, not as a dependency: so they, and nothing else, are instrumented for
// coverage, and what is internal to their package is open to the properties.

/// Counts which branches an input takes, and what is compared with what.
let instrumented: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
]

let package = Package(
  name: "SectileFuzzing",
  products: [.executable(name: "sectile-fuzz", targets: ["SectileFuzz"])],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
  ],
  targets: [
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CCSV", linkerSettings: [.linkedLibrary("csv")]),
    .target(name: "CEditLine", linkerSettings: [.linkedLibrary("edit")]),
    .target(
      name: "CScreen",
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .systemLibrary(name: "CDecoding", providers: [.apt(["zlib1g-dev", "libzstd-dev"])]),
    .systemLibrary(name: "CYAJL", providers: [.apt(["libyajl-dev"])]),
    .target(name: "CThread"),
    .target(name: "SectileCore", dependencies: ["CThread"], swiftSettings: instrumented),
    .target(
      name: "SectileStore",
      dependencies: [
        "CSQLite", "SectileCore",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      resources: [.embedInCode("../../Migrations/V0001_create_ledger.sql")],
      swiftSettings: instrumented,
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    .target(
      name: "SectileDataSources",
      dependencies: [
        "SectileCore", .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      swiftSettings: instrumented),
    .target(
      name: "SectilePresenting",
      dependencies: [
        "SectileCore", "SectileDataSources",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      swiftSettings: instrumented),
    .target(
      name: "SectileRemote",
      dependencies: ["SectileCore", "SectileDataSources", "SectileStore"],
      resources: [.embedInCode("../../Migrations/V0002_create_remote_list.sql")],
      swiftSettings: instrumented),
    .target(
      name: "Sectile", dependencies: ["SectileCore", "SectileStore", "SectileDataSources"],
      swiftSettings: instrumented),
    .target(
      name: "SectileInspecting", dependencies: ["Sectile", "SectilePresenting"],
      swiftSettings: instrumented),
    .target(
      name: "SectileCLI",
      dependencies: [
        "CCSV", "CDecoding", "CEditLine", "CScreen", "CYAJL", "Sectile", "SectileInspecting",
        "SectilePresenting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["main.swift"],
      swiftSettings: instrumented),
    .executableTarget(
      name: "SectileFuzz",
      dependencies: [
        "Sectile", "SectileCLI", "SectileCore", "SectileDataSources", "SectileInspecting",
        "SectileRemote", "SectileStore",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: instrumented,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ]
)
