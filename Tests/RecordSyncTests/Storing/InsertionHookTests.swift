@testable import RecordSync
import SyncLock
import TestSupport
import XCTest

/// Before a row is inserted, who wants to is asked; it may change or refuse the row.
final class InsertionHookTests: XCTestCase {
  /// What was asked, in order.
  private final class Asked: Sendable {
    private let asked = Locked<[RecordInsertion]>([])
    func note(_ insertion: RecordInsertion) { asked.withLock { $0.append(insertion) } }
    var all: [RecordInsertion] { asked.withLock { $0 } }

    /// Each as `table key ← parent key.relation`.
    var lines: [String] {
      all.map { insertion in
        let own = "\(insertion.table) \(insertion.values["id"]?.integer ?? 0)"
        guard let parent = insertion.parent else { return own }
        let key = parent.key.map { " \($0)" } ?? ""
        return "\(own) ← \(parent.table)\(key).\(parent.relation)"
      }
    }
  }

  private func library() throws -> TestDatabase {
    try TestDatabase(
      "firms: name TEXT; users: name TEXT NOT NULL, age INTEGER DEFAULT 7, firm_id -> firms",
      "posts: title TEXT, user_id -> users; comments: text TEXT, post_id -> posts",
      "tags: name TEXT UNIQUE",
      "post_tags (post_id -> posts, tag_id -> tags, PRIMARY KEY (post_id, tag_id))",
      "users = (1, 'Ann', 30, NULL); posts = (1, 'One', 1)")
  }

  private let payload = """
    [{"id": 1, "posts": [
      {"id": 1, "comments": [{"id": 5, "text": "a"}]},
      {"id": 2, "title": "Two", "tags": [{"id": 3, "name": "x"}],
        "comments": [{"id": 6, "text": "b"}]}]},
     {"id": 2, "name": "Ben", "firm": {"id": 4, "name": "F"}, "posts": []}]
    """

  func testItIsToldTheTableAndTheParentAtEveryDepthAndOfNewRowsOnly() async throws {
    let (database, asked) = (try library(), Asked())
    for _ in 1...2 {
      try await database.sync(payload, "users") { $0.beforeInsert = { asked.note($0) } }
    }
    XCTAssertEqual(
      asked.lines.sorted(),
      [
        "comments 5 ← posts 1.comments", "comments 6 ← posts 2.comments", "firms 4 ← users 2.firm",
        "posts 2 ← users 1.posts", "tags 3 ← posts 2.tags", "users 2",
      ])
    XCTAssertEqual(
      asked.all.first { $0.table == "posts" }?.values, ["id": 2, "title": "Two", "user_id": 1])
  }

  func testTheParentOfAWholePayloadIsThatOfItsRows() async throws {
    let (database, asked) = (try library(), Asked())
    try await database.sync(#"[{"id": 9}]"#, "posts") { options in
      options.scope = RecordScope(parent: .init(table: "users", key: "1"))
      options.beforeInsert = { asked.note($0) }
    }
    XCTAssertEqual(asked.lines, ["posts 9 ← users 1."])
  }

  func testItChangesWhatIsInserted() async throws {
    let database = try library()
    let report = try await database.sync(payload, "users") { options in
      options.beforeInsert = { insertion in
        switch insertion.table {
        case "users": insertion.values["age"] = "41"
        case "posts": insertion.values["title"] = nil
        case "comments": insertion.values["text"] = .text("\(insertion.parent?.table ?? "")!")
        default: break
        }
      }
    }
    XCTAssertFalse(report.isPartial)
    XCTAssertEqual(try database.table("users"), ["1|Ann|30|NULL", "2|Ben|41|4"])
    XCTAssertEqual(try database.table("posts"), ["1|One|1", "2|NULL|1"])
    XCTAssertEqual(try database.table("comments"), ["5|posts!|1", "6|posts!|2"])
  }

  func testARowThatIsRefusedTakesWhatHangsOnItWithIt() async throws {
    let database = try library()
    try database.run("INSERT INTO comments VALUES (6, 'old', 1)")
    let report = try await database.sync(payload, "users") { options in
      options.beforeInsert = { insertion in
        if insertion.table == "posts" { insertion.refuse("not this one") }
      }
    }
    XCTAssertEqual(report.tables["posts"]?.refused.map(\.reason), ["not this one"])
    XCTAssertEqual(report.tables["posts"]?.refused.map(\.key?.integer), [2])
    XCTAssertEqual(try database.table("posts"), ["1|One|1"])
    // What is named under it counts as present.
    XCTAssertEqual(try database.table("comments"), ["5|a|1", "6|old|1"])
    XCTAssertEqual(try database.table("users"), ["1|Ann|30|NULL", "2|Ben|7|4"])
    XCTAssertEqual(try database.table("post_tags"), [])
  }

  func testARowThatHasToWaitIsAskedForOnce() async throws {
    let (database, asked) = (try library(), Asked())
    try database.run("INSERT INTO tags VALUES (1, 'x')")
    // The second takes what the first lets go of only at the end.
    let report = try await database.sync(
      #"[{"id": 2, "name": "x"}, {"id": 1, "name": "y"}]"#, "tags"
    ) { options in
      options.beforeInsert = { insertion in
        asked.note(insertion)
        insertion.values["name"] = "x"
      }
    }
    XCTAssertEqual(asked.lines, ["tags 2"])
    XCTAssertFalse(report.isPartial)
    XCTAssertEqual(try database.table("tags"), ["1|y", "2|x"])
  }

  func testAPartOfARowIsAskedForWithTheWhole() async throws {
    let database = try TestDatabase(
      "people: name TEXT; staff (id INTEGER PRIMARY KEY REFERENCES people, wage INTEGER)")
    let asked = Asked()
    let report = try await database.sync(
      #"[{"id": 1, "name": "Ann", "wage": 5}, {"id": 2, "name": "Ben", "wage": 6}]"#, "staff"
    ) { options in
      options.beforeInsert = { insertion in
        asked.note(insertion)
        insertion.values["name"] = "N"
        if insertion.values["wage"] == 6 { insertion.refuse("too much") }
      }
    }
    XCTAssertEqual(asked.lines, ["staff 1", "staff 2"])
    XCTAssertEqual(asked.all.first?.values, ["id": 1, "name": "Ann", "wage": 5])
    XCTAssertEqual(try database.table("people"), ["1|N"])
    XCTAssertEqual(try database.table("staff"), ["1|5"])
    XCTAssertEqual(report.tables["staff"]?.refused.map(\.reason), ["too much"])
  }

  func testAKeyIsGivenOnlyWhereThereIsNone() async throws {
    let database = try TestDatabase(
      "places (id TEXT PRIMARY KEY NOT NULL, city TEXT); users: place_id TEXT REFERENCES places")
    let report = try await database.sync(
      #"[{"id": 1, "place": {"city": "Oslo"}}, {"id": 2}, {"id": 3}]"#, "users"
    ) { options in
      options.beforeInsert = { insertion in
        if insertion.table == "places" { insertion.values["id"] = "made" }
        if insertion.values["id"] == 2 { insertion.values["id"] = 9 }
        if insertion.values["id"] == 3 { insertion.values["nam"] = 9 }
      }
    }
    XCTAssertEqual(try database.table("places"), ["made|Oslo"])
    XCTAssertEqual(try database.table("users"), ["1|made"])
    XCTAssertEqual(
      report.tables["users"]?.refused.map(\.reason),
      ["the program gave it another key", "the program gave a value for “nam”, which isn't there"])
  }

  func testWhatItThrowsEndsTheSync() async throws {
    struct Stop: Error {}
    let database = try library()
    await assertThrows(
      try await database.sync(payload, "users") { options in
        options.beforeInsert = { if $0.table == "comments" { throw Stop() } }
      }
    ) { XCTAssertTrue($0 is Stop, "\($0)") }
    XCTAssertEqual(try database.table("posts"), ["1|One|1"])
  }
}
