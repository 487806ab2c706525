package import SyncText

/// The keys of which one has to have signed a catalog.
package struct VerifyKeys: Sendable {
  package let keys: [Ed25519PublicKey]
  /// The date, in seconds since 1970.
  private let now: Double

  package init(_ keys: [Ed25519PublicKey], at now: Double) {
    (self.keys, self.now) = (keys, now)
  }

  /// The ids of the keys, each once, in the order of their digits.
  package var ids: [String] { Set(keys.map(\.id)).sorted() }

  /// A check of one body.
  /// - Parameter url: The page's, fit for messages.
  func verification(of url: String) -> CatalogVerification {
    CatalogVerification(by: keys, at: now, of: url)
  }
}
