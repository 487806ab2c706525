extension IPAddress {
  /// How far an address reaches.
  package enum Scope: Sendable, Equatable, CaseIterable {
    /// The machine itself: 127/8, ::1.
    case loopback
    /// A private network: 10/8, 172.16/12, 192.168/16 (RFC 1918).
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
    /// Set aside by the registries of RFC 6890: documentation, benchmarks, 240/4 and the like.
    case reserved
    /// Everybody's network.
    case global
  }

  /// Whether the address is of everybody's network.
  package var isPublic: Bool { scope == .global }

  /// How far the address reaches (RFC 6890). An IPv6 address that carries an IPv4 one (mapped,
  /// compatible, NAT64, 6to4) reaches as far as that one.
  package var scope: Scope {
    if let inner = embedded { return inner.scope }
    let table = bytes.count == 4 ? Self.scopesOfFour : Self.scopesOfSix
    return table.first { isIn($0.network, prefix: $0.length) }?.scope ?? .global
  }

  /// The IPv4 address that an IPv6 address stands for.
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
    Carrier("64:ff9b::", 96, at: 12), Carrier("2002::", 16, at: 2),
  ].compactMap { $0 }

  private static let scopesOfFour = [
    Row("0.0.0.0", 8, .unspecified), Row("10.0.0.0", 8, .privateUse),
    Row("100.64.0.0", 10, .shared), Row("127.0.0.0", 8, .loopback),
    Row("169.254.0.0", 16, .linkLocal), Row("172.16.0.0", 12, .privateUse),
    Row("192.0.0.0", 24, .reserved), Row("192.0.2.0", 24, .reserved),
    Row("192.168.0.0", 16, .privateUse), Row("198.18.0.0", 15, .reserved),
    Row("198.51.100.0", 24, .reserved), Row("203.0.113.0", 24, .reserved),
    Row("224.0.0.0", 4, .multicast), Row("255.255.255.255", 32, .multicast),
    Row("240.0.0.0", 4, .reserved),
  ].compactMap { $0 }

  private static let scopesOfSix = [
    Row("::", 128, .unspecified), Row("::1", 128, .loopback), Row("::", 96, .reserved),
    Row("64:ff9b:1::", 48, .reserved), Row("100::", 64, .reserved),
    Row("2001::", 23, .reserved), Row("2001:db8::", 32, .reserved), Row("fc00::", 7, .uniqueLocal),
    Row("fe80::", 10, .linkLocal), Row("fec0::", 10, .linkLocal), Row("ff00::", 8, .multicast),
  ].compactMap { $0 }
}
