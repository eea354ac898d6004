// swift-tools-version: 6.1

import PackageDescription

// A package of its own, so that users of Sectile never resolve or build a benchmark. Without the
// trait `Macros` nothing here needs swift-syntax; the entity is written by hand. `SectileGuard` and
// `SectileGrowth` are targets of Sectile's own package, where they share the build of its tests.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "SectileBenchmarks",
  products: [
    .executable(name: "sectile-bench", targets: ["SectileBench"])
  ],
  dependencies: [
    .package(name: "Sectile", path: "..", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "CBaseline", cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "GRDBBaseline", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),
    .executableTarget(
      name: "SectileBench",
      dependencies: [
        "CBaseline", "GRDBBaseline",
        .product(name: "Sectile", package: "Sectile"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
  ]
)
