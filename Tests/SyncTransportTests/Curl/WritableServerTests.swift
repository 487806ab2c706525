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

    var put = HTTPRequest(try WebAddress(nginx.url + "a/file.bin"))
    put.method = .put
    put.body = Self.body(body)
    for status in [201, 204] {
      try await assertEqual(transport.exchange(put, into: DiscardingReceiver()).status, status)
    }
    XCTAssertEqual([UInt8](try Data(contentsOf: root.appending(path: "a/file.bin"))), body)

    let receiver = DataReceiver(limit: 2_000_000)
    _ = try await transport.exchange(HTTPRequest(put.address), into: receiver)
    XCTAssertEqual(receiver.bytes, body)

    var large = put
    large.body = Self.body(body + body)
    try await assertEqual(transport.exchange(large, into: DiscardingReceiver()).status, 413)

    var delete = HTTPRequest(put.address)
    delete.method = .delete
    for status in [204, 404] {
      try await assertEqual(transport.exchange(delete, into: DiscardingReceiver()).status, status)
    }
    await transport.close()
  }

  /// A body that is read a piece at a time.
  private static func body(_ bytes: [UInt8]) -> RequestBody {
    RequestBody(parts: [
      .read(count: Int64(bytes.count)) { offset, room in
        room.copyBytes(from: bytes[Int(offset)...].prefix(room.count))
        return room.count
      }
    ])
  }
}
