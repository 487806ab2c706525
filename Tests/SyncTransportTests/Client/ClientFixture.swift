import SyncLock
import SyncTransport
import TransportTesting
import XCTest
@testable import SyncText

/// A client over memory, with a clock that doesn't wait and no jitter.
struct ClientFixture {
  typealias Answer = MemoryTransport.Answer

  let memory = MemoryTransport()
  let clock: ScriptedClock
  let limits: OriginLimits
  let client: HTTPClient
  private let eventLog: Locked<[TransportEvent]>

  init(
    isClockHeld: Bool = false, access: OriginAccess = OriginAccess(),
    policy change: (inout ClientPolicy) -> Void = { _ in }
  ) {
    let log = Locked<[TransportEvent]>([])
    eventLog = log
    clock = ScriptedClock(isHeld: isClockHeld)
    limits = OriginLimits(clock: clock)
    var policy = ClientPolicy()
    change(&policy)
    client = HTTPClient(
      memory, policy: policy, access: access, limits: limits, clock: clock, random: { 1 },
      today: { HTTPDate(secondsSince1970: 784_111_777) },
      onEvent: { event in log.withLock { $0.append(event) } })
  }

  var events: [TransportEvent] { eventLog.withLock { $0 } }

  func answer(_ url: String, _ answers: [Answer]) throws {
    memory.answer(try WebAddress(url), with: answers)
  }

  func fetch(
    _ url: String, headers: [(String, String)] = [],
    into receiver: any BodyReceiver = DiscardingReceiver()
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(try WebAddress(url))
    request.headers = HTTPHeaders(headers)
    return try await client.fetch(FetchRequest(request), into: receiver)
  }

  /// A request with three bytes to carry.
  func sending(
    _ method: HTTPRequest.Method, _ url: String, headers: [(String, String)] = []
  ) throws -> FetchRequest {
    var request = HTTPRequest(try WebAddress(url))
    request.method = method
    request.headers = HTTPHeaders(headers)
    request.body = RequestBody([1, 2, 3], mediaType: "application/json")
    return FetchRequest(request)
  }

  /// The code that asking for an answer fails with; `nil` when one comes.
  func code(of request: FetchRequest) async throws -> TransportError.Code? {
    do {
      _ = try await client.answer(to: request, limit: 1_000)
      return nil
    } catch let error as TransportError {
      return error.code
    }
  }

  /// The code that a fetch fails with; `nil` when it succeeds.
  func code(
    _ url: String, into receiver: any BodyReceiver = DiscardingReceiver()
  ) async throws -> TransportError.Code? {
    do {
      _ = try await fetch(url, into: receiver)
      return nil
    } catch let error as TransportError {
      return error.code
    }
  }
}

extension MemoryTransport.Answer {
  static func redirect(_ status: Int = 302, to location: String) -> Self {
    Self(status: status, headers: HTTPHeaders([("Location", location)]), body: [9, 9, 9])
  }

  static func ok(_ text: String) -> Self { Self(body: Array(text.utf8)) }
}
