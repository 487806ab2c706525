extension SyncProcessor {
  /// Does nothing.
  public func syncWillBegin() async throws {}

  /// Returns `items` unchanged.
  public func prepareDownload(of items: [Item]) async throws -> [Item] { items }

  /// Does nothing.
  @inlinable
  public func downloadPreview(of item: Item) async throws {}

  /// Throws: a processor downloads contents in this form or in the one with progress.
  @inlinable
  public func downloadContent(of item: Item) async throws { throw MissingMethod.downloadContent }

  /// Calls ``SyncProcessor/downloadPreview(of:)``.
  @inlinable
  public func downloadPreview(of item: Item, progress: DownloadProgress) async throws {
    try await downloadPreview(of: item)
  }

  /// Calls ``SyncProcessor/downloadContent(of:)``.
  @inlinable
  public func downloadContent(of item: Item, progress: DownloadProgress) async throws {
    try await downloadContent(of: item)
  }

  /// `false`: only errors that are known to say it say that a call was cancelled.
  public func isCancellation(_ error: any Error) async -> Bool { false }

  /// `false`: an error concerns its item alone.
  public func endsPass(_ error: any Error) async -> Bool { false }

  /// Does nothing: every download was durable when its method returned.
  public func commitDownloads() async throws -> [Item.ID: any Error] { [:] }

  /// Does nothing.
  public func syncDidEnd(_ report: PassReport<Item.ID>) async {}

  /// The engine's work over many items, made for this type.
  @_documentation(visibility: internal)
  @inlinable
  public var _work: PassWork<Item> { PassWork(for: self, StoreCalls(of: self)) }
}

/// A processor has neither of two methods of which it needs one.
@usableFromInline
package enum MissingMethod: Error, CustomStringConvertible {
  case downloadContent
  case shouldUpdate

  /// What it says.
  package var sentence: SyncSentence {
    switch self {
    case .downloadContent: .downloadContentMissing
    case .shouldUpdate: .shouldUpdateMissing
    }
  }

  @usableFromInline package var description: String { "\(sentence)" }
}
