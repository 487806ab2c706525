/// One of the things that ``ProcessorContract`` checks.
public enum ContractCheck: String, Sendable, Hashable, CaseIterable {
  /// After a pass into an empty store, the local items are the source's, with the same contents.
  case firstPass
  /// Keys with odd characters are kept, found again and removed.
  case oddKeys
  /// A further pass does nothing, with the same processor and with a new one.
  case repeatedPass
  /// An item that was added is downloaded, and nothing else.
  case addedItem
  /// An item whose content changed is downloaded again, and nothing else.
  case changedItem
  /// An item that vanished is removed, and nothing else.
  case removedItem
  /// What was downloaded when `commitDownloads` returned is there for a new processor.
  case durability
  /// A pass cancelled at any of its calls leaves whole items only, and the next one completes.
  case cancellation
  /// A pass cancelled in the middle of a download does so too. Needs a source that misbehaves on
  /// demand, see ``ProcessorFixture/setInterception(_:)``.
  case interruptedDownload
  /// When the list can't be had, everything stays as it was.
  case failedList
  /// When an item can't be had, it stays as it was, the others arrive, and the failure is reported.
  case failedItem
}
