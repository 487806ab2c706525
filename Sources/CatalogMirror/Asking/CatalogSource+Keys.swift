import SyncText

extension CatalogSource {
  /// Believes a page that a key has signed, or was asked for by its digest, and no other, where
  /// keys were given.
  /// - Throws: ``CatalogError/unsigned(url:_:)``
  func settle(
    _ signed: SignedCatalog?, of page: inout CatalogPage, _ body: CatalogBody
  ) throws(CatalogError) {
    guard verifyKeys != nil, body.request.sha256 == nil else { return }
    let shown = body.url.redacted
    guard page.format == .catalog else { throw .unsigned(url: shown, .notInLines) }
    guard let signed else { throw .unsigned(url: shown, .none) }
    // Where the server says that there are more pages, nobody has signed that.
    guard page.next == nil, page.parts.isEmpty, page.subdirectories.isEmpty else {
      throw .unsigned(url: shown, .notInLines)
    }
    page.header.validUntil = signed.expires
    page.header.verifiedBy = signed.keys
  }

  /// What an error means for who may take the last state no longer: that a source doesn't answer is
  /// a way to keep from him that there is a newer one.
  func expiry(of end: Int64?, after error: CatalogError) -> CatalogError? {
    guard case .unfetched(let url, let reason, let advice) = error, let end, let now = options.now,
      !options.allowsExpired, Double(end) < now
    else { return nil }
    return .expired(
      url: url, at: end, now: Int64(now), unfetched: reason, advice: advice)
  }
}
