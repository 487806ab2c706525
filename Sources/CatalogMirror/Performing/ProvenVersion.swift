import SyncFetching
import SyncText

/// The version that bytes of an item are recorded with: one that proves nothing of them is
/// ``ItemVersion/unknown``, and they are asked about next time.
extension MirrorItem {
  /// What the list alone proves.
  var version: ItemVersion {
    guard case .entry(let entry, isSettled: true) = self else { return .unknown }
    return entry.version
  }

  /// What the list proves, or the answer that brought the bytes.
  ///
  /// A file may change twice while its date stays the same: within the date's unit. Bytes that were
  /// sent after it had ended are the last ones under that date. Only the server that made the list
  /// tells that, as two clocks may differ. A cache on the way that sends old bytes as if they were
  /// of now, which no answer shows, is believed here as it is of any version.
  func version(sentIn answer: ByteAnswer, listedBy catalog: URLReference) -> ItemVersion {
    guard case .entry(let entry, isSettled: false) = self,
      entry.version != .unknown,
      entry.listed.date?.hasEnded(by: answer.date) == true,
      URLReference(answer.url)?.isOfOrigin(catalog) == true
    else { return version }
    return entry.version
  }
}

extension CatalogEntry {
  /// The date that its version is made of, or that servers make tags of.
  fileprivate var date: ListingDate? {
    switch version {
    case .dateAndSize(date: let text?, size: _): ListingDate(text)
    case .strongETag, .weakETag: modified.map { ListingDate(utc: $0) }
    case .dateAndSize(date: nil, size: _), .digest, .revision, .unknown: nil
    }
  }
}

extension URLReference {
  fileprivate func isOfOrigin(_ other: URLReference) -> Bool {
    scheme == other.scheme && authority == other.authority
  }
}
