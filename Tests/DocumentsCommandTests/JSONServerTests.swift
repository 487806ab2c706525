import Foundation
import TestSupport
import XCTest

/// Stores that go with a service in the form of json-server: numeric keys of its own, bare rows,
/// linked pages, and no word of conflicts.
final class JSONServerTests: DocumentsTestCase {
  private var service: LoopbackService?

  override func setUpWithError() throws {
    try super.setUpWithError()
    let service = try LoopbackService(
      try Programs.find("python3"), "serve-json-server.py", [], in: folder.appending(path: ".run"))
    self.service = service
    for store in ["a.db", "b.db"] {
      try documents(
        "init", store, "--rest", service.address, "--model", "posts", "--server-keys",
        "--page-param", "_page", ends: 0)
    }
  }

  override func tearDownWithError() throws { try service?.stop() }

  private func inStep() throws {
    for store in ["a.db", "b.db", "a.db"] { try documents("sync", store, ends: 0) }
    XCTAssertEqual(try documents("digest", "a.db").printed, try documents("digest", "b.db").printed)
  }

  func testWhatIsMadeAndEditedOfflineOnTwoDevicesIsMerged() throws {
    for number in 1...23 {
      try documents(
        "put", "a.db", "posts", #"{"title": "post \#(number)", "read": false}"#, ends: 0)
    }
    try inStep()
    XCTAssertEqual(try documents("list", "b.db", "--count").printed, "23\n")
    let keys = try documents("list", "b.db", "--json").objects.compactMap { object in
      (object["title"] as? String).map { ($0, object["id"] as? String ?? "") }
    }
    let ids = Dictionary(uniqueKeysWithValues: keys)
    let (fifth, ninth) = (try XCTUnwrap(ids["post 5"]), try XCTUnwrap(ids["post 9"]))
    try documents("put", "a.db", "posts", fifth, #"{"title": "tea", "read": false}"#, ends: 0)
    try documents("put", "b.db", "posts", fifth, #"{"title": "post 5", "read": true}"#, ends: 0)
    try documents("delete", "b.db", ninth, ends: 0)
    try inStep()
    let merged = try documents("get", "a.db", fifth).printed
    XCTAssertTrue(merged.contains(#""title":"tea""#) && merged.contains(#""read":true"#), merged)
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "22\n")
    XCTAssertTrue(try documents("sync", "b.db", ends: 0).printed.contains("in step"))
  }
}
