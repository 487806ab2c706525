import Foundation

/// One direction of a relayed connection: bytes under way from one socket to the other.
struct Lane {
  let source: Int32
  let sink: Int32
  /// Whether the link's rate holds for this direction.
  let isLimited: Bool
  /// The sink takes nothing more for now.
  private(set) var isBlocked = false
  /// Nothing more comes, and all that came was delivered.
  private(set) var hasEnded = false
  private(set) var isBroken = false

  private let openAt: Double
  private var packets: [Packet] = []
  private var delivered = 0
  private var waiting = 0
  private var sourceEnded = false

  private struct Packet {
    var due: Double
    var bytes: ArraySlice<UInt8>
  }

  /// More than a link of 100 MiB/s holds in 100 ms.
  private static let room = 16 << 20
  /// What a narrow link may hold back, so that the sender feels how narrow it is.
  private static let limitedRoom = 256 << 10

  init(from source: Int32, to sink: Int32, openAt: Double, isLimited: Bool) {
    (self.source, self.sink) = (source, sink)
    (self.openAt, self.isLimited) = (openAt, isLimited)
  }

  /// Whether more may be read.
  var hasRoom: Bool {
    !sourceEnded && waiting < (isLimited ? Self.limitedRoom : Self.room)
  }

  /// When the next bytes arrive.
  var due: Double? { delivered < packets.count ? packets[delivered].due : nil }

  /// Takes what the source has.
  mutating func take(delay: Double, now: Double) {
    while hasRoom {
      let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = max(0, recv(source, buffer.baseAddress, buffer.count, 0))
      }
      guard !bytes.isEmpty else { return noteNothing(delay: delay, now: now) }
      packets.append(Packet(due: max(now, openAt) + delay, bytes: bytes[...]))
      waiting += bytes.count
    }
  }

  /// Nothing was read: there is nothing yet, or the end has come.
  private mutating func noteNothing(delay: Double, now: Double) {
    var byte: UInt8 = 0
    let count = recv(source, &byte, 1, Int32(MSG_PEEK))
    if count == 0 {
      sourceEnded = true
      packets.append(Packet(due: max(now, openAt) + delay, bytes: []))
    } else if count < 0, errno != EAGAIN, errno != EINTR {
      isBroken = true
    }
  }

  /// Gives to the sink what has arrived.
  mutating func deliver(now: Double, allowance: inout Allowance) {
    isBlocked = false
    while let due, due <= now {
      let bytes = packets[delivered].bytes
      guard !bytes.isEmpty else { return end() }
      let most = isLimited ? allowance.most(bytes.count) : bytes.count
      guard most > 0 else { return }
      let sent = bytes.withUnsafeBytes {
        send(sink, $0.baseAddress, most, 0)
      }
      guard sent > 0 else {
        isBlocked = errno == EAGAIN
        isBroken = errno != EAGAIN && errno != EINTR
        return
      }
      if isLimited { allowance.use(sent) }
      note(sent)
    }
  }

  func close() {
    // The other direction closes the sink.
    Foundation.close(source)
  }

  private mutating func note(_ sent: Int) {
    waiting -= sent
    packets[delivered].bytes = packets[delivered].bytes.dropFirst(sent)
    guard packets[delivered].bytes.isEmpty else { return }
    delivered += 1
    if delivered == packets.count || delivered > 1_024 {
      packets.removeFirst(delivered)
      delivered = 0
    }
  }

  private mutating func end() {
    shutdown(sink, Int32(SHUT_WR))
    packets = []
    delivered = 0
    hasEnded = true
  }
}

/// What may pass a narrow link at the moment.
struct Allowance {
  /// No more than this is saved up.
  private static let burst = 32_768.0
  private var rate: Double?
  private var bytes = 0.0
  private var filledAt = 0.0

  /// When a packet's worth may pass again.
  var readyAt: Double {
    guard let rate else { return 0 }
    return filledAt + max(0, Self.burst / 2 - bytes) / rate
  }

  mutating func refill(rate: Double?, now: Double) {
    if let rate { bytes = min(Self.burst, bytes + rate * (now - filledAt)) }
    (self.rate, filledAt) = (rate, now)
  }

  /// How many of these bytes may pass now.
  func most(_ count: Int) -> Int {
    guard rate != nil else { return count }
    return bytes >= min(Double(count), Self.burst / 2) ? min(count, Int(bytes)) : 0
  }

  mutating func use(_ count: Int) {
    if rate != nil { bytes -= Double(count) }
  }
}
