private import SyncText

/// An element of a payload as messages name it: which, where, and how it begins.
public struct PayloadExcerpt: Sendable, Equatable {
  /// Its number, counted from 1.
  public let number: Int
  /// The offset of its first byte in the payload.
  public let offset: Int
  /// Its text, cut after 80 bytes and escaped, fit for every output.
  public let text: String

  private static let longest = 80

  init(number: Int, offset: Int, text: ArraySlice<UInt8>) {
    self.number = number
    self.offset = offset
    let isCut = text.count > Self.longest
    var start = text.prefix(Self.longest)
    // No character is cut in two.
    if isCut {
      while let last = start.last, last & 0xC0 == 0x80 { start.removeLast() }
      if let last = start.last, last >= 0xC0 { start.removeLast() }
    }
    self.text = ByteString.escape(start) + (isCut ? "…" : "")
  }
}

extension PayloadExcerpt: CustomStringConvertible {
  /// `element 3, at byte 120: {"id":7,…`
  public var description: String { "element \(number), at byte \(offset): \(text)" }
}
