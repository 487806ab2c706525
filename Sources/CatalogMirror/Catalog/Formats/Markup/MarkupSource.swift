import SyncText

/// The bytes of a document of XML, handed out piece by piece as UTF-8: up to a tag or a text that
/// is too large, and for as long as the task isn't cancelled.
struct MarkupSource {
  private let bytes: [UInt8]
  private let isLatin: Bool
  private var place: Int

  private var gate = MarkupGate(CatalogLimits(), .xml)
  /// Whether something was too large.
  private(set) var hasTooMuch = false

  /// A document in UTF-8 or ISO 8859-1; `nil` for any other one.
  init?(_ bytes: [UInt8], encoding: String?) {
    isLatin = ["iso-8859-1", "latin1"].contains(encoding)
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    self.bytes = bytes
    // What libxml2 can't decode it complains of on standard error, whatever it is told. By bytes
    // that are zero it would take it for an encoding of more bytes a character.
    guard !bytes.prefix(place + 4).contains(0) else { return nil }
    if isLatin { return }
    guard ["utf-8", "utf8", "us-ascii", nil].contains(encoding),
      bytes.withUnsafeBytes({ UTF8Fault.first(in: $0) }) == nil
    else { return nil }
  }

  /// Puts the next bytes into a buffer, and says how many; 0 at the end.
  mutating func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard !hasTooMuch, !Task.isCancelled else { return 0 }
    let count = copy(to: buffer)
    do throws(PieceGate.Excess) {
      try gate.take(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[..<count])))
      return count
    } catch {
      hasTooMuch = true
      return 0
    }
  }

  private mutating func copy(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard isLatin else {
      let count = min(buffer.count, bytes.count - place)
      _ = buffer.update(fromContentsOf: bytes[place..<(place + count)])
      place += count
      return count
    }
    var count = 0
    while place < bytes.count, count + 2 <= buffer.count {
      let byte = bytes[place]
      place += 1
      if byte < 0x80 {
        buffer[count] = byte
        count += 1
      } else {
        buffer[count] = 0xC0 | byte >> 6
        buffer[count + 1] = 0x80 | byte & 0x3F
        count += 2
      }
    }
    return count
  }
}
