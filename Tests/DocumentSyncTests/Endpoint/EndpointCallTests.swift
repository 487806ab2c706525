import DocumentSync
import XCTest

final class EndpointCallTests: XCTestCase {
  private func call(
    _ address: String, fields: [(name: String, value: String)] = [], body: String = "",
    secrets: [String] = []
  ) -> EndpointCall {
    EndpointCall(
      "PUT", address, status: 200, fields: fields, body: Array(body.utf8), secrets: secrets)
  }

  func testAnAddressLosesItsUserAndPassword() {
    XCTAssertEqual(
      call("https://me:p@ss@example.org/a@b?x=1").request, "PUT https://example.org/a@b?x=1")
  }

  func testParametersThatAreNamedAsSecretsLoseTheirValues() {
    XCTAssertEqual(
      call("https://example.org/?_since=5&Access_Token=abc&key=1&keys=2&sig&x=").request,
      "PUT https://example.org/?_since=5&Access_Token=…&key=…&keys=2&sig&x=")
  }

  func testFieldsThatCarryCredentialsLoseTheirValues() {
    let fields = call(
      "https://example.org/",
      fields: [
        ("Set-Cookie", "a=b"), ("X-Auth-Token", "c"), ("ETag", "\"5\""),
        ("Next-Page", "https://u:p@example.org/?token=abc&_limit=5"),
        ("Location", "/in?access_token=abc#top"), ("Link", "</x?sig=abc>; rel=\"next\""),
        ("set-cookie2", "a=b"),
      ]
    ).fields
    XCTAssertEqual(
      fields.map(\.value),
      [
        "…", "\"5\"", "https://example.org/?token=…&_limit=5", "/in?access_token=…#top",
        "</x?sig=…>; rel=\"next\"",
      ])
  }

  func testAKnownSecretIsTakenOutWhereverItStands() {
    let secret = "a \"b\"/ü"
    let one = call(
      "https://example.org/a%20%22b%22/%C3%BC", fields: [("Warning", "299 - a \"b\"/ü!")],
      body: #"{"you said":"a \"b\"/ü"}"#, secrets: [secret, ""])
    XCTAssertEqual(one.request, "PUT https://example.org/…")
    XCTAssertEqual(one.fields.map(\.value), ["299 - …!"])
    XCTAssertEqual(one.body, #"{"you said":"…"}"#)
  }

  func testASecretInsideAnotherOneLeavesNothingOfIt() {
    XCTAssertEqual(
      call("https://example.org/", body: "abcdef", secrets: ["abc", "abcdef"]).body, "…")
  }

  func testASecretAcrossTheCutIsFound() {
    let body = String(repeating: "x", count: EndpointCall.longestBody - 3) + "secret"
    let one = call("https://example.org/", body: body, secrets: ["secret"])
    XCTAssert(one.body.hasSuffix("xx…"), one.body)
    XCTAssertEqual(one.bodyBytes, EndpointCall.longestBody + 3)
  }

  func testALongBodyIsCutWhereACharacterEnds() {
    let body = "x" + String(repeating: "é", count: EndpointCall.longestBody)
    let kept = call("https://example.org/", body: body).body
    XCTAssertEqual(kept.utf8.count, EndpointCall.longestBody - 1)
    XCTAssertEqual(kept.last, "é")
  }

  func testACallIsShownLineByLineWithoutSteeringATerminal() {
    let one = EndpointCall(
      "GET", "https://example.org/", status: 503,
      fields: [("Retry-After", "5")],
      body: Array("<\u{1B}[2J>".utf8), problem: "at byte 0 stands what begins no value")
    XCTAssertEqual(
      one.text,
      """
      GET https://example.org/
      503
      Retry-After: 5

      <\\x1B[2J>

      (at byte 0 stands what begins no value)
      """)
    XCTAssertEqual(
      EndpointCall("GET", "https://example.org/").text,
      "GET https://example.org/\nno answer")
  }
}
