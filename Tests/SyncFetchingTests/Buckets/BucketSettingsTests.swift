import SyncText
import SyncTransport
import XCTest

@testable import SyncFetching

/// Where the key of a bucket is looked for, and in which order.
final class BucketSettingsTests: XCTestCase {
  private let files = [
    "/home/u/.aws/credentials": """
    # keys
    [default]
    aws_access_key_id = D
    aws_secret_access_key = d+/=
    [work]
    aws_access_key_id=W
    aws_secret_access_key=w
    aws_session_token=token
    """,
    "/home/u/.aws/config": """
    [default]
    region = eu-north-1
    s3 =
      region = nested
    [profile work]
    region = eu-west-3
    [profile sso]
    sso_start_url = https://x
    [sso-session profile]
    region = none
    """,
    "/elsewhere": "[default]\naws_access_key_id = E\naws_secret_access_key = e",
  ]

  private func settings(
    _ variables: [String: String] = [:], _ change: (inout BucketAccess) -> Void = { _ in }
  ) throws -> BucketSettings {
    var access = BucketAccess()
    change(&access)
    let all = ["HOME": "/home/u"].merging(variables) { $1 }
    return try BucketSettings(access, variables: all) { files[$0] }
  }

  func testTheDefaultProfileIsUsedWhereNothingElseIsSaid() throws {
    let found = try settings()
    XCTAssertEqual(found.key, AccessKey(id: "D", secret: "d+/="))
    XCTAssertEqual(found.region, "eu-north-1")
  }

  func testVariablesGoBeforeFilesAndANamedProfileBeforeVariables() throws {
    let variables = [
      "AWS_ACCESS_KEY_ID": "V", "AWS_SECRET_ACCESS_KEY": "v", "AWS_SESSION_TOKEN": "t",
      "AWS_REGION": "us-west-2", "AWS_DEFAULT_REGION": "no",
    ]
    let found = try settings(variables)
    XCTAssertEqual(found.key, AccessKey(id: "V", secret: "v", sessionToken: "t"))
    XCTAssertEqual(found.region, "us-west-2")
    let named = try settings(variables) { $0.profile = "work" }
    XCTAssertEqual(named.key, AccessKey(id: "W", secret: "w", sessionToken: "token"))
    let region = try settings(variables) { $0.region = "mine" }
    XCTAssertEqual(region.region, "mine")
  }

  func testAProfileOfTheVariablesIsUsedAndItsRegion() throws {
    let found = try settings(["AWS_PROFILE": "work"])
    XCTAssertEqual(found.key?.id, "W")
    XCTAssertEqual(found.region, "eu-west-3")
  }

  func testFilesMayLieElsewhere() throws {
    let found = try settings(["AWS_SHARED_CREDENTIALS_FILE": "/elsewhere"])
    XCTAssertEqual(found.key?.id, "E")
    XCTAssertEqual(found.region, "eu-north-1")
  }

  func testWithoutAnyKeyOrWhereNobodyIsToBeKnownNothingIsSigned() throws {
    let none = try settings(["HOME": "/nobody"])
    XCTAssertNil(none.key)
    XCTAssertEqual(none.region, "us-east-1")
    XCTAssertNil(try settings { $0.isAnonymous = true }.key)
    XCTAssertNil(try settings(["AWS_PROFILE": "sso"]) { $0.isAnonymous = true }.key)
  }

  func testANamedProfileThatCannotBeUsedIsAnError() throws {
    for (name, problem) in [("sso", ProfileProblem.withoutKey), ("nobody\u{1B}", .missing)] {
      for asked in [
        { try self.settings { $0.profile = name } }, { try self.settings(["AWS_PROFILE": name]) },
      ] {
        XCTAssertThrowsError(try asked()) { error in
          guard case SourceProblem.profile(let shown, problem) = error else {
            return XCTFail("\(error)")
          }
          XCTAssertFalse(shown.contains("\u{1B}"))
        }
      }
    }
  }

  func testABucketIsBelowItsServer() throws {
    let table: [(String, String?, String?)] = [
      ("s3://b/p%20q", nil, "https://s3.eu-west-3.amazonaws.com/b/p%20q"),
      ("s3://b", nil, "https://s3.eu-west-3.amazonaws.com/b/"),
      ("s3://b.c_d/", "http://127.0.0.1:9000", "http://127.0.0.1:9000/b.c_d/"),
      ("s3://b/p", "https://h/", "https://h/b/p"),
      ("s3://b/p", "https://h/path", nil), ("s3://b/p", "nothing", nil), ("s3:///p", nil, nil),
      ("s3://user@b/p", nil, nil), ("s3://b/p?x", nil, nil), ("s3://../p", nil, nil),
    ]
    for (text, endpoint, expected) in table {
      let named = try XCTUnwrap(URLReference(text))
      XCTAssertEqual(
        BucketAddress.address(of: named, endpoint: endpoint, region: "eu-west-3"), expected, text)
    }
    let china = BucketAddress.address(
      of: try XCTUnwrap(URLReference("s3://b/")), endpoint: nil, region: "cn-north-1")
    XCTAssertEqual(china, "https://s3.cn-north-1.amazonaws.com.cn/b/")
  }
}
