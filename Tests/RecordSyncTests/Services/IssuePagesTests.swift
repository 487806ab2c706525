@testable import RecordSync
import TestSupport
import XCTest

/// A list in pages with objects nested in its objects: the issues of a repository, as GitHub's REST
/// API has them.
final class IssuePagesTests: ServiceTestCase {
  private static let tables = """
    CREATE TABLE users (
      id INTEGER PRIMARY KEY, login TEXT NOT NULL UNIQUE, avatar_url TEXT, user_type TEXT,
      site_admin BOOLEAN);
    CREATE TABLE milestones (
      id INTEGER PRIMARY KEY, number INTEGER, title TEXT, due_on DATETIME,
      creator_id INTEGER REFERENCES users (id));
    CREATE TABLE labels (id INTEGER PRIMARY KEY, name TEXT NOT NULL, color TEXT, label_description TEXT);
    CREATE TABLE issues (
      id INTEGER PRIMARY KEY, number INTEGER UNIQUE, title TEXT NOT NULL,
      state TEXT CHECK (state IN ('open', 'closed')), locked BOOLEAN, comments INTEGER, body TEXT,
      created_at DATETIME, closed_at DATETIME, upvotes INTEGER NOT NULL DEFAULT 0,
      user_id INTEGER REFERENCES users (id), milestone_id INTEGER REFERENCES milestones (id));
    CREATE TABLE issue_labels (
      issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE,
      label_id INTEGER REFERENCES labels (id), PRIMARY KEY (issue_id, label_id));
    CREATE TABLE assignments (
      issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE,
      user_id INTEGER REFERENCES users (id), PRIMARY KEY (issue_id, user_id))
    """

  private static let names = """
    {"tables": {"issues": {
      "columns": {"upvotes": {"name": "reactions.+1"}},
      "relations": {"assignees": {"table": "users", "through": "assignments", "column": "issue_id"}}
    }}}
    """

  private static let octocat = #"""
    {"login": "octocat", "id": 1, "node_id": "MDQ6VXNlcjE=", "avatar_url": "https://example.org/o.gif",
     "gravatar_id": "", "html_url": "https://example.org/octocat", "type": "User",
     "user_view_type": "public", "site_admin": false}
    """#
  private static let hubot = #"""
    {"login": "hubot", "id": 2, "node_id": "MDQ6VXNlcjI=", "avatar_url": "https://example.org/h.gif",
     "gravatar_id": "", "html_url": "https://example.org/hubot", "type": "Bot",
     "user_view_type": "public", "site_admin": true}
    """#
  private static let bug = #"""
    {"id": 208045946, "node_id": "MDU6TGFiZWwyMDgwNDU5NDY=", "name": "bug", "color": "f29513",
     "description": "Something isn't working", "default": true}
    """#
  private static let milestone = #"""
    {"id": 1002604, "number": 1, "state": "open", "title": "v1.0", "description": "Tracks v1.0",
     "creator": \#(octocat), "open_issues": 4, "closed_issues": 8,
     "created_at": "2011-04-10T20:09:31Z", "closed_at": null, "due_on": "2012-10-09T23:39:01Z"}
    """#

  private static let first = #"""
    [{"id": 1, "node_id": "MDU6SXNzdWUx", "url": "https://example.org/issues/1347", "number": 1347,
      "state": "open", "title": "Found a bug", "body": "It doesn't \"work\".", "user": \#(octocat),
      "labels": [\#(bug)], "assignee": \#(octocat), "assignees": [\#(octocat), \#(hubot)],
      "milestone": \#(milestone), "locked": true, "active_lock_reason": "too heated", "comments": 0,
      "pull_request": {"url": "https://example.org/pulls/1347"}, "closed_at": null,
      "created_at": "2011-04-22T13:33:48Z", "updated_at": "2011-04-22T13:33:48Z",
      "author_association": "COLLABORATOR", "state_reason": null,
      "reactions": {"url": "https://example.org/r", "total_count": 5, "+1": 3, "-1": 1, "eyes": 1}}]
    """#
  private static let second = #"""
    [{"id": 2, "number": 1348, "state": "closed", "title": "Größe", "body": null, "user": \#(hubot),
      "labels": [\#(bug), {"id": 9, "name": "size", "color": "ededed", "description": null}],
      "assignees": [], "milestone": null, "locked": false, "comments": 2,
      "closed_at": "2011-04-23T01:00:00+02:00", "created_at": "2011-04-22T13:33:48Z",
      "reactions": {"total_count": 0, "+1": 0}},
     {"id": 3, "number": 1349, "state": "open", "title": "Third", "user": \#(hubot), "labels": [],
      "assignees": [], "milestone": \#(milestone), "locked": false, "comments": 1, "closed_at": null,
      "created_at": "2011-05-01T00:00:00Z"}]
    """#

  /// Serves two pages, each of which names the other as the service does.
  private func sync(_ database: TestDatabase, _ pages: [String]) async throws -> RecordReport {
    let server = try FaultServer { request, _ in
      let number = request.path.hasSuffix("page=2") ? 2 : 1
      let place = "https://api.example.org/repositories/1/issues?page="
      let link =
        number == 1
        ? "</issues?page=2>; rel=\"next\", <\(place)2>; rel=\"last\""
        : "<\(place)1>; rel=\"prev\", <\(place)1>; rel=\"first\""
      return FaultAnswer(text: pages[number - 1], headers: [("Link", link)])
    }
    defer { server.stop() }
    return try await database.sync(
      .url(server.url("/issues")), "issues", overrides: overrides(Self.names))
  }

  func testIssuesBecomeEqualAndStaySo() async throws {
    let database = try TestDatabase(Self.tables)
    let report = try await sync(database, [Self.first, Self.second])
    XCTAssertEqual(report.tables["issues"]?.inserted.count, 3)
    XCTAssertEqual(
      try database.table("issues"),
      [
        """
        1|1347|Found a bug|open|1|0|It doesn't "work".|2011-04-22T13:33:48.000Z|NULL|3|1|1002604
        """,
        """
        2|1348|Größe|closed|0|2|NULL|2011-04-22T13:33:48.000Z|2011-04-22T23:00:00.000Z|0|2|NULL
        """,
        "3|1349|Third|open|0|1|NULL|2011-05-01T00:00:00.000Z|NULL|0|2|1002604",
      ])
    XCTAssertEqual(
      try database.table("users"),
      ["1|octocat|https://example.org/o.gif|User|0", "2|hubot|https://example.org/h.gif|Bot|1"])
    XCTAssertEqual(
      try database.table("labels"),
      ["9|size|ededed|NULL", "208045946|bug|f29513|Something isn't working"])
    XCTAssertEqual(try database.table("milestones"), ["1002604|1|v1.0|2012-10-09T23:39:01.000Z|1"])
    XCTAssertEqual(try database.table("issue_labels"), ["1|208045946", "2|9", "2|208045946"])
    XCTAssertEqual(try database.table("assignments"), ["1|1", "1|2"])
    assertUnchanged(try await sync(database, [Self.first, Self.second]))
  }

  func testExactlyWhatHasChangedThereIsChanged() async throws {
    let database = try TestDatabase(Self.tables)
    _ = try await sync(database, [Self.first, Self.second])
    let first = changed(
      Self.first, (#""state": "open", "title": "Found"#, #""state": "closed", "title": "Found"#),
      (#""comments": 0"#, #""comments": 1"#),
      (
        "\"closed_at\": null,\n  \"created_at\": \"2011-04-22",
        "\"closed_at\": \"2011-06-01T00:00:00Z\",\n  \"created_at\": \"2011-04-22"
      ),
      (#""labels": [\#(Self.bug)]"#, #""labels": []"#))
    let second =
      #"[{"id": 4, "number": 1350, "state": "open", "title": "New", "user": \#(Self.octocat)}]"#
    let report = try await sync(database, [first, second])
    let issues = try XCTUnwrap(report.tables["issues"])
    XCTAssertEqual(issues.changes, ["1: state, comments, closed_at"])
    XCTAssertEqual(issues.inserted.map(\.integer), [4])
    XCTAssertEqual(issues.deleted.map(\.integer), [2, 3])
    // Two of them went with their issue.
    XCTAssertEqual(report.tables["issue_labels"]?.unlinked, 3)
    XCTAssertEqual(report.tables["users"]?.changes ?? [], [])
    XCTAssertEqual(try database.rows("SELECT id, state FROM issues"), ["1|closed", "4|open"])
    // Labels, users and milestones are nobody's children.
    XCTAssertEqual(try database.table("labels").count, 2)
    XCTAssertEqual(try database.table("issue_labels"), [])
    assertUnchanged(try await sync(database, [first, second]))
  }
}
