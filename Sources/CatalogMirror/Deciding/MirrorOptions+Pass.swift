import SyncEngine
import SyncText

// What the options mean for a pass.

extension MirrorOptions {
  /// The engine's options for this mirror: everything is tried, and removal comes last.
  var syncOptions: SyncOptions {
    var sync = SyncOptions()
    sync.concurrency = effectiveConcurrency
    sync.downloadPreview = previews != .none
    sync.downloadContent = previews != .only
    sync.stopOnError = stopOnError
    sync.removal = .afterDownloads
    sync.removalLimit = maximumRemoval.limit
    return sync
  }

  var wants: ItemNeed.Wants {
    ItemNeed.Wants(contents: previews != .only, previews: previews != .none)
  }

  func passRules(repairing repairs: Repairs?) -> MirrorPass.Rules {
    MirrorPass.Rules(
      wants: wants, maximumRemoval: maximumRemoval, repairs: repairs, last: last,
      usesPacks: mayUsePacks, skippedStatuses: skippedStatuses)
  }

  /// Of files each of which is flushed by itself, one may take longer than its request.
  var mayUsePacks: Bool {
    usesPacks && durability.effective != .file && !catalog.hasPrefix("file:")
  }

  /// What the validators of a listing are bound to: another catalog, or other options, and the
  /// listing is asked for anew.
  /// - Parameter keys: The ids of the keys that it is checked by.
  func fingerprint(checkedBy keys: [String]) -> String {
    Self.digest(
      catalogAddress + [
        format ?? "", vouchesForCompleteness ? "complete" : "", previews.rawValue,
      ] + (maximumRemoval == .never ? ["nothing removed"] : []) + boundTo
        + (keys.isEmpty ? [] : ["signed"] + keys))
  }

  /// The format that was named, in so many words, by a mapping, or by the kind of address.
  var namedFormat: CatalogFormatName? {
    if mapping != nil { return .mapped }
    if let format { return CatalogFormatName(format) }
    return URLReference(catalog)?.scheme == "s3" ? .s3 : nil
  }

  var catalogFormats: CatalogFormats {
    let chosen: [any CatalogFormat] =
      [DebianFormat(repository)] + (mapping.map { [MappedFormat($0)] } ?? [])
    let signed = verifyKeys.isEmpty ? [] : [OwnFormat(requiresDigests: true)]
    var formats = CatalogFormats.standard.preceded(by: signed + additionalFormats + chosen)
    formats.keyTemplate = keyTemplate
    return repository.isEverything ? formats : formats.choosingParts()
  }

  private var boundTo: [String] {
    (scope.isEverything ? [] : [scope.digest.description])
      + (removesExcluded ? ["excluded removed"] : [])
      + (mapping.map { ["mapping " + $0.text] } ?? [])
      + (keyTemplate.map { ["keys " + $0.text] } ?? [])
      + (makesEmptyDirectories ? ["empty directories"] : [])
      + repository.words + (keyring.map { ["signed by \($0)"] } ?? [])
  }

  /// Whether what is to be done may change though the catalog doesn't: items grow too old, and have
  /// to go.
  var changesWithTime: Bool { removesExcluded && scope.maximumAge != nil }

  /// What the scope means for a run that begins now, in seconds since 1970.
  func heldScope(at now: Double) -> HeldScope {
    HeldScope(boundary: ScopeBoundary(scope, at: now), removesOutside: removesExcluded)
  }

  /// What tells the catalog from others whose revisions say nothing of its own.
  ///
  /// Where it is checked by keys, its query doesn't: a folder may follow it by any, and what was
  /// taken by one has to refuse an older state by another.
  var catalogDigest: String {
    guard wasChecked else { return Self.digest(catalogAddress) }
    return Self.digest([URLReference(catalog)?.withoutQuery.redacted ?? "", ""])
  }

  /// Whether its folder follows it by keys, or did until now.
  private var wasChecked: Bool { !verifyKeys.isEmpty || acceptsUnsigned }

  /// The same, and what would have told it with or without a slash at the end of its path, or as
  /// long as its server spoke http only, or before it was checked by keys.
  var catalogDigests: Set<String> {
    let address = URLReference(catalog)?.withoutQuery.redacted ?? ""
    let path = [address, address.hasSuffix("/") ? String(address.dropLast()) : address + "/"]
    let before = path.filter { $0.hasPrefix("https:") }
      .map { "http:" + $0.dropFirst("https:".count) }
    let query = URLReference(catalog)?.query
    let rest = query == nil ? "" : "?…"
    let bare = wasChecked ? (path + before).map { Self.digest([$0, ""]) } : []
    return Set((path + before).map { Self.digest([$0 + rest, query ?? ""]) } + bare)
  }

  private var catalogAddress: [String] {
    [URLReference(catalog)?.redacted ?? "", URLReference(catalog)?.query ?? ""]
  }

  /// A digest, since the query of an address may hold a secret.
  private static func digest(_ parts: [String]) -> String {
    var hasher = SHA256Hasher()
    Array(parts.joined(separator: "\n").utf8).withUnsafeBytes { hasher.update($0) }
    return hasher.finish().description
  }
}
