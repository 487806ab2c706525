import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What a catalog that is checked by keys is read with.
final class SignedReadingTests: XCTestCase {
  func testAnEntryWithoutADigestFailsInEachFormOfACatalog() throws {
    let format = OwnFormat(requiresDigests: true)
    for text in [
      #"{"catalog":1,"items":[{"key":"a","size":1}]}"#, #"{"catalog":1,"items":{"a":"a"}}"#,
      #"[{"key":"a","size":1}]"#, #"{"catalog":1}"# + "\n" + #"{"key":"a","size":1}"# + "\n",
    ] {
      let page = try format.page(Golden.body(text), within: CatalogLimits())
      XCTAssertEqual(
        Array(page.entries).map { entry -> EntryProblem? in
          if case .unusable(let unusable) = entry { unusable.problem } else { nil }
        }, [.noDigest(ofPreview: false)], text)
    }
  }

  /// Somebody may put another file in its place while a run goes on.
  func testTheKeysAreReadOnce() async throws {
    let folder = try temporaryFolder()
    let (first, second) = (
      try SigningKeys("first", in: folder), try SigningKeys("second", in: folder)
    )
    var options = MirrorOptions(
      catalog: folder.appending(path: "catalog.ndjson").absoluteString, folder: "copy")
    options.verifyKeys = [first.publicFile.path]
    let (environment, observer) = (MirrorEnvironment(), MirrorObserver())
    let connection = try SourceConnection(options, in: environment, observer: observer)
    let ids = connection.verifyKeys.map(\.id)
    XCTAssertEqual(ids.count, 1)
    try Data(contentsOf: second.publicFile).write(to: first.publicFile)
    let catalog = CatalogSource(
      connection, options, folding: .none, at: 0, observer: observer)
    XCTAssertEqual(catalog.keyIDs, ids)
    await connection.close()
  }
}
