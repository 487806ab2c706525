import CatalogMirror
import SyncText

/// Whether a catalog may take another one's place, by who has signed that and who signs this.
///
/// Whoever can write to the catalog's file needn't have its key. What such a one writes there must
/// not come under the key's signature: with a revision that is far ahead, no later state could be
/// told from it, and every mirror would stay with that one.
struct CatalogSuccession {
  /// Whose signatures the next catalog will bear; none for one that isn't signed.
  var keys: [Ed25519PublicKey]
  /// Whether one that isn't signed may come after one that is.
  var acceptsUnsigned: Bool

  /// How far ahead of the clock a revision may be that nobody has signed, in seconds: so far each
  /// such catalog takes it at most.
  private static let mostAhead: Int64 = 86_400

  /// The number that the next catalog's has to be greater than; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - catalog: What stands there now.
  ///   - name: Its name, for messages.
  ///   - now: The date, in seconds since 1970.
  func lastRevision(
    in catalog: [UInt8], named name: String, at now: Int64
  ) throws(PublishError) -> Int64? {
    let header = CatalogText.header(of: catalog)
    let last = header?["revision"]?.integer
    guard !keys.isEmpty else {
      let signers = header?["signature"]?.elements?.lazy.compactMap { $0["key"]?.string }.prefix(4)
      guard acceptsUnsigned || signers?.isEmpty ?? true else {
        let ids = signers?.map { CatalogKey($0).description } ?? []
        throw .badOption(.signKeyMissing(name, ids))
      }
      return last
    }
    guard let last, last > now.addingSaturated(Self.mostAhead), !hasSigned(catalog) else {
      return last
    }
    throw .unbelievedRevision(name, last)
  }

  private func hasSigned(_ catalog: [UInt8]) -> Bool {
    let header = Array(catalog.prefix { $0 != UInt8(ascii: "\n") })
    return (try? SignedCatalog(header: header, by: keys)) != nil
  }
}
