import SyncLock
import SynchronizerTesting
import TestSupport
import SyncTransport
import TransportTesting
import XCTest

/// A transport with something to answer its requests.
protocol TransportStage: Sendable {
  var transport: any Transport { get }
  /// The address that answers as the script says.
  func address(_ script: Script) throws -> WebAddress
  /// The requests that came.
  var arrivals: [Arrival] { get }
  func end() async
}

extension TransportStage {
  /// How many requests came.
  var requestCount: Int { arrivals.count }
}

/// A request as it came.
struct Arrival: Sendable, Equatable, CustomStringConvertible {
  var method: String
  var mediaType: String?
  var body: [UInt8] = []

  var description: String { "\(method) \(mediaType ?? "-") with \(body.count) bytes" }
}

/// What an address answers, for a real server and for memory.
struct Script: Sendable {
  var status = 200
  var headers: [(String, String)] = []
  var body: [UInt8] = []
  var framing = Way.length
  /// Announces more than it sends, then closes.
  var isShort = false
  /// Opened when the request comes.
  var arrival = Gate()
  /// Never sends the head, or nothing after the first half of the body.
  var isHeadHeld = false
  var isBodyHeld = false

  enum Way { case length, chunked, untilClose }
}

struct MemoryStage: TransportStage {
  private let memory = MemoryTransport()
  var transport: any Transport { memory }

  var arrivals: [Arrival] {
    zip(memory.log, memory.bodies).map { request, body in
      Arrival(
        method: request.method.name, mediaType: request.headersToSend["Content-Type"], body: body)
    }
  }

  func address(_ script: Script) throws -> WebAddress {
    let address = try WebAddress("http://127.0.0.1/script")
    var answer = MemoryTransport.Answer(
      status: script.status, headers: HTTPHeaders(script.headers), body: script.body)
    switch script.framing {
    case .length: answer.framing = .length(Int64(script.body.count))
    case .chunked: answer.framing = .chunked
    case .untilClose: answer.framing = .untilClose
    }
    if script.isShort { answer.breakage = .shortBody }
    answer.arrival = script.arrival
    answer.headGate = script.isHeadHeld ? Gate() : nil
    answer.bodyGate = script.isBodyHeld ? Gate() : nil
    answer.pieceSize = script.isBodyHeld ? max(1, script.body.count / 2) : 1000
    answer.remote = IPAddress("127.0.0.1")
    memory.answer(address, with: answer)
    return address
  }

  func end() {}
}

final class CurlStage: TransportStage {
  private let curl = CurlTransport(environment: [:])
  private let server: RawServer
  private let script: ScriptBox
  private let came = Locked<[Arrival]>([])
  var transport: any Transport { curl }
  var arrivals: [Arrival] { came.withLock { $0 } }

  init() throws {
    let script = ScriptBox()
    self.script = script
    server = try RawServer { [came] connection, request in
      let body = connection.readBody(of: request)
      let arrival = Arrival(
        method: request.method, mediaType: request["Content-Type"], body: body)
      came.withLock { $0.append(arrival) }
      return script.value.perform(on: connection, isHead: request.method == "HEAD")
    }
  }

  func address(_ script: Script) throws -> WebAddress {
    self.script.value = script
    return try WebAddress(server.url("/script"))
  }

  func end() async {
    await curl.close()
    server.stop()
  }
}

extension XCTestCase {
  /// Runs the same claim over both transports.
  func onEachStage(
    _ claim: @Sendable (any TransportStage) async throws -> Void
  ) async throws {
    let stages: [any TransportStage] = [MemoryStage(), try CurlStage()]
    for stage in stages {
      try await claim(stage)
      await stage.end()
    }
  }
}
