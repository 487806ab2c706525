import CSyncCurl
import Foundation
import SyncTransport

/// The transport beside a bare libcurl multi loop: the same requests, in turn, A B A B.
struct TransportBench {
  let prefix: String
  let count: Int
  let width: Int
  private let rounds = 5

  func run() async throws {
    let transport = CurlTransport(configuration)
    let client = HTTPClient(transport, policy: policy)
    let addresses = try (0..<count).map { try WebAddress("\(prefix)\($0)") }
    var (bare, exchanged, fetched) = ([Double](), [Double](), [Double]())
    for _ in 0...rounds {
      bare.append(try await seconds { bareLoop() })
      exchanged.append(
        try await seconds {
          try await workers(addresses) {
            _ = try await transport.exchange(HTTPRequest($0), into: $1)
          }
        })
      fetched.append(
        try await seconds {
          try await workers(addresses) { _ = try await client.fetch(FetchRequest($0), into: $1) }
        })
    }
    // The first round warms up.
    show("bare multi loop", bare.dropFirst(), beside: bare.dropFirst())
    show("transport", exchanged.dropFirst(), beside: bare.dropFirst())
    show("client", fetched.dropFirst(), beside: bare.dropFirst())
    await transport.close()
  }

  private var configuration: TransportConfiguration {
    var configuration = TransportConfiguration()
    configuration.maxConnectionsPerHost = width
    return configuration
  }

  private var policy: ClientPolicy {
    var policy = ClientPolicy()
    policy.requestsPerOrigin = width
    return policy
  }

  private func workers(
    _ addresses: [WebAddress],
    _ body: @escaping @Sendable (WebAddress, DiscardingReceiver) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<width {
        group.addTask {
          for number in stride(from: worker, to: count, by: width) {
            try await body(addresses[number], DiscardingReceiver())
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// One thread, one multi handle, nothing else: the least that libcurl can do it with.
  private func bareLoop() {
    guard let multi = curl_multi_init() else { return }
    defer { curl_multi_cleanup(multi) }
    var next = 0
    var free = (0..<width).compactMap { _ in curl_easy_init() }
    let all = free
    defer { for easy in all { curl_easy_cleanup(easy) } }
    var running: Int32 = 0
    repeat {
      while next < count, let easy = free.popLast() {
        csync_easy_set_string(easy, CURLOPT_URL, "\(prefix)\(next)")
        csync_easy_discard_body(easy)
        curl_multi_add_handle(multi, easy)
        next += 1
      }
      curl_multi_perform(multi, &running)
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle
        else { continue }
        curl_multi_remove_handle(multi, easy)
        free.append(easy)
      }
      if running > 0 { curl_multi_poll(multi, nil, 0, 1_000, nil) }
    } while running > 0 || next < count
  }

  private func seconds(_ body: () async throws -> Void) async throws -> Double {
    let began = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - began) / .seconds(1)
  }

  private func show(_ name: String, _ times: ArraySlice<Double>, beside base: ArraySlice<Double>) {
    let (median, baseline) = (times.sorted()[rounds / 2], base.sorted()[rounds / 2])
    let label = name.padding(toLength: 16, withPad: " ", startingAt: 0)
    print(
      String(
        format: "%@ median %.2f s (%.2f–%.2f), %.2f × the bare loop", label, median,
        times.min() ?? 0, times.max() ?? 0, median / baseline))
  }
}
