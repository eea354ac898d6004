// swift-tools-version: 6.1

import CompilerPluginSupport
import PackageDescription

/// In `.ci/run` a warning in one of this package's own targets is an error.
///
/// A manifest that always said so could not be depended on.
let checked: [SwiftSetting] =
  Context.environment["SECTILE_WARNINGS_AS_ERRORS"] == "1"
  ? [.unsafeFlags(["-warnings-as-errors"])] : []

/// Settings of every Swift target: the strict dialect that `.ci/run` also checks.
let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + checked

/// Settings of the modules of the engine.
///
/// `.ci/run` tests their optimized code, with its assertions, beside everything else as it is built
/// for debugging.
let engine: [SwiftSetting] =
  strict
  + (Context.environment["SECTILE_OPTIMIZES_ENGINE"] == "1"
    ? [
      .unsafeFlags(
        ["-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug"],
        .when(configuration: .debug))
    ] : [])

/// Tests see more of what they import; otherwise the dialect is the same.
let strictTests: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")] + checked

/// The files of the page of `sectile serve`, which are part of the program; `PageFile+All.swift`
/// names them, too.
let pageFiles = [
  "announce.js", "chart.js", "chartdraw.js", "columnmenu.js", "columns.js", "completion.js",
  "conditions.js", "copy.js", "diagram.js", "diagramdraw.js", "dom.js", "drag.js", "example.html",
  "example.js", "explain.js", "facets.js", "folds.js", "foreignkeys.js", "formats.js",
  "geometry.js", "heads.js", "help.js", "hints.js", "history.js", "icon.svg", "index.html",
  "inspector.js", "kept.js", "keyboard.js", "labels.js", "layering.js", "looks.js", "menu.js",
  "motion.js", "page.js", "palette.js", "panels.js", "placing.js", "query.js", "row.js", "rows.js",
  "rowtext.js", "schema.js", "scroll.js", "sectile.d.ts", "sectile.js", "sqlwords.js", "state.js",
  "stats.js", "style.css", "svg.js", "table.js", "tables.js", "theme.js", "toolbar.js", "tree.js",
  "values.js", "widths.js",
]

let package = Package(
  name: "Sectile",
  products: [
    .library(
      name: "Sectile",
      targets: ["Sectile", "SectileCore", "SectileStore", "SectileDataSources"]),
    .library(name: "SectilePresenting", targets: ["SectilePresenting"]),
    .library(name: "SectileFeed", targets: ["SectileFeed"]),
    .library(name: "SectileFeedClient", targets: ["SectileFeedClient"]),
    .library(name: "SectileHub", targets: ["SectileHub"]),
    .library(name: "SectilePostgres", targets: ["SectilePostgres"]),
    .library(name: "SectileNATS", targets: ["SectileNATS"]),
    .library(name: "SectileRemote", targets: ["SectileRemote"]),
    .library(name: "SectileHTTP", targets: ["SectileHTTP"]),
    .library(name: "SectileServer", targets: ["SectileServer"]),
    .library(name: "SectileService", targets: ["SectileService"]),
    .library(name: "SectileTestSupport", targets: ["SectileTestSupport"]),
    .executable(name: "sectile", targets: ["SectileCLI"]),
  ],
  traits: [
    .trait(name: "Macros", description: "The @Entity macro; building it needs swift-syntax."),
    .trait(name: "HTTP", description: "The HTTP transport; building it needs AsyncHTTPClient."),
    .trait(
      name: "Service",
      description:
        "Logs, metrics, traces and the lifecycle of a service; building it needs swift-log, "
        + "swift-metrics, swift-distributed-tracing and swift-service-lifecycle."),
    .trait(
      name: "Server",
      description:
        "Live lists over HTTP: `sectile serve`, and routes for services; building it needs Hummingbird."
    ),
    .trait(
      name: "Postgres",
      description: "Replicas that follow PostgreSQL, and `sectile hub`; building it needs libpq."),
    .trait(
      name: "NATS",
      description:
        "A relay between a hub and many machines, by NATS JetStream; building it needs libnats."),
    .default(enabledTraits: ["Macros"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    // None of these is fetched unless the trait HTTP is on.
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
    // None of these is fetched unless the trait Server is on.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.0.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    // None of these is fetched unless the trait Service is on.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
  ],
  targets: [
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CCSV", linkerSettings: [.linkedLibrary("csv")]),
    .systemLibrary(name: "CDecoding", providers: [.apt(["zlib1g-dev", "libzstd-dev"])]),
    .systemLibrary(name: "CYAJL", providers: [.apt(["libyajl-dev"])]),
    .target(name: "CEditLine", linkerSettings: [.linkedLibrary("edit")]),
    .target(
      name: "CScreen",
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .target(name: "CThread"),
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CNats", providers: [.apt(["libnats-dev"])]),
    .target(name: "SectileCore", dependencies: ["CThread"], swiftSettings: engine),
    .target(
      name: "SectileStore",
      dependencies: [
        "CSQLite", "SectileCore",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      resources: [.embedInCode("../../Migrations/V0001_create_ledger.sql")],
      swiftSettings: engine,
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    .target(
      name: "SectileDataSources",
      dependencies: [
        "SectileCore", .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      swiftSettings: engine),
    .target(
      name: "SectilePresenting",
      dependencies: [
        "SectileCore", "SectileDataSources",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      swiftSettings: strict),
    .target(name: "SectileFeed", dependencies: ["SectileCore"], swiftSettings: engine),
    .target(name: "SectileFeedClient", dependencies: ["SectileCore"], swiftSettings: engine),
    .target(
      name: "SectileHub", dependencies: ["SectileCore", "SectileStore"], swiftSettings: engine),
    .target(
      name: "SectilePostgres",
      dependencies: [
        .target(name: "CPostgres", condition: .when(traits: ["Postgres"])),
        .target(name: "SectileHub", condition: .when(traits: ["Postgres"])),
      ],
      swiftSettings: strict),
    .target(
      name: "SectileNATS",
      dependencies: [
        .target(name: "CNats", condition: .when(traits: ["NATS"])),
        .target(name: "SectileCore", condition: .when(traits: ["NATS"])),
        .target(name: "SectileHub", condition: .when(traits: ["NATS"])),
        .target(name: "SectileStore", condition: .when(traits: ["NATS"])),
      ],
      swiftSettings: strict),
    .target(
      name: "SectileRemote",
      dependencies: ["SectileCore", "SectileDataSources", "SectileStore"],
      resources: [.embedInCode("../../Migrations/V0002_create_remote_list.sql")],
      swiftSettings: strict),
    .target(
      name: "SectileHTTP",
      dependencies: [
        .target(name: "SectileFeedClient", condition: .when(traits: ["HTTP"])),
        .target(name: "SectileRemote", condition: .when(traits: ["HTTP"])),
        .product(
          name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(
          name: "NIOHTTPCompression", package: "swift-nio-extras",
          condition: .when(traits: ["HTTP"])),
      ],
      swiftSettings: strict),
    .target(
      name: "SectileService",
      dependencies: [
        .target(name: "SectileCore", condition: .when(traits: ["Service"])),
        .target(name: "SectileFeed", condition: .when(traits: ["Service"])),
        .target(name: "SectileHub", condition: .when(traits: ["Service"])),
        .target(name: "SectileStore", condition: .when(traits: ["Service"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Service"])),
        .product(
          name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Service"])),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Service"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["Service"])),
      ],
      swiftSettings: strict),
    .target(
      name: "SectileServer",
      dependencies: [
        .target(name: "Sectile", condition: .when(traits: ["Server"])),
        .target(name: "SectileFeed", condition: .when(traits: ["Server"])),
        .target(name: "SectileInspecting", condition: .when(traits: ["Server"])),
        .product(
          name: "AsyncAlgorithms", package: "swift-async-algorithms",
          condition: .when(traits: ["Server"])),
        .product(
          name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Server"])),
        .product(
          name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(
          name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(
          name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["Server"])),
        .product(
          name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras",
          condition: .when(traits: ["Server"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["Server"])),
      ],
      resources: pageFiles.map { .embedInCode("Page/\($0)") },
      swiftSettings: strict),
    // A library of its own, because a test target that depends on a macro makes SwiftPM build all
    // tests, and everything they test, a second time for the host.
    .target(
      name: "SectileMacroExpansion",
      dependencies: [
        .product(
          name: "SwiftSyntaxMacros", package: "swift-syntax", condition: .when(traits: ["Macros"]))
      ],
      swiftSettings: strict),
    .macro(
      name: "SectileMacros",
      dependencies: [
        .target(name: "SectileMacroExpansion", condition: .when(traits: ["Macros"])),
        .product(
          name: "SwiftSyntaxMacros", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(
          name: "SwiftCompilerPlugin", package: "swift-syntax",
          condition: .when(traits: ["Macros"])),
      ],
      swiftSettings: strict),
    .target(
      name: "Sectile",
      dependencies: [
        "SectileCore", "SectileStore", "SectileDataSources",
        .target(name: "SectileMacros", condition: .when(traits: ["Macros"])),
      ],
      swiftSettings: strict),
    .target(
      name: "SectileTestSupport",
      dependencies: ["SectileCore", "SectileHub", "SectilePresenting", "SectileStore"],
      swiftSettings: strict),
    // No product: what the command line tool shares with whatever else inspects files.
    .target(
      name: "SectileInspecting", dependencies: ["Sectile", "SectilePresenting"],
      swiftSettings: strict),
    .executableTarget(
      name: "SectileCLI",
      dependencies: [
        "CCSV", "CDecoding", "CEditLine", "CScreen", "CYAJL", "Sectile", "SectileInspecting",
        "SectilePresenting",
        .target(name: "SectileHub", condition: .when(traits: ["Postgres"])),
        .target(name: "SectileNATS", condition: .when(traits: ["NATS"])),
        .target(name: "SectilePostgres", condition: .when(traits: ["Postgres"])),
        .target(name: "SectileServer", condition: .when(traits: ["Server"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    // For continuous integration: what `scripts/guard` and `scripts/growth` run, from the build of
    // the tests in release. No products, so nobody who depends on this package builds them.
    .executableTarget(
      name: "SectileGuard", dependencies: ["Sectile"], path: "Benchmarks/Sources/SectileGuard",
      swiftSettings: strict),
    .executableTarget(
      name: "SectileGrowth",
      dependencies: [
        "Sectile", "SectileFeed", "SectilePresenting", "SectileRemote",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/Sources/SectileGrowth", swiftSettings: strict),
    // What `scripts/hub-figures` runs.
    .executableTarget(
      name: "SectileHubFigures",
      dependencies: [
        .target(name: "Sectile", condition: .when(traits: ["Postgres"])),
        .target(name: "SectileHub", condition: .when(traits: ["Postgres"])),
        .target(name: "SectilePostgres", condition: .when(traits: ["Postgres"])),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Postgres"])),
      ],
      path: "Benchmarks/Sources/SectileHubFigures", swiftSettings: strict),
    .executableTarget(
      name: "LiveList",
      dependencies: [
        .target(name: "Sectile", condition: .when(traits: ["HTTP"])),
        .target(name: "SectilePresenting", condition: .when(traits: ["HTTP"])),
        .target(name: "SectileRemote", condition: .when(traits: ["HTTP"])),
        .target(name: "SectileHTTP", condition: .when(traits: ["HTTP"])),
        .product(
          name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
      ],
      path: "Examples/LiveList", swiftSettings: strictTests),
    // What `scripts/fleet` drives.
    .executableTarget(
      name: "Fleet",
      dependencies: [
        .target(name: "Sectile", condition: .when(traits: ["Server"])),
        .target(name: "SectileServer", condition: .when(traits: ["Server"])),
        .target(name: "SectileHub", condition: .when(traits: ["Postgres"])),
        .target(name: "SectilePostgres", condition: .when(traits: ["Postgres"])),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Server"])),
        .product(
          name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["Server"])),
      ],
      path: "Examples/Fleet",
      resources: [
        .embedInCode("fleet.html"), .embedInCode("fleet.js"),
        .embedInCode("../../Sources/SectileServer/Page/sectile.js"),
      ],
      swiftSettings: strictTests),
    // What the tests of several modules share, and users' tests have no need of.
    .target(
      name: "SectileTestHelpers", path: "Tests/SectileTestHelpers", swiftSettings: strictTests),
    .testTarget(
      name: "SectileCoreTests", dependencies: ["SectileCore", "SectileTestSupport"],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileStoreTests",
      dependencies: [
        "CSQLite", "SectileStore", "SectileTestHelpers", "SectileTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      resources: [.copy("Fixtures")], swiftSettings: strictTests),
    .testTarget(
      name: "SectileDataSourcesTests",
      dependencies: [
        "SectileCore", "SectileDataSources", "SectileTestHelpers", "SectileTestSupport",
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectilePresentingTests",
      dependencies: [
        "SectileCore", "SectileDataSources", "SectilePresenting", "SectileRemote",
        "SectileTestHelpers", "SectileTestSupport",
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileFeedTests",
      dependencies: [
        "SectileCore", "SectileDataSources", "SectileFeed", "SectileStore", "SectileTestHelpers",
        "SectileTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileFeedClientTests",
      dependencies: [
        "SectileCore", "SectileDataSources", "SectileFeed", "SectileFeedClient",
        "SectileTestHelpers", "SectileTestSupport",
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileHubTests",
      dependencies: [
        "SectileCore", "SectileHub", "SectileStore", "SectileTestHelpers", "SectileTestSupport",
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectilePostgresTests",
      dependencies: [
        .target(name: "SectileHub", condition: .when(traits: ["Postgres"])),
        .target(name: "SectilePostgres", condition: .when(traits: ["Postgres"])),
        .target(name: "SectileStore", condition: .when(traits: ["Postgres"])),
        .target(name: "SectileTestHelpers", condition: .when(traits: ["Postgres"])),
        .target(name: "SectileTestSupport", condition: .when(traits: ["Postgres"])),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileNATSTests",
      dependencies: [
        .target(name: "SectileCore", condition: .when(traits: ["NATS"])),
        .target(name: "SectileHub", condition: .when(traits: ["NATS"])),
        .target(name: "SectileNATS", condition: .when(traits: ["NATS"])),
        .target(name: "SectileStore", condition: .when(traits: ["NATS"])),
        .target(name: "SectileTestHelpers", condition: .when(traits: ["NATS"])),
        .target(name: "SectileTestSupport", condition: .when(traits: ["NATS"])),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileRemoteTests",
      dependencies: [
        "SectileCore", "SectileDataSources", "SectileRemote", "SectileStore", "SectileTestHelpers",
        "SectileTestSupport",
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileHTTPTests",
      dependencies: [
        .target(name: "SectileFeedClient", condition: .when(traits: ["HTTP"])),
        .target(name: "SectileHTTP", condition: .when(traits: ["HTTP"])),
        .target(name: "SectileRemote", condition: .when(traits: ["HTTP"])),
        .target(name: "SectileTestSupport", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["HTTP"])),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileServerTests",
      dependencies: [
        .target(name: "Sectile", condition: .when(traits: ["Server"])),
        .target(name: "SectileFeed", condition: .when(traits: ["Server"])),
        .target(name: "SectileInspecting", condition: .when(traits: ["Server"])),
        .target(name: "SectileServer", condition: .when(traits: ["Server"])),
        .target(name: "SectileTestHelpers", condition: .when(traits: ["Server"])),
        .target(name: "SectileTestSupport", condition: .when(traits: ["Server"])),
        .product(
          name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["Server"])),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileServiceTests",
      dependencies: [
        .target(name: "SectileCore", condition: .when(traits: ["Service"])),
        .target(name: "SectileFeed", condition: .when(traits: ["Service"])),
        .target(name: "SectileHub", condition: .when(traits: ["Service"])),
        .target(name: "SectileService", condition: .when(traits: ["Service"])),
        .target(name: "SectileStore", condition: .when(traits: ["Service"])),
        .target(name: "SectileTestHelpers", condition: .when(traits: ["Service"])),
        .target(name: "SectileTestSupport", condition: .when(traits: ["Service"])),
        .product(
          name: "InMemoryLogging", package: "swift-log", condition: .when(traits: ["Service"])),
        .product(
          name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Service"])),
        .product(
          name: "InMemoryTracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Service"])),
        .product(
          name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
          condition: .when(traits: ["Service"])),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileTestSupportTests",
      dependencies: ["SectileCore", "SectileDataSources", "SectileTestSupport"],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileMacroExpansionTests",
      dependencies: [
        .target(name: "SectileMacroExpansion", condition: .when(traits: ["Macros"])),
        .product(
          name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax",
          condition: .when(traits: ["Macros"])),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileTests",
      dependencies: [
        "Sectile", "SectilePresenting", "SectileRemote", "SectileTestHelpers", "SectileTestSupport",
      ],
      swiftSettings: strictTests),
    // What the articles quote; see its ArticleTests.
    .testTarget(
      name: "SectileDocumentationTests",
      dependencies: [
        "Sectile", "SectileFeed", "SectilePresenting", "SectileRemote", "SectileTestHelpers",
        "SectileTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileInspectingTests", dependencies: ["Sectile", "SectileInspecting"],
      swiftSettings: strictTests),
    .testTarget(
      name: "SectileCLITests",
      dependencies: [
        "SectileCLI", "Sectile", "SectileInspecting", "SectilePresenting", "SectileTestHelpers",
        "SectileTestSupport",
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: strictTests),
  ]
)

// `scripts/test` builds what stands on Sectile from outside, too: examples, which are packages of
// their own for users, and the campaign. `packageAccess: false` shows them what is public alone.
if Context.environment["SECTILE_EXAMPLES"] == "1" {
  let (service, beside) = ("Examples/Service", "Examples/Beside")
  let fromFile = "Examples/FromFile"
  package.targets += [
    .target(
      name: "OwnSource", dependencies: ["Sectile"], path: "Examples/OwnSource/Sources/OwnSource",
      packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "OwnSourceTests", dependencies: ["OwnSource", "SectileTestSupport"],
      path: "Examples/OwnSource/Tests/OwnSourceTests", packageAccess: false, swiftSettings: strict),
    .target(
      name: "ParcelService",
      dependencies: [
        "Sectile", "SectileFeed", "SectileServer", "SectileService",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "\(service)/Sources/ParcelService", packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "parcels",
      dependencies: [
        "ParcelService",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "\(service)/Sources/parcels", packageAccess: false, swiftSettings: strict),
    .target(
      name: "ParcelClient",
      dependencies: [
        "ParcelService", "Sectile", "SectileFeedClient", "SectileHTTP",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      path: "\(service)/Sources/ParcelClient", packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "parcels-load",
      dependencies: [
        "ParcelClient", "ParcelService", "Sectile", "SectileFeedClient",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      path: "\(service)/Sources/parcels-load", packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "ParcelServiceTests",
      dependencies: [
        "ParcelClient", "ParcelService", "Sectile", "SectileFeedClient",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "\(service)/Tests/ParcelServiceTests", packageAccess: false, swiftSettings: strict),
    // What `scripts/new-service` copies.
    .target(
      name: "SampleService",
      dependencies: [
        "Sectile", "SectileFeed", "SectileServer", "SectileService",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "\(fromFile)/Sources/SampleService",
      resources: [
        .embedInCode("Page/index.html"), .embedInCode("Page/lists.js"),
        .embedInCode("../../../../Sources/SectileServer/Page/sectile.js"),
      ],
      packageAccess: false, swiftSettings: strict),
    .target(
      name: "SampleTables", dependencies: ["SampleService", "Sectile"],
      path: "\(fromFile)/Sources/SampleTables", packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "sample",
      dependencies: [
        "SampleService", "SampleTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "\(fromFile)/Sources/sample", packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "SampleServiceTests",
      dependencies: [
        "SampleService", "SampleTables", "Sectile", "SectileFeedClient", "SectileHTTP",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "\(fromFile)/Tests/SampleServiceTests", packageAccess: false, swiftSettings: strict),
    // What `scripts/feed-storm` drives.
    .executableTarget(
      name: "FeedStorm",
      dependencies: [
        "Sectile", "SectileFeed", "SectileFeedClient", "SectileHTTP", "SectileServer",
        "SectileService",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "Reliability/Sources/FeedStorm", packageAccess: false, swiftSettings: strictTests),
    .target(
      name: "JobService",
      dependencies: [
        "Sectile", "SectileFeed",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "\(beside)/Sources/JobService", packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "jobs", dependencies: ["JobService"], path: "\(beside)/Sources/jobs",
      packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "JobServiceTests",
      dependencies: [
        "JobService", "Sectile", "SectileFeedClient", "SectileHTTP",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      path: "\(beside)/Tests/JobServiceTests", packageAccess: false, swiftSettings: strict),
    .target(
      name: "CFaultVFS", path: "Reliability/Sources/CFaultVFS",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "SectileReliability",
      dependencies: [
        "CFaultVFS", "Sectile", "SectileRemote", "SectileTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Reliability/Sources/SectileReliability", packageAccess: false, swiftSettings: strict),
  ]
}

// Stages of `.ci/run` that need few tests build these, and no programs: the environment names them.
if let names = Context.environment["SECTILE_TEST_TARGETS"] {
  let wanted = names.split(separator: " ").map(String.init)
  package.targets.removeAll {
    $0.type == .executable || $0.type == .test && !wanted.contains($0.name)
  }
  package.products.removeAll { $0.name == "sectile" }
}
