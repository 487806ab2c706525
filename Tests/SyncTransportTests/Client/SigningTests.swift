import SyncLock
import SyncText
import TestSupport
import TransportTesting
import XCTest

@testable import SyncTransport

/// What is signed, for whom, and when; and what a server says of a signature.
final class SigningTests: XCTestCase {
  private func access() throws -> OriginAccess {
    var access = OriginAccess()
    access.sign(
      try WebAddress("https://h/").origin,
      with: SignatureV4(AccessKey(id: "id", secret: "secret"), region: "eu-central-1"))
    return access
  }

  private func dates(of fixture: ClientFixture) -> [String?] {
    fixture.memory.log.map { $0.headers["x-amz-date"] }
  }

  func testEachAttemptIsSignedWithItsOwnDate() async throws {
    let memory = MemoryTransport()
    memory.answer(try WebAddress("https://h/"), with: [.init(status: 503), .ok("there")])
    let seconds = Locked<Int64>(784_111_777)
    let client = HTTPClient(
      memory, access: try access(), clock: ScriptedClock(isHeld: false), random: { 1 },
      today: {
        HTTPDate(
          secondsSince1970: seconds.withLock {
            $0 += 60
            return $0
          })
      })
    _ = try await client.fetch(
      FetchRequest(try WebAddress("https://h/")), into: DiscardingReceiver())
    let dates = memory.log.map { $0.headers["x-amz-date"] }
    XCTAssertEqual(dates.count, 2)
    XCTAssertNotEqual(dates[0], dates[1])
    XCTAssertEqual(memory.log.map { $0.headers.all("Authorization").count }, [1, 1])
  }

  func testARedirectIsSignedAnewAndToAnotherOriginNotAtAll() async throws {
    let fixture = ClientFixture(access: try access())
    try fixture.answer("https://h/a", [.redirect(307, to: "/b")])
    try fixture.answer("https://h/b", [.redirect(307, to: "https://other/c")])
    try fixture.answer("https://other/c", [.ok("there")])
    _ = try await fixture.fetch("https://h/a", headers: [("Range", "bytes=3-")])
    let fields = fixture.memory.log.map { $0.headers["Authorization"] }
    XCTAssertEqual(fields.map { $0 != nil }, [true, true, false])
    XCTAssertNotEqual(fields[0], fields[1], "each path has a signature of its own")
    XCTAssertNil(fixture.memory.log[2].headers["x-amz-content-sha256"])
    XCTAssertEqual(
      fixture.memory.log.map { $0.headers["Range"] }, Array(repeating: "bytes=3-", count: 3))
  }

  func testWhoIsAuthorizedInAnotherWayIsNotSignedFor() async throws {
    var access = try access()
    access.authorize(try WebAddress("https://h/").origin, .bearer("token"))
    let fixture = ClientFixture(access: access)
    try fixture.answer("https://h/", [.ok("there")])
    _ = try await fixture.fetch("https://h/")
    XCTAssertEqual(fixture.memory.log.first?.headers.all("Authorization"), ["Bearer token"])
  }

  private func error(_ answer: MemoryTransport.Answer) async throws -> TransportError? {
    let fixture = ClientFixture(access: try access())
    try fixture.answer("https://h/", [answer])
    do {
      _ = try await fixture.fetch("https://h/")
      return nil
    } catch let error as TransportError {
      return error
    }
  }

  private func answer(
    _ status: Int, _ code: String, _ more: String = "", fields: [(String, String)] = []
  ) -> MemoryTransport.Answer {
    let body = """
      <?xml version="1.0" encoding="UTF-8"?>
      <Error><Code>\(code)</Code><Message>x</Message>\(more)</Error>
      """
    return .init(status: status, headers: HTTPHeaders(fields), body: Array(body.utf8))
  }

  func testAWrongRegionIsToldByItsName() async throws {
    let answers = [
      answer(301, "PermanentRedirect", fields: [("x-amz-bucket-region", "eu-west-1")]),
      answer(400, "AuthorizationHeaderMalformed", "<Region>eu-west-1</Region>"),
      answer(
        400, "AuthorizationHeaderMalformed", fields: [("x-amz-bucket-region", "eu-west-1")]),
    ]
    for answer in answers {
      let error = try await error(answer)
      XCTAssertEqual(
        error.map { "\($0)" },
        """
        https://h/: the bucket is in the region eu-west-1 (asked as in eu-central-1). Name that \
        region, and the endpoint of it if you name one.
        """)
    }
  }

  func testAClockThatDiffersIsTold() async throws {
    let error = try await error(answer(403, "RequestTimeTooSkewed"))
    XCTAssertEqual(
      error.map { "\($0)" },
      """
      https://h/: the server refuses the signature, as its clock differs from this machine's \
      (here it is 1994-11-06T08:49:37Z). Set this machine's clock.
      """)
    XCTAssertEqual(error?.isTransient, false)
  }

  func testAKeyThatIsWrongIsTold() async throws {
    for code in ["SignatureDoesNotMatch", "InvalidAccessKeyId"] {
      let error = try await error(answer(403, code))
      XCTAssertEqual(error?.code, .keyRefused)
      XCTAssertEqual(error?.isTransient, false)
    }
  }

  func testOtherRefusalsStayWhatTheyAre() async throws {
    for (answer, code) in [
      (answer(403, "AccessDenied"), TransportError.Code.status(403)),
      (answer(403, "AccessDenied", fields: [("x-amz-bucket-region", "eu-west-1")]), .status(403)),
      (answer(400, "AuthorizationHeaderMalformed", "<Region>a b</Region>"), .status(400)),
      (answer(400, "InvalidRequest"), .status(400)),
    ] {
      try await assertEqual(error(answer)?.code, code)
    }
  }
}
