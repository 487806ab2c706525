/// At most 64 KiB as gzip that is only stored in it (RFC 1951, section 3.2.4).
package func storedInGzip(_ bytes: [UInt8]) -> [UInt8] {
  let (low, high) = (UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8))
  let begin: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 1, low, high, ~low, ~high]
  let checksum = bytes.reduce(~UInt32(0)) { sum, byte in
    (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1) * 0xEDB8_8320 }
  }
  let end = [~checksum, UInt32(bytes.count)].flatMap { number in
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  return begin + bytes + end
}
