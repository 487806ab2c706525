extension Violation.Problem: CustomStringConvertible {
  /// A sentence that says what is wrong, and what to mend.
  public var description: String {
    let (wrong, mend) = sentence
    return mend.isEmpty ? wrong : "\(wrong); \(mend)"
  }

  private var sentence: (wrong: String, mend: String) {
    switch self {
    case .fixtureFailed(let reason):
      ("the fixture failed, so this couldn't be checked: \(reason)", "mend the fixture")
    case .passFailed(let reason):
      ("a pass that nothing disturbed didn't succeed: \(reason)", "")
    case .notInList:
      (
        "the source has it and fetchSourceList doesn't name it",
        "read the whole list, or answer .partial"
      )
    case .inventedInList:
      (
        "fetchSourceList names it and the source doesn't have it",
        "check how keys are decoded"
      )
    case .missing:
      (
        "the pass is over and it isn't held",
        "check downloadContent, and that localKeys tells the truth"
      )
    case .lost:
      (
        "it was held, the source has it still, and it is gone",
        "keep the old content until the new one is whole, remove only what you were asked to"
      )
    case .notRemoved:
      (
        "it vanished from the source and is still held",
        "check that removeLocalItems removes what it is given, and that localKeys names it"
      )
    case .notUpdated:
      (
        "its content changed at the source and the old one is still held",
        "check that downloadContent replaces what is there"
      )
    case .notChosen:
      (
        """
        its content changed at the source, and shouldUpdate or itemsToUpdate said that it needn't \
        be downloaded again
        """,
        "compare the version that is listed with the one that is held"
      )
    case .leftOutOfDownloads:
      (
        "it was to be downloaded, and prepareDownload left it out",
        "answer with it, or let the fixture give only keys that the processor takes"
      )
    case .saidUnchanged:
      (
        """
        fetchSourceList answered .unchanged though it isn't held as the source has it, so it \
        will never be
        """,
        Self.whenToKeep
      )
    case .leftOutOfChanges:
      (
        """
        fetchSourceList answered .changes without it though it isn't held as the source has it, \
        so it will never be
        """,
        Self.whenToKeep
      )
    case .leftOutOfRemovals:
      (
        """
        it is held and gone from the source, and fetchSourceList answered .changes without naming \
        it as removed
        """,
        "hand on what the source says is gone; \(Self.whenToKeep)"
      )
    case .partTakenForWhole:
      (
        """
        the source gave a part of its list in which it isn't, and fetchSourceList answered that \
        it is gone
        """,
        "answer .partial unless the source vouches for the whole"
      )
    case .lostUnnamed:
      (
        "a partial list didn't name it, and it is gone",
        "remove only in removeLocalItems, and only what it is given"
      )
    case .removedByPlan:
      ("a plan removed it", Self.whatAPlanMay)
    case .downloadedByPlan:
      ("a plan downloaded it", Self.whatAPlanMay)
    case .changedByPlan:
      ("a plan changed its content", Self.whatAPlanMay)
    case .previewFailed(let reason):
      (
        "its preview failed though nothing was disturbed, and so it fails in every pass: \(reason)",
        "return from downloadPreview where there is none"
      )
    case .previewNeeded(let reason):
      (
        "its preview had failed, and so downloadContent failed: \(reason)",
        "need nothing there that downloadPreview makes"
      )
    case .previewOverwrote:
      (
        "it held its content until downloadPreview put the preview in that place",
        "keep previews in a place of their own"
      )
    case .previewTakenForContent:
      (
        "its preview was fetched and its content wasn't, and it is taken for held as it is listed",
        "note its version and its content only in downloadContent"
      )
    case .wrongContent:
      (
        "its content is none that the source ever had",
        "write to one side, and put it in place only once it is whole"
      )
    case .invented:
      (
        "it is held and the source never had it",
        "keep temporary files out of the collection, and keys as they are"
      )
    case .changedDespiteFailure:
      (
        "it was changed by a pass that couldn't get what it needed for that",
        "change nothing before you have it"
      )
    case .listedNotHeld:
      (
        "localKeys names it and it isn't held",
        "ask the store each time rather than a memory of it"
      )
    case .listedNotWhole:
      (
        "localKeys names it and its content isn't whole, so it might never be mended",
        "name only items that are whole"
      )
    case .heldNotListed:
      (
        "it is held and localKeys doesn't name it, so it could never be removed",
        "ask the store each time rather than a memory of it"
      )
    case .namedDifferently:
      (
        "localKeys(among:) tells something else of whether it is held than localKeys does",
        "leave it out, or take both from the same store"
      )
    case .namedDifferentlyWithItems:
      (
        "localKeys(among:and:) tells something else of whether it is held than localKeys does",
        "answer for the keys of the items and for the others, or leave it out"
      )
    case .miscounted:
      (
        """
        localKeys(among:) or localKeys(among:and:) counts another number of items than localKeys \
        names
        """,
        "count all that are held, asked about or not"
      )
    case .namingFailed(let reason):
      (
        "localKeys(among:) or localKeys(among:and:) failed: \(reason)",
        "answer whatever they are asked about, be it nothing"
      )
    case .needlessDownload:
      (
        "it was downloaded although nothing about it had changed",
        "keep its version with it, and compare that in shouldUpdate or itemsToUpdate"
      )
    case .needlessRemoval:
      (
        "it was to be removed although the source has it",
        "check that localKeys and the list spell keys alike"
      )
    case .committedNotHeld:
      (
        "its download and the commit succeeded and the content isn't in the store",
        "make it durable before commitDownloads returns, or return its failure there"
      )
    case .errorSwallowed:
      (
        "an error happened and the pass doesn't report it",
        "throw it, so that the engine knows"
      )
    }
  }

  private static var whenToKeep: String {
    """
    keep a validator or a cursor only in syncDidEnd, of a sync that succeeded and whose isComplete \
    isn't false, and of no partial list, and forget a validator once a list came
    """
  }

  private static var whatAPlanMay: String {
    "syncWillBegin(_:) says that a pass is a plan: change nothing then"
  }
}
