// swift-tools-version: 6.2

import PackageDescription

// For what others' types conform to: where a requirement inherits its caller's isolation, a class of
// the main actor that conforms without a word about it doesn't compile.
let engine: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
let strict = engine + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
  name: "OneWaySynchronizer",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "OneWaySynchronizer", targets: ["OneWaySynchronizer"]),
    .library(name: "SynchronizerTesting", targets: ["SynchronizerTesting"]),
    .library(name: "CatalogMirror", targets: ["CatalogMirror", "CatalogPublishing"]),
    .library(name: "RecordSync", targets: ["RecordSync"]),
    .library(name: "DocumentSync", targets: ["DocumentSync"]),
    .library(name: "DocumentEndpoints", targets: ["DocumentEndpoints"]),
    .library(name: "DocumentTesting", targets: ["DocumentTesting"]),
    .executable(name: "mirror", targets: ["mirror"]),
    .executable(name: "records", targets: ["records"]),
    .executable(name: "documents", targets: ["documents"]),
  ],
  targets: [
    // The only ways to the C library and to Foundation.
    .target(name: "SyncSystem", swiftSettings: strict),
    .target(name: "SyncEssentials", swiftSettings: strict),
    // The one lock type and the one for clocks; a target of its own so that the rooms below need not
    // import the engine.
    .target(name: "SyncLock", dependencies: ["SyncSystem"], swiftSettings: strict),
    // The engine, free of Foundation; and what apps show of it, with Foundation.
    .target(name: "SyncEngine", dependencies: ["SyncLock"], swiftSettings: engine),
    .target(
      name: "OneWaySynchronizer", dependencies: ["SyncEngine", "SyncLock"],
      swiftSettings: engine),
    .target(
      name: "SynchronizerTesting", dependencies: ["OneWaySynchronizer", "SyncLock"],
      swiftSettings: engine),

    .systemLibrary(
      name: "CSyncCurl",
      providers: [.apt(["libcurl4-openssl-dev", "zlib1g-dev"])]),
    .systemLibrary(
      name: "CSyncSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSyncCrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CSyncXML", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CSyncLZMA", providers: [.apt(["liblzma-dev"])]),
    .systemLibrary(name: "CSyncSystem"),

    // Apart from what the engine stands on, whose users needn't see a header of ours.
    .target(
      name: "SyncPrograms", dependencies: ["SyncFiles", "SyncSystem", "CSyncSystem"],
      swiftSettings: strict),
    .target(
      name: "SyncTransport",
      dependencies: ["SyncEssentials", "SyncSystem", "CSyncCurl", "SyncText", "SyncLock"],
      swiftSettings: strict),
    .target(
      name: "SyncDatabase", dependencies: ["SyncSystem", "CSyncSQLite", "SyncLock"],
      swiftSettings: strict),
    .target(
      name: "SyncText",
      dependencies: [
        "SyncEssentials", "SyncSystem",
        .target(name: "CSyncCrypto", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: strict),
    .target(
      name: "SyncFiles",
      dependencies: ["SyncEssentials", "SyncSystem", "SyncText", "CSyncSystem", "SyncLock"],
      swiftSettings: strict),
    .target(
      name: "SyncFolder", dependencies: ["SyncEssentials", "SyncFiles", "SyncText", "SyncLock"],
      swiftSettings: strict),
    .target(
      name: "SyncFetching",
      dependencies: ["SyncEssentials", "SyncTransport", "SyncFiles", "SyncText", "SyncLock"],
      swiftSettings: strict),
    .target(
      name: "CatalogMirror",
      dependencies: [
        "SyncEssentials", "SyncSystem",
        "SyncEngine", "SyncFetching", "SyncFolder", "SyncFiles", "SyncTransport",
        "SyncDatabase", "SyncText", "SyncLock", "SyncPrograms", "CSyncXML",
        "CSyncSystem",
        .target(name: "CSyncLZMA", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: strict),
    // Catalogs of folders, and what a source is worth: for who publishes, and for who picks.
    .target(
      name: "CatalogPublishing",
      dependencies: [
        "CatalogMirror", "SyncEssentials", "SyncSystem", "SyncFetching", "SyncFolder", "SyncFiles",
        "SyncTransport", "SyncText", "SyncLock",
      ],
      swiftSettings: strict),
    .target(
      name: "RecordSync",
      dependencies: [
        "SyncEssentials", "SyncSystem",
        "SyncEngine", "SyncFetching", "SyncTransport", "SyncDatabase", "SyncFiles", "SyncText",
        "SyncLock",
      ],
      swiftSettings: strict),

    .target(
      name: "DocumentSync",
      dependencies: [
        "SyncEssentials", "SyncSystem", "SyncEngine", "SyncDatabase", "SyncFiles", "SyncText",
        "SyncLock",
      ],
      swiftSettings: strict),
    // The servers that documents travel to, for whoever needs no other: over HTTP.
    .target(
      name: "DocumentEndpoints",
      dependencies: [
        "SyncEssentials", "DocumentSync", "SyncFetching", "SyncTransport", "SyncFiles", "SyncText",
      ],
      swiftSettings: strict),

    // A server for documents in memory, and what checks any endpoint; for the tests of its users.
    .target(
      name: "DocumentTesting", dependencies: ["DocumentSync", "SyncText", "SyncLock"],
      swiftSettings: strict),

    // What the programs share: options, configurations, output, exit statuses, hooks, watches.
    .target(
      name: "Console",
      dependencies: [
        "SyncEssentials", "SyncSystem", "SyncFiles", "SyncPrograms", "SyncText", "SyncLock",
      ],
      path: "Demo/Console",
      swiftSettings: strict),
    // How those that fetch are told of credentials, proxies and trust; and what they stand on.
    .target(
      name: "Access",
      dependencies: ["SyncText", "Console", "SyncFetching", "SyncTransport", "CSyncSQLite"],
      path: "Demo/Access",
      swiftSettings: strict),
    .executableTarget(
      name: "mirror",
      dependencies: ["CatalogMirror", "CatalogPublishing", "Access", "Console"],
      path: "Demo/mirror", exclude: ["systemd"],
      packageAccess: false,
      swiftSettings: strict),
    .executableTarget(
      name: "records", dependencies: ["RecordSync", "Access", "Console"],
      path: "Demo/records", exclude: ["tour"],
      packageAccess: false,
      swiftSettings: strict),
    .executableTarget(
      name: "documents",
      dependencies: ["DocumentSync", "DocumentEndpoints", "Access", "Console"],
      path: "Demo/documents", exclude: ["tour"],
      packageAccess: false,
      swiftSettings: strict),
    // The mirror as a library: the program of the guide.
    .executableTarget(
      name: "follow", dependencies: ["CatalogMirror"], path: "Demo/follow", swiftSettings: strict),
    .executableTarget(
      name: "bench",
      dependencies: [
        "OneWaySynchronizer", "RecordSync", "DocumentSync", "SyncDatabase",
        "CSyncSQLite", "CSyncSystem", "RawSockets",
      ],
      path: "Demo/bench", exclude: ["run", "launcher", "floor", "relay", "Peers/Programs"],
      swiftSettings: strict),
    // Starts what is measured; C, since its own memory would be counted.
    .executableTarget(name: "launcher", path: "Demo/bench/launcher"),
    // A network that is far away; C, since it shares the machine with what is measured.
    .executableTarget(name: "relay", path: "Demo/bench/relay"),
    // The least that rows can cost: what SQLite takes of a loop in C.
    .executableTarget(
      name: "floor", path: "Demo/bench/floor", linkerSettings: [.linkedLibrary("sqlite3")]),

    // What the tests' servers and the benchmark's listen with.
    .target(name: "RawSockets", path: "Tests/RawSockets", swiftSettings: strict),
    // What several test targets share: real servers, child processes, seeded randomness.
    .target(
      name: "TestSupport", dependencies: ["RawSockets", "SyncLock", "SyncText"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    // A folder and its disk, for the tests of what stands on them.
    .target(
      name: "FolderTestSupport",
      dependencies: ["SyncFolder", "SyncFiles", "SyncText", "SyncLock"],
      path: "Tests/FolderTestSupport", swiftSettings: strict),
    // A transport without a network, and what else stands in for one in tests.
    .target(
      name: "TransportTesting", dependencies: ["SyncTransport", "SynchronizerTesting", "SyncLock"],
      path: "Tests/TransportTesting", swiftSettings: strict),
    // What is fuzzed; by `Tests/run --fuzz` at random, by FuzzCorpusTests over the kept corpus.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CatalogMirror", "CatalogPublishing", "RecordSync", "SyncFolder", "SyncTransport",
        "SyncDatabase", "SyncText",
      ],
      path: "Tests/Fuzzing/Targets", swiftSettings: strict),

    // Reads the sources of all others, and needs none of them.
    .testTarget(
      name: "ArchitectureTests", dependencies: ["TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SyncLockTests", dependencies: ["SyncLock", "SyncSystem"], swiftSettings: strict),
    .testTarget(
      name: "OneWaySynchronizerTests",
      dependencies: [
        "OneWaySynchronizer", "SyncEngine", "SynchronizerTesting", "SyncLock", "TestSupport",
      ],
      swiftSettings: strict),
    // Clients, compiled as apps are: isolated to the main actor, and in the mode of Swift 5.
    .testTarget(
      name: "AppClientTests", dependencies: ["OneWaySynchronizer", "SynchronizerTesting"],
      path: "Tests/Clients/App",
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "Swift5ClientTests", dependencies: ["OneWaySynchronizer", "SynchronizerTesting"],
      path: "Tests/Clients/Swift5", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "MirrorClientTests", dependencies: ["CatalogMirror", "CatalogPublishing"],
      path: "Tests/Clients/Mirror", swiftSettings: strict),
    .testTarget(
      name: "RecordsClientTests", dependencies: ["RecordSync", "OneWaySynchronizer"],
      path: "Tests/Clients/Records", swiftSettings: strict),
    .testTarget(
      name: "DocumentsClientTests",
      dependencies: [
        "DocumentSync", "DocumentEndpoints", "DocumentTesting", "SynchronizerTesting",
        "TestSupport",
      ],
      path: "Tests/Clients/Documents", swiftSettings: strict),
    // The app of the documents' guide, compiled as apps are.
    .testTarget(
      name: "NotebookTests",
      dependencies: ["DocumentSync", "DocumentEndpoints", "DocumentTesting"],
      path: "Tests/Clients/Notebook",
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "ClientFormsTests",
      dependencies: ["OneWaySynchronizer", "SynchronizerTesting", "TestSupport"],
      path: "Tests/Clients/Compiling", exclude: ["ClientForms.swift.txt"], swiftSettings: strict),
    .testTarget(
      name: "SynchronizerTestingTests",
      dependencies: ["SynchronizerTesting", "OneWaySynchronizer", "SyncLock", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SyncTransportTests",
      dependencies: [
        "SyncTransport", "TransportTesting", "SynchronizerTesting", "SyncLock", "TestSupport",
        "RawSockets",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SyncDatabaseTests", dependencies: ["SyncDatabase", "SyncLock", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SyncTextTests", dependencies: ["SyncText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SyncFetchingTests",
      dependencies: [
        "SyncFetching", "SyncFiles", "SyncText", "SyncTransport", "SyncLock", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SyncFolderTests",
      dependencies: [
        "SyncFolder", "SyncFiles", "SyncText", "SyncLock", "CSyncSystem", "FolderTestSupport",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CatalogMirrorTests",
      dependencies: [
        "CatalogMirror", "CatalogPublishing", "OneWaySynchronizer", "SynchronizerTesting",
        "SyncFetching", "SyncFolder", "SyncFiles", "SyncTransport", "SyncDatabase", "SyncText",
        "SyncLock", "CSyncSystem", "FolderTestSupport", "TestSupport",
        "TransportTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentSyncTests",
      dependencies: [
        "DocumentSync", "DocumentEndpoints", "DocumentTesting", "OneWaySynchronizer",
        "SynchronizerTesting", "SyncDatabase", "SyncFiles", "SyncTransport", "SyncLock", "SyncText",
        "TestSupport", "TransportTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentEndpointsTests",
      dependencies: [
        "DocumentEndpoints", "DocumentSync", "OneWaySynchronizer", "SyncTransport", "SyncText",
        "TestSupport", "TransportTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RecordSyncTests",
      dependencies: [
        "RecordSync", "OneWaySynchronizer", "SynchronizerTesting", "SyncDatabase", "SyncFiles",
        "SyncText", "SyncLock", "CSyncSQLite", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentTestingTests",
      dependencies: [
        "DocumentTesting", "DocumentSync", "OneWaySynchronizer", "SynchronizerTesting",
        "SyncDatabase", "SyncText", "SyncLock", "TestSupport",
      ],
      swiftSettings: strict),
    // Endpoints against real servers, which Tests/run installs.
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "mirror", "DocumentEndpoints", "DocumentSync", "DocumentTesting", "SyncTransport",
        "SyncText",
        "SyncLock", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ConsoleTests",
      dependencies: ["Console", "SyncText", "SyncLock", "SynchronizerTesting", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "MirrorCommandTests",
      dependencies: [
        "mirror", "follow", "CatalogMirror", "Console", "SyncFetching", "SyncFolder", "SyncFiles",
        "SyncText", "SyncLock", "SynchronizerTesting", "CSyncSystem", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RecordsCommandTests",
      dependencies: [
        "records", "RecordSync", "Console", "OneWaySynchronizer", "SyncDatabase", "SyncText",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentsCommandTests", dependencies: ["documents", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "mirror", "records", "TestSupport", "CatalogMirror", "CatalogPublishing", "SyncFolder",
        "SyncFiles", "SyncTransport", "SyncDatabase", "SyncText", "SyncLock", "CSyncSystem",
        "RawSockets",
      ],
      exclude: ["tabulate"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "TestSupport", "Console", "CatalogMirror", "OneWaySynchronizer", "SynchronizerTesting",
        "SyncFetching", "SyncFolder", "SyncFiles", "SyncTransport", "SyncDatabase",
        "SyncText",
        "SyncLock", "CSyncSQLite", "CSyncSystem", "TransportTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FuzzCorpusTests", dependencies: ["FuzzTargets", "TestSupport"],
      path: "Tests/Fuzzing/CorpusTests",
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// libFuzzer's driver needs `-sanitize=fuzzer`, which not every toolchain has: `Tests/run --fuzz`
// asks for it.
if Context.environment["MIRROR_FUZZING"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
    .executableTarget(
      name: "FuzzDriver", dependencies: ["FuzzTargets", "CFuzzer"], path: "Tests/Fuzzing/Driver",
      swiftSettings: strict),
  ]
}

// A build of its own, for a sanitizer or optimised, has no more than is used of it: the targets that
// are named, and what they depend on.
if let names = Context.environment["MIRROR_ONLY"] {
  var left = names.split(whereSeparator: \.isWhitespace).map(String.init)
  var kept: Set<String> = []
  while let name = left.popLast() {
    guard kept.insert(name).inserted else { continue }
    for needed in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      switch needed {
      case .byNameItem(let name, _), .targetItem(let name, _): left.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll {
    let targets = ($0 as? Product.Library)?.targets ?? ($0 as? Product.Executable)?.targets ?? []
    return !kept.isSuperset(of: targets)
  }
}
