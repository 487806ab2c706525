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

  /// Remembers what tells an older state from a signed one, before anything of that comes into the
  /// folder: whether the run is cut, or removes nothing, the older one is refused from now on.
  func keepState(of listing: Listing) async throws {
    if !listing.header.verifiedBy.isEmpty, let number = listing.header.orderedRevision {
      try await keep(HighestRevision(number, of: options.catalogDigest))
    }
    try await keepExpiry(of: listing)
  }

  /// Remembers until when a listing may be taken; one that may be for ever counts as one of the
  /// last day that there is. Of one that was taken without keys where there were some before, that
  /// it was.
  func keepExpiry(of listing: Listing) async throws {
    let end = listing.pages.compactMap(\.validUntil).min() ?? .max
    let text =
      catalog.verifyKeys == nil
      ? HighestRevision.unsigned : HighestRevision(end, of: options.catalogDigest).text
    let isKept = try await session.index.read { [catalog] index in
      try index.value(.catalogExpires) == text
        || catalog.verifyKeys == nil && index.value(.verifyKeys) == nil
    }
    guard !isKept else { return }
    try await session.index.write { try $0.setValue(text, for: .catalogExpires) }
  }
}

extension CatalogSource {
  /// The ids of the keys that the catalog is checked by.
  var keyIDs: [String] { verifyKeys?.ids ?? [] }
}
