import SyncTransport

/// Another source, unpacked where it is gzip (RFC 1952): its first two bytes tell, with which no
/// JSON begins. What stands behind the last member is an error, as is a member that is cut.
struct UnpackedSource: PayloadSource, @unchecked Sendable {  // one user of the decoder at a time
  private enum Packing {
    case unknown, none
    case gzip(GzipDecoder)
  }

  /// How many packed bytes are unpacked at once: they may give a thousand times as many.
  private static let piece = 8 << 10
  private static let signature: [UInt8] = [0x1F, 0x8B]

  private var source: any PayloadSource
  private var packing = Packing.unknown
  /// What is here and wasn't handed on yet, from `taken` on.
  private var ready: [UInt8] = []
  private var taken = 0

  init(_ source: any PayloadSource) {
    self.source = source
  }

  static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(PayloadProblem) -> Int {
    if case .unknown = packing { try lookAtStart() }
    if taken == ready.count {
      switch packing {
      case .gzip(let decoder): try unpack(by: decoder)
      case .unknown, .none: return try source.read(into: buffer)
      }
    }
    let piece = ready[taken...].prefix(buffer.count)
    buffer.copyBytes(from: piece)
    taken += piece.count
    return piece.count
  }

  private mutating func lookAtStart() throws(PayloadProblem) {
    var start: [UInt8] = []
    while start.count < Self.signature.count {
      let more = try source.piece(of: Self.piece)
      if more.isEmpty { break }
      start += more
    }
    guard Self.isPacked(start) else {
      (packing, ready) = (.none, start)
      return
    }
    let decoder = GzipDecoder()
    packing = .gzip(decoder)
    try unpack(start, by: decoder)
  }

  /// Unpacks until something is ready, or all was read.
  private mutating func unpack(by decoder: GzipDecoder) throws(PayloadProblem) {
    (ready, taken) = ([], 0)
    while ready.isEmpty {
      let packed = try source.piece(of: Self.piece)
      guard !packed.isEmpty else {
        guard decoder.isAtEnd else { throw .gzip(isCut: true) }
        return
      }
      try unpack(packed, by: decoder)
    }
  }

  private mutating func unpack(_ packed: [UInt8], by decoder: GzipDecoder) throws(PayloadProblem) {
    do {
      try packed.withUnsafeBytes { bytes in
        try decoder.feed(bytes) { ready += $0 }
      }
    } catch {
      throw .gzip(isCut: false)
    }
  }
}
