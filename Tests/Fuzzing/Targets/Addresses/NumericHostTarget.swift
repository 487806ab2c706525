private import Foundation
import SyncTransport

/// IP addresses in every spelling: the input is the text of one, or its bytes.
enum NumericHostTarget {
  static func check(_ input: [UInt8]) throws {
    if let address = IPAddress(bytes: input) { try check(address) }
    let text = input.text
    if let address = IPAddress(text) { try check(address) }
    try checkDialled(text)
  }

  private static func check(_ address: IPAddress) throws {
    let shown = address.description
    try require(IPAddress(shown) == address, "\(shown) reads as another address")
    if let inner = address.embedded {
      try require(inner.bytes.count == 4, "an address stands for no IPv4 address")
      try require(address.scope == inner.scope, "\(shown) reaches farther than \(inner)")
    }
    if address.isPublic {
      try require(!isInside(address.bytes), "\(shown) is held for public")
    }
    for length in [0, 7, 8, 31, address.bytes.count * 8] {
      try require(address.isIn(address, prefix: length), "\(shown) isn't in its own network")
    }
  }

  /// Prefixes of IPv6 whose addresses end with one of IPv4.
  private static let carriers: [[UInt8]] = [
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0],
    [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0x64, 0xFF, 0x9B, 0, 1],
  ]

  /// The networks of one's own that matter most, said once more and in another way.
  private static func isInside(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 4 else {
      let isOneLike = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
      return isOneLike || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] >= 0x80
        || carriers.contains { bytes.starts(with: $0) } && isInside(Array(bytes.suffix(4)))
    }
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (172, 16...31), (224..., _): return true
    default: return false
    }
  }

  /// A host that libcurl writes as a number is the number that the system would dial.
  private static func checkDialled(_ text: String) throws {
    guard let address = try? WebAddress("http://" + text + "/"), address.path == "/",
      address.query == nil, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !text.utf8.contains(where: "@#?/:%[]".utf8.contains),
      let number = IPAddress(address.host)
    else { return }
    var dialled = in_addr()
    guard inet_aton(text, &dialled) == 1 else { return }
    let bytes = withUnsafeBytes(of: dialled) { Array($0) }
    try require(number.bytes == bytes, "\(text) is checked as \(number), and dialled as another")
  }
}
