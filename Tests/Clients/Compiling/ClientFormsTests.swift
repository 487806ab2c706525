import Foundation
import TestSupport
import XCTest

/// What compiles in an app compiles against this package, whatever the app's settings are.
final class ClientFormsTests: XCTestCase {
  private var forms: URL {
    Programs.package.appending(path: "Tests/Clients/Compiling/ClientForms.swift.txt")
  }

  private var folder = URL(filePath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "clients-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

  func testEveryFormOfAProcessorCompilesUnderEverySettingOfAnApp() throws {
    for mode in ["5", "6"] {
      for isolation in [[], ["-default-isolation", "MainActor"]] {
        for features in [[], ["NonisolatedNonsendingByDefault", "InferIsolatedConformances"]] {
          var settings = ["-swift-version", mode] + isolation
          for feature in features { settings += ["-enable-upcoming-feature", feature] }
          let said = try check(String(contentsOf: forms, encoding: .utf8), settings)
          XCTAssertEqual(said, "", settings.joined(separator: " "))
        }
      }
    }
  }

  func testTheProgramsOfTheGuideAreThoseThatAreCompiledAsAppsAre() throws {
    let folder = "Tests/Clients/App/"
    try assertCompiled(
      "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/ThreePrograms.md",
      in: folder + "Gallery.swift", folder + "FeedDaemon.swift", folder + "RecipesTests.swift")
  }

  func testAClassWithVariablesOfNobodyIsStillRefused() throws {
    let unsafe = """
      import OneWaySynchronizer
      struct Item: SyncItem { let id: String }
      final class Unguarded: SyncProcessor {
        var held: Set<String> = []
        func fetchSourceList() async throws -> SourceList<Item> { .complete([]) }
        func localKeys() async throws -> Set<String> { held }
        func removeLocalItems(_ keys: Set<String>) async throws {}
        func shouldUpdate(_ item: Item) async throws -> Bool { false }
        func downloadContent(of item: Item) async throws {}
      }
      """
    let said = try check(unsafe, ["-swift-version", "6"])
    XCTAssertTrue(said.contains("'Unguarded'"), said)
  }

  func testAProcessorThatCannotTellWhatChangedIsRefused() throws {
    let forgetful = """
      import OneWaySynchronizer
      struct Item: SyncItem { let id: String }
      struct Forgetful: SyncProcessor {
        func fetchSourceList() async throws -> SourceList<Item> { .complete([]) }
        func localKeys() async throws -> Set<String> { [] }
        func removeLocalItems(_ keys: Set<String>) async throws {}
        func downloadContent(of item: Item) async throws {}
      }
      """
    let said = try check(forgetful, ["-swift-version", "6"])
    XCTAssertTrue(said.contains("shouldUpdate"), said)
  }

  func testAnEnumThatWillGrowAsksItsUsersForWhatItDoesNotHaveYet() throws {
    let exhaustive = """
      import OneWaySynchronizer
      func word(_ kind: PassKind) -> String {
        switch kind {
        case .sync: "sync"
        case .plan: "plan"
        }
      }
      """
    let said = try check(exhaustive, ["-swift-version", "6"])
    XCTAssertTrue(said.contains("@unknown default"), said)
  }

  /// What the compiler says; nothing if it is content. Warnings count.
  private func check(_ source: String, _ settings: [String]) throws -> String {
    let file = folder.appending(path: "Forms.swift")
    try Data(source.utf8).write(to: file)
    let compiler = try ChildProcess(
      Programs.find("swiftc"),
      ["-typecheck", "-parse-as-library", "-I", Programs.products.appending(path: "Modules").path]
        + settings + [file.path],
      environment: ProcessInfo.processInfo.environment, directory: folder, records: folder)
    let end = try compiler.end(within: .seconds(120))
    return end == .exited(0) && compiler.said.isEmpty ? "" : "\(end)\n\(compiler.said)"
  }
}
