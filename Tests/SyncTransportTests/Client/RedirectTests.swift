import SyncTransport
import TestSupport
import TransportTesting
import XCTest

final class RedirectTests: XCTestCase {
  private typealias Answer = MemoryTransport.Answer

  func testEachKindOfRedirectIsFollowedAndItsBodyDropped() async throws {
    for status in [301, 302, 303, 307, 308] {
      let fixture = ClientFixture()
      try fixture.answer("http://h/a/b", [.redirect(status, to: "../c?x#y")])
      try fixture.answer("http://h/c?x", [.ok("there")])
      let receiver = RecordingReceiver()
      let response = try await fixture.fetch("http://h/a/b", into: receiver)
      XCTAssertEqual(response.address.text, "http://h/c?x")
      XCTAssertEqual(receiver.heads.count, 1)
      XCTAssertEqual(receiver.bytes, Array("there".utf8))
      XCTAssertEqual(
        fixture.events,
        [
          .redirected(
            from: try WebAddress("http://h/a/b"), to: try WebAddress("http://h/c?x"), status: status
          )
        ])
    }
  }

  func testTenHopsAreFollowedAndElevenAreNot() async throws {
    for (count, expected) in [(10, nil), (11, TransportError.Code.tooManyRedirects)] {
      let fixture = ClientFixture()
      for hop in 0..<count { try fixture.answer("http://h/\(hop)", [.redirect(to: "\(hop + 1)")]) }
      try fixture.answer("http://h/\(count)", [.ok("")])
      try await assertEqual(fixture.code("http://h/0"), expected)
    }
    let loop = ClientFixture()
    try loop.answer("http://h/", [.redirect(to: "/")])
    try await assertEqual(loop.code("http://h/"), .tooManyRedirects)
    XCTAssertEqual(loop.memory.log.count, 11)
  }

  func testBadRedirectsAreRefused() async throws {
    let table = [
      "http://h/plain", "file:///etc/passwd", "ftp://h/", "//h:0/", "http://h/a b", "",
      "javascript:x",
    ]
    for location in table {
      let fixture = ClientFixture()
      try fixture.answer("https://h/", [.redirect(to: location)])
      try await assertEqual(fixture.code("https://h/"), .badRedirect, location)
      XCTAssertEqual(fixture.memory.log.count, 1)
    }
    let fixture = ClientFixture()
    let two = HTTPHeaders([("Location", "/a"), ("Location", "/b")])
    try fixture.answer("http://h/", [Answer(status: 302, headers: two)])
    try fixture.answer("http://h/none", [Answer(status: 302)])
    for url in ["http://h/", "http://h/none"] {
      try await assertEqual(fixture.code(url), .badRedirect)
    }
  }

  func testSecretsStayWithTheirOrigin() async throws {
    var access = OriginAccess()
    let home = try WebAddress("https://home/").origin
    access.authorize(home, .bearer("secret"))
    access.add("X-Key", "secret", for: home)
    access.allowNetrc(for: home)
    let fixture = ClientFixture(access: access)
    try fixture.answer("https://home/", [.redirect(to: "https://home/2")])
    try fixture.answer("https://home/2", [.redirect(to: "https://away/")])
    try fixture.answer("https://away/", [.redirect(to: "https://home:8443/")])
    try fixture.answer("https://home:8443/", [.redirect(to: "https://u:p@home/3")])
    try fixture.answer("https://home/3", [.ok("")])
    _ = try await fixture.fetch(
      "https://home/",
      headers: [("X-Token", "secret"), ("Cookie", "secret"), ("If-None-Match", "\"1\"")])
    let hops = fixture.memory.log
    XCTAssertEqual(hops.map(\.headers["If-None-Match"]), Array(repeating: "\"1\"", count: 5))
    for hop in hops {
      let secrets = hop.headers.fields.filter { $0.value.contains("secret") }.map(\.name)
      let isHome = hop.address.origin == home
      XCTAssertEqual(secrets, isHome ? ["X-Token", "Cookie", "Authorization", "X-Key"] : [])
      XCTAssertEqual(hop.headers["Authorization"], isHome ? "Bearer secret" : nil)
      XCTAssertEqual(hop.usesNetrc, isHome, "whatever the file has for others")
    }
    XCTAssertEqual("\(access)", "(access to 1 origins)")
  }

  func testCredentialsOfAnAddressAreSentOnceGranted() async throws {
    let (address, credentials) = try WebAddress.parse("https://me:secret@h/")
    var access = OriginAccess()
    access.authorize(address.origin, .basic(try XCTUnwrap(credentials)))
    let fixture = ClientFixture(access: access)
    try fixture.answer("https://h/", [.ok("")])
    _ = try await fixture.fetch("https://h/")
    XCTAssertEqual(fixture.memory.log.first?.headers["authorization"], "Basic bWU6c2VjcmV0")
  }

  func testOnlySuccessReachesTheReceiver() async throws {
    let fixture = ClientFixture()
    try fixture.answer("http://h/304", [Answer(status: 304)])
    try fixture.answer("http://h/206", [Answer(status: 206, body: [1])])
    try fixture.answer("http://h/404", [Answer(status: 404, body: [1])])
    let receiver = RecordingReceiver()
    try await assertEqual(fixture.fetch("http://h/304", into: receiver).status, 304)
    try await assertEqual(fixture.code("http://h/404", into: receiver), .status(404))
    XCTAssertEqual(receiver.calls, 0)
    try await assertEqual(fixture.fetch("http://h/206", into: receiver).status, 206)
    XCTAssertEqual(receiver.bytes, [1])
  }

  func testTheStatusOfAnUnwantedBodyCountsHoweverItEnds() async throws {
    var broken = Answer(status: 404, body: [1])
    broken.breakage = .interrupted
    var long = Answer(status: 404, body: [UInt8](repeating: 0, count: 200_000))
    long.bodyGate = nil
    for answer in [broken, long] {
      let fixture = ClientFixture()
      try fixture.answer("http://h/", [answer])
      try await assertEqual(fixture.code("http://h/"), .status(404))
      XCTAssertEqual(fixture.memory.log.count, 1)
    }
  }
}
