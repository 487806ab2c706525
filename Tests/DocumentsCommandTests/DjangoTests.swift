import TestSupport
import XCTest

/// Stores that go with a service by Django REST framework: pages of three, numeric keys of the
/// service's own, a token, a date of each row.
final class DjangoTests: DocumentsTestCase {
  private let token = "token-of-the-tests"
  private var service: LoopbackService?

  override func setUpWithError() throws {
    try super.setUpWithError()
    service = try DjangoService.start(token: token, in: folder.appending(path: ".service"))
    environment["DOCUMENTS_PASSWORD"] = token
    for store in ["a.db", "b.db"] { try begin(store) }
  }

  override func tearDownWithError() throws { try service?.stop() }

  private func begin(_ store: String) throws {
    try documents(
      "init", store, "--rest", (service?.address ?? "") + "/api", "--model", "lists", "--model",
      "tasks", "--rows", "results", "--modified", "updated", "--slash", "--server-keys",
      "--model-ids",
      "--reference", "list=lists", ends: 0)
  }

  private func put(_ type: String, _ json: String) throws -> String {
    String(try documents("put", "a.db", type, json).printed.dropLast())
  }

  private func inStep() throws {
    for store in ["a.db", "b.db", "a.db"] { try documents("sync", store, ends: 0) }
    XCTAssertEqual(try documents("digest", "a.db").printed, try documents("digest", "b.db").printed)
    XCTAssertTrue(try documents("sync", "b.db", ends: 0).printed.contains("in step"))
  }

  func testWhatIsMadeAndEditedOfflineOnTwoDevicesIsMerged() throws {
    let list = try put("lists", #"{"title": "shop"}"#)
    let tasks = try (1...7).map {
      try put("tasks", #"{"title": "task \#($0)", "list": "\#(list)"}"#)
    }
    try inStep()
    let shown = try documents("get", "b.db", "tasks/4").printed
    for part in [#""id":"tasks/4""#, #""title":"task 4""#, #""list":1"#, #""done":false"#] {
      XCTAssertTrue(shown.contains(part), shown)
    }
    XCTAssertEqual(try documents("list", "b.db", "tasks", "--count").printed, "7\n")
    let task = #""docType": "tasks", "list": 1"#
    try documents("put", "a.db", "tasks", tasks[3], #"{"title": "tea", "done": false, \#(task)}"#)
    try documents(
      "put", "b.db", "tasks", "tasks/4", #"{"title": "task 4", "done": true, \#(task)}"#)
    try documents("delete", "b.db", "tasks/5")
    try inStep()
    let merged = try documents("get", "a.db", tasks[3]).printed
    XCTAssertTrue(merged.contains(#""title":"tea""#) && merged.contains(#""done":true"#), merged)
    XCTAssertEqual(
      try documents("list", "a.db", "tasks").printed,
      [1, 2, 3, 4, 6, 7].map { "tasks/\($0)\n" }.joined())
  }

  func testWhatTheServiceRefusesIsSetAsideInItsWords() throws {
    _ = try put("lists", #"{"title": "\#(String(repeating: "long ", count: 20))"}"#)
    _ = try put("lists", #"{"title": "short"}"#)
    let said = try documents("sync", "a.db", ends: 2)
    XCTAssertTrue((said.printed + said.said).contains("no more than 40 characters"), said.said)
    XCTAssertEqual(try documents("list", "a.db").printed.contains("lists/1\n"), true)
  }

  func testATokenThatDoesNotCountSendsNothing() throws {
    _ = try put("lists", #"{"title": "shop"}"#)
    environment["DOCUMENTS_PASSWORD"] = "another"
    try documents("sync", "a.db", ends: 1)
    environment["DOCUMENTS_PASSWORD"] = token
    XCTAssertTrue(try documents("sync", "a.db", ends: 0).printed.contains("1 sent"))
  }

  /// As a person writes who copied it from the list.
  func testAReferenceMayBeWrittenAsTheIDIsShown() throws {
    _ = try put("lists", #"{"title": "shop"}"#)
    try documents("sync", "a.db", ends: 0)
    let list = try documents("list", "a.db", "lists").lines
    _ = try put("tasks", #"{"title": "tea", "list": "\#(list[0])"}"#)
    try documents("sync", "a.db", ends: 0)
    let shown = try documents("get", "a.db", "tasks/1").printed
    XCTAssertTrue(shown.contains(#""list":1"#), shown)
  }

  func testOneRowIsFetched() throws {
    _ = try put("lists", #"{"title": "shop"}"#)
    try documents("sync", "a.db", ends: 0)
    let shown = try documents("fetch", "b.db", "lists/1", ends: 0).printed
    XCTAssertTrue(shown.contains(#""title":"shop""#), shown)
    try documents("fetch", "b.db", "lists/77", ends: 1)
  }
}
