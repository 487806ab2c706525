import SyncDatabase
import SyncText

/// A UUID (RFC 9562, section 4) with hyphens or without, in braces, or as a URN; in any case.
struct UUIDText: Hashable {
  /// With hyphens, in lower case: 36 characters.
  let canonical: String

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var rest = text[...]
    if rest.starts(with: "{".utf8), rest.last == UInt8(ascii: "}") {
      rest = rest.dropFirst().dropLast()
    } else if rest.count == 45, rest.prefix(9).map(\.asSmall).elementsEqual("urn:uuid:".utf8) {
      rest = rest.dropFirst(9)
    }
    let hasHyphens = rest.count == 36
    guard hasHyphens || rest.count == 32 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(36)
    for (place, byte) in rest.enumerated() {
      let count = output.count
      if count == 8 || count == 13 || count == 18 || count == 23 {
        output.append(UInt8(ascii: "-"))
        if hasHyphens {
          guard byte == UInt8(ascii: "-") else { return nil }
          continue
        }
      }
      guard place < 36, Hexadecimal.value(ofDigit: byte) != nil else { return nil }
      output.append(byte.asSmall)
    }
    canonical = String(decoding: output, as: UTF8.self)
  }

  /// The UUID that a column holds, as text or as its 16 bytes.
  init?(_ stored: StoredValue) {
    var text: String
    switch stored {
    case .text(let stored): text = stored
    case .blob(let bytes) where bytes.count == 16:
      text = bytes.map(Hexadecimal.upper).joined()
    case .blob, .integer, .real: return nil
    }
    guard let uuid = text.withUTF8({ UUIDText($0) }) else { return nil }
    self = uuid
  }

  var bytes: [UInt8] {
    let digits = canonical.utf8.compactMap(Hexadecimal.value(ofDigit:))
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
