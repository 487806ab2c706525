import SyncText

/// What a run remembers of a catalog that is signed.
extension RunContext {
  /// What the validators of a listing are bound to: also whoever has to have signed it, as a file
  /// may hold another key by now.
  var fingerprint: String { options.fingerprint(checkedBy: catalog.keyIDs) }

  /// Until when the state may be taken that was taken last, in seconds since 1970; `nil` for ever,
  /// or where nobody asks for a signature.
  var lastExpiry: Int64? {
    get async throws {
      guard catalog.verifyKeys != nil else { return nil }
      let text = try await target.index?.read { try $0.value(.catalogExpires) }
      return text.flatMap(HighestRevision.init(text:))
        .flatMap { options.catalogDigests.contains($0.catalog) ? $0.number : nil }
    }
  }

  /// What to remember of the listing that a pass has taken; `nil` where it took none that is
  /// signed. One that may be taken for ever counts as one of the last day that there is.
  func expiry(of pass: MirrorPass) -> HighestRevision? {
    guard catalog.verifyKeys != nil, let listing = pass.fetched?.listing else { return nil }
    return HighestRevision(
      listing.pages.compactMap(\.validUntil).min() ?? .max, of: options.catalogDigest)
  }
}

extension CatalogSource {
  /// The ids of the keys that the catalog is checked by.
  var keyIDs: [String] { (try? verifyKeys?.get())?.ids ?? [] }
}
