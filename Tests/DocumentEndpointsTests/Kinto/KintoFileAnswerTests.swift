import DocumentSync
import SyncTransport
import TransportTesting
import TestSupport
import XCTest

@testable import DocumentEndpoints

/// What is answered where a file's content should be.
///
/// Whatever was no content ended the sync, and with it that of all other files.
final class KintoFileAnswerTests: XCTestCase {
  private let transport = MemoryTransport()

  /// What comes of reading a file from a location, of which each answer may have 100 bytes.
  private func read(
    _ location: String = "/files/a", _ status: Int = 200, _ fields: [(String, String)] = [],
    bytes: Int = 9
  ) async throws -> FileEnd {
    transport.answer(
      try WebAddress("https://example.org/files/a"),
      with: MemoryTransport.Answer(
        status: status, headers: HTTPHeaders(fields), body: [UInt8](repeating: 1, count: bytes)))
    var options = ServiceOptions(over: transport)
    options.longestAnswer = 100
    let endpoint = try KintoEndpoint(
      server: "https://example.org", bucket: "b", options: options,
      authorization: { "Basic bWU6c2VjcmV0IHdvcmQ=" })
    let file = ServerFile(location: location, digest: "d", size: 300)
    return try await endpoint.file(.read(file, from: 0, count: 50)).end
  }

  private func isUnusable(_ end: FileEnd) -> Bool {
    if case .unusable = end { true } else { false }
  }

  func testWhatIsNoContentConcernsTheFileAlone() async throws {
    let long = try await read(bytes: 101)
    XCTAssertTrue(isUnusable(long), "\(long)")
    let part = try await read("/files/a", 206)
    XCTAssertTrue(isUnusable(part), "\(part)")
    let other = try await read("/files/a", 202)
    XCTAssertTrue(isUnusable(other), "\(other)")
    for status in [400, 403, 405, 451] {
      try await assertEqual(read("/files/a", status), .refused(status: status, words: ""))
    }
    let asked = transport.log.count
    try await assertEqual(read(""), .missing)
    XCTAssertEqual(transport.log.count, asked, "nothing is asked of no address")
  }

  func testTroubleOfTheServerIsNoFilesFault() async throws {
    for status in [401, 429, 503] {
      await assertThrows(EndpointError.self, try await read("/files/a", status))
    }
  }
}
