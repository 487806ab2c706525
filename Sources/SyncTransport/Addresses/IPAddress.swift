private import SyncSystem

/// An IP address: what a name led to, and what is asked before a socket is opened.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
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

  /// Dotted decimal, or the short form of RFC 5952 without brackets.
  package var description: String {
    var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &room, socklen_t(room.count)) != nil else { return "?" }
    return room.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "?" }
  }

  /// How far an address reaches.
  package enum Scope: Sendable, Equatable, CaseIterable {
    /// The machine itself: 127/8, ::1.
    case loopback
    /// A private network: 10/8, 172.16/12, 192.168/16 (RFC 1918), and 64:ff9b:1::/48, through which
    /// a network translates to IPv4 for itself (RFC 8215).
    case privateUse
    /// One link: 169.254/16 (RFC 3927), fe80::/10 and the old site-local fec0::/10.
    case linkLocal
    /// IPv6's private networks: fc00::/7 (RFC 4193).
    case uniqueLocal
    /// A provider's shared space: 100.64/10 (RFC 6598).
    case shared
    /// Nobody: 0/8 (dialled, it reaches the machine itself), ::.
    case unspecified
    /// Many: 224/4, ff00::/8, and the broadcast address.
    case multicast
    /// Set aside by the registries of RFC 6890: documentation, benchmarks, 240/4 and the like; and
    /// all of IPv6 that isn't handed out yet.
    case reserved
    case global
  }

  package var isPublic: Bool { scope == .global }

  /// How far the address reaches (RFC 6890). An IPv6 address that carries an IPv4 one reaches no
  /// farther than that one.
  package var scope: Scope {
    if let inner = embedded { return inner.scope }
    let table = bytes.count == 4 ? Self.scopesOfFour : Self.scopesOfSix
    let scope = table.first { isIn($0.network, prefix: $0.length) }?.scope
    guard bytes.count == 16 else { return scope ?? .global }
    if let scope { return scope }
    guard bytes[0] & 0xE0 == 0x20 else { return .reserved }
    return tunnelled?.scope ?? .global
  }

  /// The IPv4 address that an IPv6 address stands for: mapped (RFC 4291, section 2.5.5), compatible
  /// with it, translated (RFC 7915), NAT64 (RFC 6052) or 6to4 (RFC 3056).
  package var embedded: IPAddress? {
    guard bytes.count == 16 else { return nil }
    for form in Self.carriers where isIn(form.network, prefix: form.length) {
      let inner = Array(bytes[form.at..<form.at + 4])
      // ::, ::1 and their like are addresses of their own, not IPv4 ones.
      if form.length == 96, form.network.bytes.allSatisfy({ $0 == 0 }), inner[0] == 0 { continue }
      return IPAddress(bytes: inner)
    }
    return nil
  }

  /// The IPv4 address that ISATAP tunnels to, under whatever prefix: the interface is 0:5efe, and
  /// two bits say more of it (RFC 5214, section 6.1).
  private var tunnelled: IPAddress? {
    guard bytes.count == 16, bytes[8] & 0xFC == 0, bytes[9...11] == [0, 0x5E, 0xFE] else {
      return nil
    }
    return IPAddress(bytes: Array(bytes[12...]))
  }

  private struct Row {
    let network: IPAddress
    let length: Int
    let scope: Scope

    init?(_ text: String, _ length: Int, _ scope: Scope) {
      guard let network = IPAddress(text) else { return nil }
      self.network = network
      self.length = length
      self.scope = scope
    }
  }

  private struct Carrier {
    let network: IPAddress
    let length: Int
    let at: Int

    init?(_ text: String, _ length: Int, at: Int) {
      guard let network = IPAddress(text) else { return nil }
      self.network = network
      self.length = length
      self.at = at
    }
  }

  private static let carriers = [
    Carrier("::ffff:0:0", 96, at: 12), Carrier("::", 96, at: 12),
    Carrier("::ffff:0:0:0", 96, at: 12), Carrier("64:ff9b::", 96, at: 12),
    Carrier("2002::", 16, at: 2),
  ].compactMap { $0 }

  private static let scopesOfFour = [
    Row("0.0.0.0", 8, .unspecified), Row("10.0.0.0", 8, .privateUse),
    Row("100.64.0.0", 10, .shared), Row("127.0.0.0", 8, .loopback),
    Row("169.254.0.0", 16, .linkLocal), Row("172.16.0.0", 12, .privateUse),
    Row("192.0.0.0", 24, .reserved), Row("192.0.2.0", 24, .reserved),
    // Once for relays of 6to4, whichever is nearest (RFC 7526).
    Row("192.88.99.0", 24, .reserved),
    Row("192.168.0.0", 16, .privateUse), Row("198.18.0.0", 15, .reserved),
    Row("198.51.100.0", 24, .reserved), Row("203.0.113.0", 24, .reserved),
    Row("224.0.0.0", 4, .multicast), Row("255.255.255.255", 32, .multicast),
    Row("240.0.0.0", 4, .reserved),
  ].compactMap { $0 }

  /// What lies outside of 2000::/3 needs no row unless it has a scope of its own.
  private static let scopesOfSix = [
    Row("::", 128, .unspecified), Row("::1", 128, .loopback),
    Row("64:ff9b:1::", 48, .privateUse),
    // Protocols' own, among them Teredo (RFC 4380), which tunnels to any IPv4 address, and ORCHID.
    Row("2001::", 23, .reserved), Row("2001:db8::", 32, .reserved), Row("3fff::", 20, .reserved),
    Row("fc00::", 7, .uniqueLocal), Row("fe80::", 10, .linkLocal), Row("fec0::", 10, .linkLocal),
    Row("ff00::", 8, .multicast),
  ].compactMap { $0 }
}
