package import SyncText

/// A response up to its body.
package struct HTTPHead: Sendable, Equatable {
  // Behind one reference, as a head is handed on often and never changed.
  private let parts: Parts

  private final class Parts: Sendable {
    let address: WebAddress
    let status: Int
    let headers: HTTPHeaders
    let framing: Framing
    let isMultiplexed: Bool

    init(
      _ address: WebAddress, _ status: Int, _ headers: HTTPHeaders, _ framing: Framing,
      _ isMultiplexed: Bool
    ) {
      self.address = address
      self.status = status
      self.headers = headers
      self.framing = framing
      self.isMultiplexed = isMultiplexed
    }
  }

  package var address: WebAddress { parts.address }
  package var status: Int { parts.status }
  package var headers: HTTPHeaders { parts.headers }
  package var framing: Framing { parts.framing }
  /// Whether it came over a connection that carries many exchanges at once (HTTP/2).
  package var isMultiplexed: Bool { parts.isMultiplexed }

  package var date: HTTPDate? { headers["Date"].flatMap { HTTPDate($0) } }

  package init(
    address: WebAddress, status: Int, headers: HTTPHeaders = HTTPHeaders(), framing: Framing,
    isMultiplexed: Bool = false
  ) {
    parts = Parts(address, status, headers, framing, isMultiplexed)
  }

  package static func == (one: HTTPHead, other: HTTPHead) -> Bool {
    one.parts === other.parts
      || one.address == other.address && one.status == other.status
        && one.headers == other.headers && one.framing == other.framing
        && one.isMultiplexed == other.isMultiplexed
  }
}

/// What vouches for the end of a body.
package enum Framing: Sendable, Equatable {
  /// The server said so many bytes, as they travel (before decoding), and so many came.
  case length(Int64)
  case chunked
  /// The end of an HTTP/2 stream, without a length.
  case multiplexed
  /// Nothing: the body lasted until the connection closed, for whatever reason.
  case untilClose
  case noBody

  /// The length that the server said; `nil` where it said none.
  var toldLength: Int64? { if case .length(let length) = self { length } else { nil } }

  /// Whether a body that was cut short would have been noticed.
  package var isVouchedFor: Bool { self != .untilClose }
}

/// A response whose body went to the receiver, whole.
package struct HTTPResponse: Sendable, Equatable {
  package var head: HTTPHead
  /// The bytes of the body, after decoding.
  package var bodyBytes: Int64

  package var status: Int { head.status }
  package var headers: HTTPHeaders { head.headers }
  package var framing: Framing { head.framing }
  package var address: WebAddress { head.address }
  package var date: HTTPDate? { head.date }

  package init(head: HTTPHead, bodyBytes: Int64) {
    self.head = head
    self.bodyBytes = bodyBytes
  }
}
