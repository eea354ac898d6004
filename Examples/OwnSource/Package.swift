// swift-tools-version: 6.1

import PackageDescription

// A package that uses Sectile as yours would: it sees what is public, and nothing else.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "OwnSource",
  products: [.library(name: "OwnSource", targets: ["OwnSource"])],
  dependencies: [.package(name: "Sectile", path: "../..", traits: [])],
  targets: [
    .target(
      name: "OwnSource", dependencies: [.product(name: "Sectile", package: "Sectile")],
      swiftSettings: strict),
    .testTarget(
      name: "OwnSourceTests",
      dependencies: ["OwnSource", .product(name: "SectileTestSupport", package: "Sectile")],
      swiftSettings: strict),
  ]
)
