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
  /// An item that a partial list doesn't name stays. Needs a source that gives one on demand, see
  /// ``ProcessorFixture/setListForm(_:)``; without it there is nothing to check.
  case partialList
  /// What a list of changes names is downloaded or removed, and what failed is named again. Needs a
  /// source that gives one on demand, as before.
  case changesList
  /// `localKeys(among:)` and `localKeys(among:and:)` say what `localKeys` says: asked about no key,
  /// about keys that nobody knows, and about keys that are named twice.
  case namedKeys
  /// `plan()` changes nothing, and the next pass does all that there is to do.
  case plan
  /// Previews leave contents alone, and an item whose preview was fetched still gets its content.
  case previews
  /// What was downloaded when `commitDownloads` returned is there for a new processor.
  case durability
  /// A pass cancelled at any of its calls leaves whole items only, and the next one completes.
  case cancellation
  /// A pass cancelled in the middle of a download does so too. Needs a source that misbehaves on
  /// demand, see ``ProcessorFixture/setInterception(_:)``.
  case interruptedDownload
  /// When the list can't be had, everything stays as it was.
  case failedList
  /// When an item can't be had, it stays as it was, the others arrive, and the failure is reported;
  /// the next pass fetches it.
  case failedItem
  /// When a removal fails or is refused, the next pass removes what is to go.
  case failedRemoval
}
