import XCTest

@testable import SyncTransport

/// What a server wants to be shown was split at every comma, so that a word in its realm could pass
/// for another scheme.
final class ChallengeTests: XCTestCase {
  private func challenge(
    _ scheme: String, _ token: String? = nil, _ parameters: [String: String] = [:]
  ) -> Challenge { Challenge(scheme: scheme, token: token, parameters: parameters) }

  func testChallengesAreReadAsTheyAreWritten() {
    let table: [([String], [Challenge])] = [
      ([], []),
      ([""], []),
      ([" , ,"], []),
      (["Basic"], [challenge("basic")]),
      (["Negotiate, Digest"], [challenge("negotiate"), challenge("digest")]),
      (["Negotiate", "Digest"], [challenge("negotiate"), challenge("digest")]),
      (["Negotiate YWJj+/=="], [challenge("negotiate", "YWJj+/==")]),
      (["Negotiate YWJj , NTLM"], [challenge("negotiate", "YWJj"), challenge("ntlm")]),
      (["BASIC Realm=x"], [challenge("basic", nil, ["realm": "x"])]),
      (["Basic realm = \"x\""], [challenge("basic", nil, ["realm": "x"])]),
      (
        ["Digest realm=\"x\", nonce=\"n\" ,qop=\"auth,auth-int\",stale=FALSE, Basic realm=\"y\""],
        [
          challenge(
            "digest", nil, ["realm": "x", "nonce": "n", "qop": "auth,auth-int", "stale": "FALSE"]),
          challenge("basic", nil, ["realm": "y"]),
        ]
      ),
      (
        [#"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#],
        [
          challenge("newauth", nil, ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
          challenge("basic", nil, ["realm": "simple"]),
        ]
      ),
      (
        [#"Basic realm="Files, Digest realm=no", charset="UTF-8""#],
        [challenge("basic", nil, ["realm": "Files, Digest realm=no", "charset": "UTF-8"])]
      ),
      (
        [#"Basic realm="a\\", Digest realm="b\",c""#],
        [challenge("basic", nil, ["realm": #"a\"#]), challenge("digest", nil, ["realm": "b\",c"])]
      ),
      (["Basic realm=\"x\", realm=\"y\""], [challenge("basic", nil, ["realm": "x"])]),
      (
        ["Basic realm=\"é\u{301}, Digest\""],
        [challenge("basic", nil, ["realm": "é\u{301}, Digest"])]
      ),
    ]
    for (lines, expected) in table {
      XCTAssertEqual(Challenge.all(in: lines), expected, "\(lines)")
    }
  }

  func testWhatCanNotBeReadIsLeftOut() {
    let table: [(String, [String])] = [
      ("realm=\"x\", Digest nonce=\"n\"", ["digest"]),
      ("Basic realm=\"open, Digest nonce=n", ["basic"]),
      ("\"quoted, Digest\", Basic", ["basic"]),
      ("Basic =, Digest", ["basic", "digest"]),
      ("é, Digest", ["digest"]),
      ("Digest;realm=x", ["digest"]),
      (String(repeating: "\"\\", count: 50_000), []),
    ]
    for (line, schemes) in table {
      XCTAssertEqual(Challenge.all(in: [line]).map(\.scheme), schemes, String(line.prefix(80)))
    }
  }
}
