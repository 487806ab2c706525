import SyncTransport

/// Looks at the first bytes of what is called gzip, unasked: a packed file itself, or one that the
/// server has packed on the way. In a packed file that was packed once more, gzip comes again.
struct GzipStart {
  private let coding: ContentCoding
  /// Whether bytes that aren't gzip at all are right, too.
  private let mayBeOther: Bool
  /// `nil` once it is known that the bytes are the file.
  private var decoder: GzipDecoder?
  private var inside: [UInt8] = []

  private static let magic: [UInt8] = [0x1F, 0x8B]

  private struct HasEnough: Error {}

  init(_ coding: ContentCoding, mayBeOther: Bool) {
    (self.coding, self.mayBeOther) = (coding, mayBeOther)
    decoder = GzipDecoder()
  }

  /// Takes the next bytes.
  /// - Throws: ``ItemError/coded(_:)``.
  mutating func take(_ bytes: UnsafeRawBufferPointer) throws {
    guard let decoder else { return }
    do {
      try decoder.feed(bytes) { unpacked in
        inside += unpacked.prefix(Self.magic.count - inside.count)
        if inside.count == Self.magic.count { throw HasEnough() }
      }
    } catch is HasEnough {
      if inside == Self.magic { throw refusal }
      self.decoder = nil
    } catch {
      guard mayBeOther else { throw refusal }
      self.decoder = nil
    }
  }

  /// The bytes have ended.
  /// - Throws: ``ItemError/coded(_:)``.
  func end() throws {
    guard let decoder, !decoder.isAtEnd, !mayBeOther else { return }
    throw refusal
  }

  private var refusal: ItemError { .coded(coding.description) }
}
