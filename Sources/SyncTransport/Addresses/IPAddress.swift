private import SyncSystem

/// An IP address: what a name led to, and what is asked before a socket is opened.
package struct IPAddress: Hashable, Sendable {
  /// 4 bytes (IPv4) or 16 (IPv6), in network order.
  package let bytes: [UInt8]

  /// An address of 4 or 16 bytes; `nil` for any other count.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads the usual text forms: four decimal numbers, or RFC 4291; `nil` for anything else.
  /// Brackets and a zone are cut off.
  package init?(_ text: some StringProtocol) {
    var core = Substring(text)
    if core.utf8.first == UInt8(ascii: "["), core.utf8.last == UInt8(ascii: "]") {
      core = Substring(core.utf8.dropFirst().dropLast())
    }
    if let zone = core.utf8.firstIndex(of: UInt8(ascii: "%")) { core = core[..<zone] }
    guard !core.utf8.contains(0) else { return nil }
    let isSix = core.utf8.contains(UInt8(ascii: ":"))
    var room = [UInt8](repeating: 0, count: isSix ? 16 : 4)
    guard inet_pton(isSix ? AF_INET6 : AF_INET, String(core), &room) == 1 else { return nil }
    bytes = room
  }

  /// Reads one of the usual text forms from C, as libcurl tells it for each request.
  init?(cString text: UnsafePointer<CChar>) {
    let isSix = strchr(text, CInt(UInt8(ascii: ":"))) != nil
    var room = [UInt8](repeating: 0, count: isSix ? 16 : 4)
    guard inet_pton(isSix ? AF_INET6 : AF_INET, text, &room) == 1 else {
      self.init(String(cString: text))
      return
    }
    self.init(bytes: room)
  }

  /// Whether the first `length` bits are those of `network`; an IPv4 address is in no IPv6
  /// network and the reverse.
  package func isIn(_ network: IPAddress, prefix length: Int) -> Bool {
    guard network.bytes.count == bytes.count, (0...bytes.count * 8).contains(length) else {
      return false
    }
    let whole = length / 8
    guard bytes.prefix(whole) == network.bytes.prefix(whole) else { return false }
    let rest = length % 8
    return rest == 0 || (bytes[whole] ^ network.bytes[whole]) >> UInt8(8 - rest) == 0
  }
}

extension IPAddress: CustomStringConvertible {
  /// Dotted decimal, or the short form of RFC 5952 without brackets.
  package var description: String {
    var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &room, socklen_t(room.count)) != nil else { return "?" }
    return room.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "?" }
  }
}
