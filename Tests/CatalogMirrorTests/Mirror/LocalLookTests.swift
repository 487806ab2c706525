import SynchronizerTesting
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFiles
import FolderTestSupport
@testable import SyncText

/// The look at the files when there are more of them than fit into a piece.
final class LocalLookTests: FolderTestCase {
  /// More than two pieces.
  private let count = 9_000

  private func look(
    _ wants: ItemNeed.Wants = .init(contents: true, previews: true),
    queue: any DiskQueue = DispatchDiskQueue()
  ) async throws -> LocalLook {
    let folder = try open()
    let index = try await emptyIndex()
    try await index.write { [count] writer in
      for number in 0..<count {
        let entry = CatalogEntry.plain("d\(number % 7)/\(number)")
        try writer.record([.content(entry, .plain())])
      }
      var pictured = CatalogEntry.plain("d8/pictured", revision: "1")
      pictured.preview = .init(locator: "https://h/p")
      try writer.record([.entry(pictured), .preview(pictured, .plain())])
    }
    return LocalLook(folder: folder, index: index, queue: queue, wants: wants)
  }

  func testEveryPieceIsLookedAt() async throws {
    let findings = try await look().look()
    XCTAssertEqual(findings.damaged.count, count, "none of the files is there")
    XCTAssertEqual(findings.damagedPreviews, [CatalogKey("d8/pictured"): "ab12.jpg"])
    XCTAssertEqual(findings.lacking, [CatalogKey("d8/pictured")])
    XCTAssertEqual(findings.incomplete.count, count + 1)
  }

  func testWhatNobodyWantsIsntLacking() async throws {
    try await assertEqual(look(.init(contents: false, previews: false)).look().lacking, [])
  }

  func testACancelledLookEndsAtOnce() async throws {
    let look = try await look()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await look.look()
    }
    await thrown(CancellationError.self, by: try await task.value)
  }
}
