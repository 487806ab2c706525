import CatalogMirror
import CatalogPublishing
import Foundation
import XCTest

/// The guide "Use the mirror in a program", as it stands there, but for its program, which is
/// `Demo/follow`.
final class MirrorGuideTests: XCTestCase {
  private let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appending(path: "mirror-guide-\(UUID().uuidString)")
  private var shown: [String] = []

  private var source: URL { base.appending(path: "source") }
  private var catalog: String { source.appending(path: "catalog.ndjson").absoluteString }
  private var copy: String { base.appending(path: "copy").path }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    for name in ["a.txt", "b.txt", "c.iso"] {
      try Data(name.utf8).write(to: source.appending(path: name))
    }
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: base)
  }

  private func show(_ text: String) { shown.append(text) }

  func testAPartIsPlannedMirroredRepairedAndBroughtBack() async throws {
    try await publish(source.path)
    var options = MirrorOptions(catalog: catalog, folder: copy)
    options.scope.rules = [.exclude(try KeyPattern("*.iso"))]
    options.scope.maximumSize = 500 << 20
    options.last = [try KeyPattern("dists/**")]
    let mirror = FolderMirror(options)
    try await preview(mirror)
    _ = try await mirror.sync()
    try FileManager.default.removeItem(atPath: copy + "/a.txt")
    try await mend(mirror)
    try FileManager.default.removeItem(at: source.appending(path: "b.txt"))
    try await publish(source.path)
    _ = try await mirror.sync()
    XCTAssertFalse(FileManager.default.fileExists(atPath: copy + "/b.txt"))
    try await bringBack(in: mirror)
    XCTAssertTrue(FileManager.default.fileExists(atPath: copy + "/b.txt"))
    XCTAssertEqual(
      shown,
      [
        "3 entries", "2 to fetch, 0 to remove", "1 files were wrong", "2 entries",
        "1 are back",
      ])
  }

  private func publish(_ folder: String) async throws {
    let published = try await CatalogWriter(folder: folder).publish()
    show("\(published.entries) entries")
  }

  private func preview(_ mirror: FolderMirror) async throws {
    let plan = try await mirror.plan()
    show("\(plan.fetches.count) to fetch, \(plan.removals.count) to remove")
  }

  private func mend(_ mirror: FolderMirror) async throws {
    let repair = try await mirror.repair()
    show("\(repair.found.problems.count) files were wrong")
  }

  private func bringBack(in mirror: FolderMirror) async throws {
    let removed = try await mirror.restorable().filter { $0.cause == .removed }
    let restoration = try await mirror.restore(removed)
    show("\(restoration.restored.count) are back")
  }

  func testSeveralMirrorsShareOneClient() async throws {
    try await publish(source.path)
    let mirrors = ["one", "two"].map {
      MirrorOptions(catalog: catalog, folder: base.appending(path: $0).path)
    }
    let outcomes = await sync(mirrors)
    XCTAssertEqual(outcomes, ["done", "done"])
  }

  private func sync(_ mirrors: [MirrorOptions]) async -> [String] {
    let client = MirrorClient()
    return await withTaskGroup(of: String.self) { group in
      for var options in mirrors {
        options.runsAtOnce = mirrors.count
        let mirror = FolderMirror(options, sharing: client)
        group.addTask {
          do {
            return "\(try await mirror.sync().outcome)"
          } catch {
            return error.localizedDescription
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  func testACancelledRunReportsThatItWas() async throws {
    try await publish(source.path)
    let mirror = FolderMirror(MirrorOptions(catalog: catalog, folder: copy))
    let run = Task { try await mirror.sync() }
    run.cancel()
    let report = try await run.value
    XCTAssertTrue([.cancelled, .done].contains(report.outcome), "\(report.outcome)")
  }
}
