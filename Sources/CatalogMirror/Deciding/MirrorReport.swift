import SyncFetching
import SyncTransport

/// What a run did, and how it ended.
public struct MirrorReport: Sendable, Equatable {
  /// How it ended.
  public var outcome: Outcome
  /// Items in the listing; of one that hasn't changed, as many as it had.
  public var listed = 0
  /// Items whose content wasn't held before.
  public var added = 0
  /// Items whose content has other bytes than before.
  public var updated = 0
  /// Items whose content was fetched again since it was deleted or edited here.
  public var repaired = 0
  /// Previews that were fetched.
  public var previews = 0
  /// Files that were there already and taken for their items.
  public var adopted = 0
  /// Items of which what is held is still right: the server said so, or they were fetched again and
  /// have the same bytes.
  public var confirmed = 0
  /// How many of them were fetched again: the source gave another date for them, or nothing that
  /// told.
  public var equal = 0
  /// Items that were removed.
  public var removed = 0
  /// Items that the source lacks and that stay, since nothing was to be removed.
  public var kept = 0
  /// Items that the source has and the scope leaves out, as far as their directories were listed.
  public var leftOut = 0
  /// Items that are held and outside the scope, and that stay as they are.
  public var outside = 0
  /// How many of the items that were to be removed are held and outside the scope, and go for that
  /// (``MirrorOptions/removesExcluded``), whether the removal was refused or not.
  public var leaving = 0
  /// Whether the scope is another one than in the last run.
  public var hasNewScope = false
  /// What of the scope means nothing for this listing; unknown where the source has nothing new.
  public var remarks: [ListingRemark] = []
  /// Files that weren't ours and were moved to `.mirror/displaced`.
  public var displaced = 0
  /// Bytes of items and previews that were fetched in this run; what an earlier run had of them
  /// doesn't count.
  public var bytes: Int64 = 0
  /// How many of these files were made of others that were here, and so weren't fetched.
  public var copied = 0
  /// Bytes of the files that were made so; they aren't among ``bytes``.
  public var copiedBytes: Int64 = 0
  /// How many of the files that were fetched came in packs, many with a request; see
  /// ``MirrorOptions/usesPacks``.
  public var packed = 0
  /// How many requests those took.
  public var packRequests = 0
  /// How many packs were of no use, so that their files came one by one.
  public var packsGivenUp = 0
  /// Whether the source proved that nothing changed.
  public var wasUnchanged = false
  /// Whether the index was believed, so that nobody looked at the files that are held.
  public var trustedIndex = false
  /// When the catalog was modified, as its server says, in seconds since 1970; `nil` where it
  /// doesn't.
  public var sourceModified: Double?
  /// Why absence from the listing meant nothing; empty when it meant removal.
  public var partial: [PartialReason] = []
  /// Directories whose listings can't be read, by their URLs: what is held below them stays, and
  /// they say nothing of the rest.
  public var unreadable: [Failure] = []
  /// Whether there is one among them that the last run didn't have.
  public var hasNewUnreadable = false
  /// What failed, in the order in which it happened, each item once: the first 1,000, and whatever
  /// made the run fail as a whole. Of items that one sentence tells of, as those of a server that
  /// is left alone, only the first is named.
  public var failures: [Failure] = []
  /// What the source lists and doesn't give, where these items are the same as in the last run and
  /// nothing else failed. They aren't among the failures.
  public var flaws: [Failure] = []
  /// How many items failed, named in ``failures`` or not.
  public var failed = 0
  /// How many of them have an entry that can't be used: no other run can do better until the
  /// catalog is mended.
  public var unusable = 0
  /// How many of them belong into the folder of another mirror, which stands in this one.
  public var misplaced = 0
  /// How many of them the source refused for good: another run asks again, and gets the same until
  /// something changes there.
  public var refusedItems = 0
  /// How many of them come last and were held back, since something else failed.
  public var heldBack = 0
  /// The time limit that the run reached; then it was cancelled by that.
  public var timeLimit: Duration?
  /// How long the run took.
  public var duration = Duration.zero

  /// How a run ended.
  public enum Outcome: Sendable, Equatable {
    /// What the listing names is held, as far as its versions and the sizes and dates of the files
    /// tell.
    case done
    /// Some items failed; the others are done.
    case someFailed
    /// The run failed as a whole; what was done stays.
    case failed
    /// Too much would have been removed; nothing was. `count` of `of` items would have gone.
    case removalRefused(count: Int, of: Int)
    /// The run was cancelled; what was finished is kept.
    case cancelled
  }

  /// One thing that failed.
  public struct Failure: Sendable, Equatable {
    /// The item's key, escaped; `nil` when the run failed as a whole.
    public var key: String?
    /// What happened, in a sentence.
    public var sentence: String
    /// Which option of the mirror may help; the sentence says it in plain words.
    public var advice: MirrorAdvice?
    /// What kind of failure it is; of what an earlier run left, only what was held back is known.
    public var kind = Kind.other

    /// What another run can do about a failure.
    public enum Kind: Sendable {
      /// Nothing: the item's entry can't be used as it is listed.
      case unusable
      /// Nothing: the source refuses it for good, as with status 403 or 404.
      case refused
      /// The same as about what else failed: it comes last, and was held back for that.
      case heldBack
      /// Perhaps better.
      case other
    }
  }

  init(outcome: Outcome) {
    self.outcome = outcome
  }

  init(failure: any Error) {
    self.init(outcome: .failed)
    failures = [Failure(key: nil, failure)]
  }
}

extension MirrorReport.Failure {
  package init(key: String?, _ error: any Error) {
    self.init(
      key: key,
      sentence: key.map { CatalogMirror.sentence(of: error, about: $0) }
        ?? CatalogMirror.sentence(of: error),
      advice: CatalogMirror.advice(of: error), kind: Kind(error))
  }

  /// Why a pack, of that digest, can't be used.
  package init(ofPack digest: String, _ error: any Error) {
    self.init(key: digest, sentence: PackProblem.reason(error) + ".")
  }

  package init(_ directory: UnreadableDirectory) {
    self.init(key: directory.url, sentence: directory.reason, advice: directory.advice)
  }

  /// What a run left for the next one.
  init(_ item: FailedItem) {
    let text = AdvisedText(kept: item.sentence)
    let isHeldBack = text.sentence == CatalogMirror.sentence(of: ItemError.heldBack)
    self.init(
      key: item.key.description, sentence: text.sentence, advice: text.advice,
      kind: isHeldBack ? .heldBack : .other)
  }

  /// What the index keeps of it.
  var kept: String { AdvisedText(sentence, advice).kept }
}

extension MirrorReport.Failure.Kind {
  init(_ error: any Error) {
    switch error {
    case is UnusableEntry: self = .unusable
    case ItemError.heldBack: self = .heldBack
    case let error as FileSourceError where error.absence != nil: self = .refused
    case let error as TransportError where error.isRefusal: self = .refused
    default: self = .other
    }
  }
}

extension TransportError {
  /// Whether the server answered, and what it answered won't be otherwise in a moment.
  fileprivate var isRefusal: Bool {
    guard case .status = code else { return false }
    return !isTransient
  }
}

extension MirrorReport.Outcome {
  /// Whether the run came to its end, whatever became of single items.
  var isWhole: Bool {
    switch self {
    case .done, .someFailed: true
    case .failed, .removalRefused, .cancelled: false
    }
  }
}
