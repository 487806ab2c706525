package import SyncText

/// Checks the signature of a catalog in lines while its body comes: the header as soon as it is
/// whole, the lines once all of them have come.
///
/// What is no such header isn't an error here, since whoever reads the body may say better what it
/// is: ``finish()`` gives `nil` then, and nothing of the body is to be believed.
package struct CatalogVerification: ~Copyable {
  private enum Stage {
    case header
    case lines
    case unsigned
  }

  private let keys: [Ed25519PublicKey]
  private let now: Double
  private let url: String
  private var stage = Stage.header
  private var header: [UInt8] = []
  private var signed: SignedCatalog?
  private var hasher = SHA256Hasher()

  /// The longest header.
  private static let longest = 1 << 20

  /// A check of one body.
  ///
  /// - Parameters:
  ///   - keys: The keys of which one has to have signed it.
  ///   - now: The date, in seconds since 1970.
  ///   - url: The page's, fit for messages.
  package init(by keys: [Ed25519PublicKey], at now: Double, of url: String) {
    (self.keys, self.now, self.url) = (keys, now, url)
  }

  /// Takes the next bytes of the body.
  /// - Throws: ``CatalogError/unsigned(url:_:)`` for a header that isn't to be believed, or
  ///   ``CatalogError/ofTheFuture(url:date:now:)``.
  package mutating func take(_ bytes: UnsafeRawBufferPointer) throws(CatalogError) {
    switch stage {
    case .unsigned: break
    case .lines: hasher.update(bytes)
    case .header:
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
        header += bytes
        if header.count > Self.longest { pass() }
        return
      }
      header += bytes[..<end]
      try readHeader()
      try take(UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]))
    }
  }

  private mutating func readHeader() throws(CatalogError) {
    guard SignedCatalog.isSigned(header) else { return pass() }
    do throws(SignatureProblem) {
      signed = try SignedCatalog(header: header, by: keys)
    } catch {
      throw .unsigned(url: url, error)
    }
    if let date = signed?.published, Double(date) > now + ListingVerdict.longestFuture {
      throw .ofTheFuture(url: url, date: date, now: Int64(now))
    }
    (stage, header) = (.lines, [])
  }

  private mutating func pass() {
    (stage, header) = (.unsigned, [])
  }

  /// What the header says, once the body has ended; `nil` for what bears no signature.
  /// - Throws: ``CatalogError/unsigned(url:_:)`` for other lines than those that were signed.
  package consuming func finish() throws(CatalogError) -> SignedCatalog? {
    guard let signed else { return nil }
    guard hasher.finish() == signed.body else {
      throw .unsigned(url: url, .otherLines(signed.keys[0]))
    }
    return signed
  }
}
