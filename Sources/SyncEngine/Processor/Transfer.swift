/// What an item is downloaded for.
@usableFromInline
enum Transfer: Sendable {
  case preview
  case content
}

/// What a worker of a download stage does next.
@usableFromInline
enum DownloadTurn: Sendable {
  /// Downloads the item at this place, and that is all.
  case plain(Int)
  /// Downloads the item at this place for somebody who observes, or with limits and attempts.
  case attended(Int)
  /// Settles the failure of the item at this place.
  case failed(Int, any Error)
  /// Nothing any more.
  case over
}
