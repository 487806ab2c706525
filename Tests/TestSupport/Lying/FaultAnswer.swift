/// What a ``FaultServer`` does about one request: it sends these bytes in these steps, whether or
/// not they are an honest answer.
package struct FaultAnswer: Sendable {
  /// One thing after the other.
  package enum Step: Sendable {
    /// Sends bytes.
    case bytes([UInt8])
    /// Sends bytes so many times, or until the other side goes.
    case repeated([UInt8], times: Int)
    /// Sends one byte after the other, each after this many milliseconds.
    case dripped([UInt8], milliseconds: UInt32)
    /// Sends nothing for this many milliseconds.
    case pause(milliseconds: UInt32)
    /// Sends nothing more, and waits for the other side to go.
    case silence
    /// Ends the connection with a reset in place of an orderly end.
    case reset
  }

  /// How the end of a body is told (RFC 9112, section 6).
  package enum Framing: String, Sendable, CaseIterable {
    case length
    case chunked
    /// The connection's end is the body's.
    case close
  }

  package var steps: [Step]
  /// Whether the connection carries further requests.
  package var staysOpen: Bool

  /// These steps, and then the end of the connection.
  package init(_ steps: [Step], staysOpen: Bool = false) {
    (self.steps, self.staysOpen) = (steps, staysOpen)
  }

  /// A whole answer.
  package init(
    _ body: [UInt8] = [], status: Int = 200, framing: Framing = .length,
    headers: [(String, String)] = []
  ) {
    var bytes = Self.head(status, headers, framing: framing, length: body.count)
    switch framing {
    case .length, .close: bytes += body
    case .chunked:
      if !body.isEmpty { bytes += Self.chunk(body) }
      bytes += Array("0\r\n\r\n".utf8)
    }
    self.init([.bytes(bytes)], staysOpen: framing != .close)
  }

  /// A whole answer with a text.
  package init(
    text: String, status: Int = 200, framing: Framing = .length, headers: [(String, String)] = []
  ) {
    self.init(Array(text.utf8), status: status, framing: framing, headers: headers)
  }

  /// An answer whose connection ends after `count` bytes of the body, and before what would follow
  /// them.
  package static func cut(
    _ body: [UInt8], after count: Int, framing: Framing, headers: [(String, String)] = []
  ) -> FaultAnswer {
    let head = Self.head(200, headers, framing: framing, length: body.count)
    let start = framing == .chunked ? Self.size(of: body) : []
    return FaultAnswer([.bytes(head + start + body[..<count])])
  }

  /// A redirect.
  package static func redirect(
    to location: String, status: Int = 302, headers: [(String, String)] = []
  ) -> FaultAnswer {
    FaultAnswer(status: status, headers: [("Location", location)] + headers)
  }

  /// The head of an answer. `length` is what it says of the body where that is its framing.
  package static func head(
    _ status: Int = 200, _ headers: [(String, String)] = [], framing: Framing, length: Int = 0
  ) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) So"] + headers.map { "\($0): \($1)" }
    switch framing {
    case .length: lines.append("Content-Length: \(length)")
    case .chunked: lines.append("Transfer-Encoding: chunked")
    case .close: lines.append("Connection: close")
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// One chunk of a body.
  package static func chunk(_ bytes: [UInt8]) -> [UInt8] { size(of: bytes) + bytes + [13, 10] }

  private static func size(of bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8)
  }
}

extension FaultAnswer {
  /// What an honest server answers about a resource, conditions and ranges included.
  package static func honest(
    _ body: [UInt8], to request: RawRequest, etag: String? = nil, type: String? = nil
  ) -> FaultAnswer {
    var headers: [(String, String)] = []
    if let etag { headers.append(("ETag", etag)) }
    if let type { headers.append(("Content-Type", type)) }
    if let etag, request["If-None-Match"] == etag {
      return FaultAnswer([.bytes(head(304, headers, framing: .close))])
    }
    guard let start = request.rangeStart, start < body.count,
      request["If-Range"] == nil || request["If-Range"] == etag
    else { return FaultAnswer(body, headers: headers) }
    headers.append(("Content-Range", "bytes \(start)-\(body.count - 1)/\(body.count)"))
    return FaultAnswer(Array(body[start...]), status: 206, headers: headers)
  }
}

extension RawRequest {
  /// Where the range begins that is asked for, if one is.
  package var rangeStart: Int? {
    self["Range"].flatMap { range in
      range.hasPrefix("bytes=") && range.hasSuffix("-")
        ? Int(range.dropFirst("bytes=".count).dropLast()) : nil
    }
  }
}
