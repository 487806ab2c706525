import DocumentSync
import XCTest

/// Answers that say secrets again, in whatever form, or that give new ones: none of them is kept.
final class HostileAnswerTests: XCTestCase {
  private func kept(_ body: String, _ secrets: String...) -> String {
    EndpointCall(
      "GET", "https://example.org/", status: 403, body: Array(body.utf8), secrets: secrets
    ).body
  }

  /// Each way in which programs escape what they print.
  func testAKnownSecretIsFoundInEachFormInWhichItMayBePrinted() {
    let secret = "a/b+c&d<é\"\\"
    let forms = [
      secret, #"a\/b+c&d<é\"\\"#, #"a/b\u002Bc\u0026d\u003Cé\u0022\u005C"#,
      #"a/b\u002bc\u0026d\u003c\u00e9\"\\"#, #"a\u002Fb+c&d<\u00E9\"\\"#,
      "a/b+c&amp;d&lt;é&quot;\\", "a&#x2F;b&#43;c&#38;d&#x3C;é&#34;&#92;",
      #"a\\/b+c&d<é\\\"\\\\"#, "a%2Fb%2Bc%26d%3C%C3%A9%22%5C", "a%2fb%2bc%26d%3c%c3%a9%22%5c",
    ]
    for form in forms {
      XCTAssertEqual(kept("you sent [\(form)] to us", secret), "you sent […] to us", form)
    }
  }

  func testWhatIsNamedAsASecretInJSONIsNotKept() {
    let rows = [
      (#"{"token": "abc", "n": 1}"#, #"{"token": "…", "n": 1}"#),
      (
        #"{"Access_Token":"a\"b","x":{"password":"p"}}"#,
        #"{"Access_Token":"…","x":{"password":"…"}}"#
      ),
      (#"{"client-secret" : "abc"}"#, #"{"client-secret" : "…"}"#),
      (#"{"sent": "{\"password\": \"abc\"}"}"#, #"{"sent": "{\"password\": \"…\"}"}"#),
      (#"{"token": "abc"#, #"{"token": "…"#),
      (#"{"tokens": 7, "code": "gone"}"#, #"{"tokens": 7, "code": "gone"}"#),
    ]
    for (body, expected) in rows { XCTAssertEqual(kept(body), expected) }
  }

  func testWhatIsNamedAsASecretInAddressesAndFormsIsNotKept() {
    let rows = [
      (
        #"{"next": "https://me:word@h.example/x?page=2&api_key=abc&y=1"}"#,
        #"{"next": "https://h.example/x?page=2&api_key=…&y=1"}"#
      ),
      (
        #"{"next":"https:\/\/me:word@h.example\/x?code=abc"}"#,
        #"{"next":"https:\/\/h.example\/x?code=…"}"#
      ),
      ("<a href='/in?auth=abc'>in</a>", "<a href='/in?auth=…'>in</a>"),
      ("user=ann&passwd=abc", "user=ann&passwd=…"),
      ("/x?a%63cess%5Ftoken=abc&n=1", "/x?a%63cess%5Ftoken=…&n=1"),
      (#"Token token="abc", x="1""#, #"Token token="…", x="1""#),
    ]
    for (body, expected) in rows { XCTAssertEqual(kept(body), expected) }
  }

  func testARequestThatIsShownLosesItsCredentials() {
    let rows = [
      ("GET /\r\nAuthorization: Basic YW5u\r\nHost: x", "GET /\r\nAuthorization: …\r\nHost: x"),
      (#"{"log": "/\nX-Api-Key: abc\nHost: x"}"#, #"{"log": "/\nX-Api-Key: …\nHost: x"}"#),
      ("you sent Cookie: id=1; sid=2", "you sent Cookie: …"),
      (#"{"headers": {"Authorization": "Bearer abc"}}"#, #"{"headers": {"Authorization": "…"}}"#),
      (#"{"why": "invalid token: it is old"}"#, #"{"why": "invalid token: it is old"}"#),
    ]
    for (body, expected) in rows { XCTAssertEqual(kept(body), expected) }
  }

  func testWhatIsCutIsNoBeginningOfASecret() {
    let fill = String(repeating: "x", count: 65_536 - 12)
    for secret in [#"{"token": "abcdefghij"#, "?token=abcdefghij", "abcdefghij"] {
      let body = kept(fill + secret, "abcdefghij")
      XCTAssertFalse(body.contains("abc"), body.suffix(20).description)
      XCTAssertLessThanOrEqual(body.utf8.count, 65_536)
    }
  }

  func testDocumentsAreKeptAsTheyAre() {
    let body = #"{"data":{"title":"a: b = c","url":"http://x.example/a?b=c","at":"10:30"}}"#
    XCTAssertEqual(kept(body, "secret"), body)
  }
}
