import Foundation
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

/// A real server that takes files and lets them go.
final class WritableServerTests: XCTestCase {
  func testAFileIsPutFetchedAndDeleted() async throws {
    for isEncrypted in [false, true] { try await putFetchAndDelete(isEncrypted: isEncrypted) }
  }

  private func putFetchAndDelete(isEncrypted: Bool) async throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let root = place.appending(path: "root")
    try makeFolder(at: root)
    defer { try? FileManager.default.removeItem(at: place) }
    var options = NginxServer.Options(locations: [
      "location / { dav_methods PUT DELETE; create_full_put_path on; client_max_body_size 2m; }"
    ])
    options.certificate = isEncrypted ? try Certificate(in: place) : nil
    let nginx = try NginxServer(
      root: root, state: place.appending(path: "state"), options: options)
    defer { XCTAssertNoThrow(try nginx.stop()) }
    var configuration = TransportConfiguration()
    configuration.caFile = options.certificate?.file.path
    let transport = CurlTransport(configuration, environment: [:])
    let body = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try Data(body + body).write(to: place.appending(path: "source"))
    let source = try FileHandle(forReadingFrom: place.appending(path: "source"))

    var put = HTTPRequest(try WebAddress(nginx.url + "a/file.bin"))
    put.method = .put
    put.body = RequestBody(file: source.fileDescriptor, length: 1_500_000)
    for status in [201, 204] {
      try await assertEqual(transport.exchange(put, into: DiscardingReceiver()).status, status)
    }
    XCTAssertEqual([UInt8](try Data(contentsOf: root.appending(path: "a/file.bin"))), body)

    let receiver = DataReceiver(limit: 2_000_000)
    _ = try await transport.exchange(HTTPRequest(put.address), into: receiver)
    XCTAssertEqual(receiver.bytes, body)

    var large = put
    large.body = RequestBody(file: source.fileDescriptor, length: 3_000_000)
    try await assertEqual(transport.exchange(large, into: DiscardingReceiver()).status, 413)

    var delete = HTTPRequest(put.address)
    delete.method = .delete
    for status in [204, 404] {
      try await assertEqual(transport.exchange(delete, into: DiscardingReceiver()).status, status)
    }
    await transport.close()
  }
}
