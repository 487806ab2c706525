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
      ("it vanished from the source and is still held", "check removeLocalItems and localKeys")
    case .notUpdated:
      (
        "its content changed at the source and the old one is still held",
        "check itemsToUpdate, and that downloadContent replaces what is there"
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
        "localKeys(among:) tells something else of what is held than localKeys does",
        "leave it out, or take both from the same store"
      )
    case .needlessDownload:
      (
        "it was downloaded although nothing about it had changed",
        "keep its version with it, and compare that in itemsToUpdate"
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
}
