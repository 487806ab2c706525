/// A stage of a pass, in the order in which they run.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum SyncStage: String, Sendable, CaseIterable, Hashable {
  /// ``SyncProcessor/syncWillBegin()``
  case begin
  /// ``SyncProcessor/fetchSourceList()``
  case fetchSourceList
  /// ``SyncProcessor/localKeys()``
  case localKeys
  /// ``SyncProcessor/removeLocalItems(_:)``; after ``commitDownloads`` with
  /// ``SyncOptions/Removal/afterDownloads``.
  case removeLocalItems
  /// ``StoreSyncProcessor/itemsToUpdate(among:)``
  case itemsToUpdate
  /// ``SyncProcessor/prepareDownload(of:)``
  case prepareDownload
  /// ``SyncProcessor/downloadPreview(of:)``, side by side
  case downloadPreviews
  /// ``SyncProcessor/downloadContent(of:)``, side by side
  case downloadContents
  /// ``SyncProcessor/commitDownloads()``
  case commitDownloads
  /// ``SyncProcessor/syncDidEnd(_:)``
  case end
}
