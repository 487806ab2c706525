extension SyncSentence: CustomStringConvertible {
  /// The sentence in English.
  public var description: String {
    switch self {
    case .stage(let stage): stage.words
    case .failure(let stage, let key, let cause):
      "\(stage) failed\(key.map { " for \($0)" } ?? ""): \(cause)"
    case .failed(let first, let more): Self.failure(first, more)
    case .cancelled: "The sync was cancelled before everything was done; sync again to go on."
    case .removalRefused(let count, let local): Self.refusedRemoval(count, of: local)
    case .reentrant(let call): Self.refusal(call)
    case .notListed(let key):
      "The key \(key) is neither listed nor held; look for it again after the next sync."
    case .leftOut(let key): Self.omission(key)
    case .stuck(let stage, let key): Self.stuckness(stage, key)
    case .incomplete: Self.incompleteness
    case .list(let problem): "\(problem)"
    case .timedOut(let limit):
      "it took longer than its limit of \(limit); try again, or raise the limit"
    case .callCancelled: "it was cancelled"
    case .downloadContentMissing:
      Self.lack("download contents", of: "downloadContent(of:)", "downloadContent(of:progress:)")
    case .shouldUpdateMissing:
      Self.lack("tell what changed", of: "shouldUpdate(_:)", "itemsToUpdate(among:)")
    }
  }

  private static func failure(_ first: String?, _ more: Int) -> String {
    guard let first else { return "The sync failed; look at the report, then sync again." }
    let others =
      switch more {
      case ...0: ""
      case 1: " There was 1 more failure."
      default: " There were \(more) more failures."
      }
    return "The sync failed: \(first)\(others) Mend the cause, then sync again."
  }

  private static func refusedRemoval(_ count: Int, of local: Int) -> String {
    """
    The sync would have removed \(count) of \(local) local items, which is over the limit; \
    none of them was. Check the source, or raise the removal limit.
    """
  }

  private static func refusal(_ call: Call?) -> String {
    let way =
      switch call {
      case .plan: "make the plan once the sync has ended"
      case .drain: "drain it from outside of its own calls"
      case .sync, .ensure, nil: "call requestSync() there, which doesn't wait"
      }
    return """
      A processor awaited \(call.map { "\($0.rawValue) of " } ?? "")the synchronizer that was \
      calling it, which could never end; \(way).
      """
  }

  private static func omission(_ key: String) -> String {
    """
    The item \(key) isn't downloaded: the processor left it out of this pass, its source says \
    that nothing changed, or neither previews nor contents are asked for. Change that, then \
    ask again.
    """
  }

  private static func stuckness(_ stage: SyncStage, _ key: String?) -> String {
    """
    The call of \(stage.rawValue)\(key.map { " of \($0)" } ?? "") hasn't returned by twice its \
    time limit, and nothing new begins before it has. Sync again later; let the processor return \
    soon once its task is cancelled.
    """
  }

  private static var incompleteness: String {
    "Not every listed item is held yet; the rest comes when the source gives its whole list again."
  }

  private static func lack(_ act: String, of method: String, _ other: String) -> String {
    "the processor can't \(act); give it \(method), or \(other)"
  }
}

extension SyncStage {
  /// The stage as the beginning of a sentence.
  fileprivate var words: String {
    switch self {
    case .begin: "Getting ready"
    case .fetchSourceList: "Fetching the list"
    case .localKeys: "Looking at what is held"
    case .removeLocalItems: "Removing what vanished"
    case .itemsToUpdate: "Finding out what changed"
    case .prepareDownload: "Preparing the downloads"
    case .downloadPreviews: "Downloading previews"
    case .downloadContents: "Downloading"
    case .commitDownloads: "Storing what was downloaded"
    case .end: "Finishing"
    }
  }
}
