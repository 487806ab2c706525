/// How the downloads of a pass ended; given to ``SyncProcessor/commitDownloads(after:)``.
public enum DownloadsEnding: Sendable, Hashable {
  /// Every item was tried; some may have failed.
  case tried
  /// A failure stopped the rest: see ``SyncOptions/stopOnError`` and
  /// ``SyncProcessor/endsPass(_:)``.
  case stopped
  /// The run was cancelled before every item was tried.
  case cancelled
}
