import SyncEngine
import SyncText

/// What a folder holds, and how its last runs went.
public struct MirrorStatus: Sendable {
  /// Whether the folder is a mirror.
  public var isMirror = false
  /// The catalog that it follows, without secrets.
  public var catalog: String?
  /// The ids of the keys by which the catalog was checked; none where nobody has asked for a
  /// signature.
  public var verifyKeys: [String] = []
  /// Whether it was checked by these before, and the state that was taken last was taken without
  /// (``MirrorOptions/acceptsUnsigned``).
  public var wasTakenUnsigned = false
  /// Until when the state of the catalog may be taken that was taken last, in seconds since 1970;
  /// `nil` is for ever, or not known.
  public var expires: Int64?
  /// Items whose content is held, and their bytes.
  public var contents = 0
  /// See ``contents``.
  public var contentBytes: Int64 = 0
  /// Previews that are held, and their bytes.
  public var previews = 0
  /// See ``previews``.
  public var previewBytes: Int64 = 0
  /// Files that lie in quarantine, and their bytes.
  public var quarantined = 0
  /// See ``quarantined``.
  public var quarantinedBytes: Int64 = 0
  /// Files that were moved to `.mirror/displaced`, and their bytes.
  public var displaced = 0
  /// See ``displaced``.
  public var displacedBytes: Int64 = 0
  /// The newest of them, at most five.
  public var newestDisplaced: [MirrorRestorable] = []
  /// The rules of the last run; `nil` for one of an earlier version.
  public var rules: MirrorRules?
  /// The run that is under way; then nothing else is known but the catalog and the displaced files,
  /// since the index is the run's alone.
  public var running: RunningMirror?
  /// What the last run said of itself last, if it was ended from outside, as by a loss of power;
  /// `nil` where it came to an end of its own.
  public var cutShort: RunningMirror?
  /// Files in the folder that aren't the mirror's.
  public var foreign = 0
  /// Directories in the folder that this user can't read, by their paths below it.
  public var closed: [MirrorReport.Failure] = []
  /// Directories of the listing that the last run couldn't read, by their URLs: the first 1,000.
  public var unreadable: [MirrorReport.Failure] = []
  /// What failed in the last run that tried its items, and is tried first in the next one.
  public var failures: [MirrorReport.Failure] = []
  /// What the source lists and didn't give in that run either, where it is no news: that run
  /// counted it among no failures (``MirrorReport/flaws``).
  public var flaws: [MirrorReport.Failure] = []
  /// The last runs, newest first.
  public var runs: [Run] = []

  /// One run.
  public struct Run: Sendable {
    /// When it began, in seconds since 1970.
    public var startedAt: Double
    /// How long it took.
    public var duration: Duration
    /// How it ended, in a word.
    public var outcome: String
    /// Contents and previews fetched.
    public var downloaded: Int
    /// Contents and previews that are new or other than before: fetched, or adopted.
    public var changed: Int
    /// How many of them were adopted; 0 for a run of an earlier version, and for one before the
    /// newest 50 that adopted any.
    public var adopted = 0
    /// How many of them were fetched, as far as ``adopted`` is known.
    public var fetched: Int { changed - adopted }
    /// Contents that were fetched again and have the same bytes.
    public var equal: Int { max(downloaded - fetched, 0) }
    /// Items removed.
    public var removed: Int
    /// Items that failed.
    public var failed: Int
    /// Bytes fetched.
    public var bytes: Int64
    /// How many files were made of others that were here.
    public var copied = 0
    /// Bytes of these, which weren't fetched.
    public var copiedBytes: Int64 = 0
    /// How many files came in packs, many with a request.
    public var packed = 0
    /// How many requests those took.
    public var packRequests = 0
    /// What went wrong first, in a sentence.
    public var error: String?
    /// Which option of the mirror may have helped.
    public var advice: MirrorAdvice?
  }

  static let mostDisplacedNamed = 5

  /// Takes over what the index keeps of items that failed, as the run told it that left them.
  mutating func take(_ kept: [FailedItem], flaws known: KnownFlaws, after run: RunRecord?) {
    let wasNews = run.map { $0.counts.failed > 0 } ?? true
    for item in kept {
      let failure = MirrorReport.Failure(item)
      if wasNews || !known.keys.contains(item.key) {
        failures.append(failure)
      } else {
        flaws.append(failure)
      }
    }
  }

  /// Takes over what lies among the displaced files, the newest first.
  mutating func take(displaced files: [MirrorRestorable]) {
    displaced = files.count
    displacedBytes = files.reduce(0) { $0.addingSaturated($1.size) }
    newestDisplaced = Array(files.prefix(Self.mostDisplacedNamed))
  }
}

extension MirrorStatus.Run {
  init(_ record: RunRecord) {
    startedAt = Double(record.startedNanoseconds) / 1_000_000_000
    duration = .nanoseconds(record.endedNanoseconds - record.startedNanoseconds)
    outcome = record.ending.word
    downloaded = record.counts.downloaded
    changed = record.counts.updated
    adopted = record.adopted
    removed = record.counts.removed
    failed = record.counts.failed
    bytes = record.bytes
    (copied, copiedBytes) = (record.copied, record.copiedBytes)
    (packed, packRequests) = (record.packed, record.packRequests)
    let text = record.error.map(AdvisedText.init(kept:))
    error = text?.sentence
    advice = text?.advice
  }
}

extension RunRecord {
  /// Whether it came as far as to try its items, so that what failed before it is forgotten.
  var triedItems: Bool {
    switch ending {
    case .succeeded, .someFailed: true
    case .failed: counts.failed > 0
    case .removalRefused, .cancelled, .outOfTime: false
    }
  }
}

extension RunEnding {
  fileprivate var word: String {
    switch self {
    case .succeeded: "done"
    case .someFailed: "some failed"
    case .failed: "failed"
    case .removalRefused: "refused"
    case .cancelled: "cancelled"
    case .outOfTime: "out of time"
    }
  }
}
