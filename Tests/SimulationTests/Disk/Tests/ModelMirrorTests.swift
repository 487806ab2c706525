import SyncDatabase
import SyncLock
import SyncTransport
import SynchronizerTesting
import XCTest

@testable import CatalogMirror

/// A whole run over the model.
final class ModelMirrorTests: XCTestCase {
  private static let root = "https://mirror.test/pub/"
  private static let folder = "/data/mirror"

  private func environment(_ disk: ModelDisk, _ vfs: ModelVFS, _ site: MemoryTransport)
    -> MirrorEnvironment
  {
    var environment = MirrorEnvironment()
    environment.now = { 1_738_324_800 }
    environment.clock = ManualClock()
    environment.random = { 1 }
    environment.makeTransport = { _ in site }
    environment.fileSystem = disk.fileSystem
    environment.indexVFS = vfs.name
    return environment
  }

  private func site(_ texts: [String: String]) throws -> MemoryTransport {
    let site = MemoryTransport()
    var catalog = #"{"catalog":1,"complete":true}"# + "\n"
    for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
      catalog += #"{"key":"\#(key)","size":\#(text.utf8.count)}"# + "\n"
      site.answer(try WebAddress(Self.root + key), with: .init(body: Array(text.utf8)))
    }
    site.answer(
      try WebAddress(Self.root + "catalog.ndjson"),
      with: .init(
        headers: HTTPHeaders([("Content-Type", "application/x-ndjson")]),
        body: Array(catalog.utf8)))
    return site
  }

  func testAWholeRunIsInTheModelAndNowhereElse() async throws {
    let disk = ModelDisk()
    try disk.put(.directory, at: "/data")
    disk.settle()
    let texts = ["a": "one", "b/c": "two", "b/d/e": "three"]
    let site = try site(texts)
    let vfs = ModelVFS(disk.fileSystem)
    let options = MirrorOptions(catalog: Self.root + "catalog.ndjson", folder: Self.folder)
    let report = try await Mirror(options, in: environment(disk, vfs, site)).sync()
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    let tree = disk.tree(below: Self.folder)
    for (key, text) in texts { XCTAssertEqual(tree[key], .text(text)) }
    XCTAssertNotNil(tree[".mirror/index.sqlite"])
    XCTAssertFalse(FileManager.default.fileExists(atPath: Self.folder), "a real file was made")
    XCTAssertFalse(FileManager.default.fileExists(atPath: "/data"), "a real file was made")
    var random = SystemRandomNumberGenerator()
    disk.crash(using: &random)
    let after = disk.tree(below: Self.folder)
    for (key, text) in texts { XCTAssertEqual(after[key], .text(text), "lost by a crash") }
    let next = ModelVFS(disk.fileSystem)
    let found = try await Mirror(options, in: environment(disk, next, site)).verify()
    XCTAssertEqual(found.problems, [])
  }
}
