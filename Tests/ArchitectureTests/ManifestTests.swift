import XCTest

/// The reading of a manifest, on one that is made up.
final class ManifestTests: XCTestCase {
  func testTargetsAreReadWithTheirFoldersAndAllThatTheyDeclare() {
    let manifest = Manifest(
      """
      let package = Package(
        targets: [
          // The lowest.
          .target(name: "Low", swiftSettings: strict),
          .systemLibrary(name: "CLow"),
          .target(
            name: "High",
            dependencies: [
              "Low",
              .target(name: "CLow", condition: .when(platforms: [.linux])), "Other",
            ],
            path: "Demo/High", exclude: ["notes"], swiftSettings: strict),
          .testTarget(name: "HighTests", dependencies: ["High"]),
          .executableTarget(name: "run", dependencies: ["High"], path: "Demo/run",
            packageAccess: false),
        ])
      """)
    XCTAssertEqual(
      manifest.targets,
      [
        .init(name: "Low", folder: "Sources/Low", dependencies: []),
        .init(name: "High", folder: "Demo/High", dependencies: ["Low", "CLow", "Other"]),
        .init(name: "run", folder: "Demo/run", dependencies: ["High"], seesPackage: false),
      ])
  }
}
