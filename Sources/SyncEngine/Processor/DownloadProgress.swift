/// Takes reports of how far the download of an item is; given to
/// ``SyncProcessor/downloadContent(of:progress:)`` and
/// ``SyncProcessor/downloadPreview(of:progress:)``.
///
/// Reports may come from any thread and as often as you like: an observer that doesn't read them in
/// time sees the newest. Those that come after the call has returned are ignored.
public struct DownloadProgress: Sendable {
  private let listener: (any DownloadListener)?
  /// Which worker has the item in hand, where the item stands, and which attempt it is.
  let worker: Int
  let place: Int
  let attempt: Int

  init(_ listener: (any DownloadListener)?, worker: Int, place: Int, attempt: Int) {
    self.listener = listener
    self.worker = worker
    self.place = place
    self.attempt = attempt
  }

  /// Progress that nobody is told of, for tests of your own code.
  public init() {
    self.init(nil, worker: 0, place: 0, attempt: 1)
  }

  /// Whether somebody is told: without an observer, reports cost nothing and needn't be made.
  public var isObserved: Bool { listener?.isObserved ?? false }

  /// So many bytes of the item are there, of so many in all where that is known.
  public func report(bytes: Int64, of total: Int64? = nil) {
    listener?.itemProgressed(self, ItemBytes(done: bytes, total: total))
  }
}

/// How many bytes of an item are there.
public struct ItemBytes: Sendable, Hashable {
  /// Those that are there.
  public var done: Int64
  /// All of them, where that is known.
  public var total: Int64?

  /// Numbers of bytes.
  public init(done: Int64, total: Int64? = nil) {
    self.done = done
    self.total = total
  }
}

/// Who is told of the progress of the items of a download stage.
protocol DownloadListener: AnyObject, Sendable {
  var isObserved: Bool { get }
  func itemProgressed(_ progress: DownloadProgress, _ bytes: ItemBytes)
}
