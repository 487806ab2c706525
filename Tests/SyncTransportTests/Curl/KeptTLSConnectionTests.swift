import Foundation
import RawSockets
import SyncTransport
import TestSupport
import XCTest

/// What lies on an encrypted connection doesn't always lie on its socket: the TLS library reads
/// ahead, up to the end of a record.
final class KeptTLSConnectionTests: XCTestCase {
  private var folder = URL(filePath: "/")
  private var server: ChildProcess?

  override func setUpWithError() throws {
    folder = try temporaryFolder()
  }

  override func tearDownWithError() throws {
    server?.send(SIGKILL)
    _ = try server?.end(within: .seconds(10))
  }

  /// Starts a server that answers with whatever is written to `input`.
  private func start(_ certificate: Certificate, port: UInt16, input: Pipe) throws -> ChildProcess {
    let child = try ChildProcess(
      try Programs.find("openssl"),
      [
        "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.file.path, "-key",
        certificate.key.path,
      ], environment: [:], directory: folder, records: folder,
      input: input.fileHandleForReading.fileDescriptor)
    server = child
    return child
  }

  private func wait(for words: String, in child: ChildProcess) async {
    while !child.printed.contains(words), child.isRunning { await Task.yield() }
  }

  func testWhatIsDecryptedAndUnreadIsNobodysAnswer() async throws {
    let certificate = try Certificate(in: folder)
    let listener = try RawSocket.listen()
    let port = RawSocket.port(of: listener)
    close(listener)
    let input = Pipe()
    let child = try start(certificate, port: port, input: input)
    await wait(for: "ACCEPT", in: child)
    var configuration = TransportConfiguration()
    configuration.caFile = certificate.file.path
    let transport = curl(configuration)
    // More than a record, so that the body's end and what follows come in one record of their own.
    let long = String(repeating: "x", count: 20_000)
    let ok = "HTTP/1.1 200 OK\r\nContent-Length: "
    let answers = [
      ("/first", ok + "20000\r\n\r\n" + long + ok + "6\r\n\r\nPOISON", long),
      ("/second", ok + "5\r\n\r\nright", "right"),
    ]
    for (path, answer, expected) in answers {
      let receiver = DataReceiver(limit: 100_000)
      let request = HTTPRequest(try WebAddress("https://127.0.0.1:\(port)\(path)"))
      async let response = transport.exchange(request, into: receiver)
      await wait(for: "GET \(path) ", in: child)
      try input.fileHandleForWriting.write(contentsOf: Data(answer.utf8))
      try await assertEqual(response.status, 200)
      XCTAssertTrue(String(decoding: receiver.bytes, as: UTF8.self) == expected, path)
    }
  }
}
