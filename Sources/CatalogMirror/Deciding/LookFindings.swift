import SyncFiles
import SyncFolder
import SyncText

struct LookFindings: Sendable, Equatable {
  /// Items whose content is gone or isn't what it was.
  var damaged: Set<CatalogKey> = []
  /// Those of them whose content is gone.
  var gone: Set<CatalogKey> = []
  /// The names of the previews that are gone or aren't what they were, by their items.
  var damagedPreviews: [CatalogKey: String] = [:]
  /// The states that files are in now whose dates or inodes had changed, and that are the same:
  /// their bytes, or of a file without a digest, its size and date.
  var touched: [CatalogKey: FileStamp] = [:]
  /// Items whose content couldn't be looked at, and why: most often, its directory can't be read.
  var unseen: [CatalogKey: FolderError] = [:]
  /// Items of which something wanted isn't held as it was listed last: no damage, but work.
  var lacking: Set<CatalogKey> = []
  /// Files of previews that nothing speaks of.
  var orphanedPreviews: Set<String> = []

  mutating func add(_ more: LookFindings) {
    damaged.formUnion(more.damaged)
    gone.formUnion(more.gone)
    damagedPreviews.merge(more.damagedPreviews) { $1 }
    touched.merge(more.touched) { $1 }
    unseen.merge(more.unseen) { $1 }
    lacking.formUnion(more.lacking)
  }

  /// Everything that has to be fetched, or asked about, when the listing hasn't changed.
  var incomplete: Set<CatalogKey> {
    damaged.union(damagedPreviews.keys).union(lacking).union(unseen.keys)
  }

  var changes: [IndexChange] {
    damaged.sorted().map(IndexChange.contentLost)
      + damagedPreviews.keys.sorted().map(IndexChange.previewLost)
      + touched.sorted { $0.key < $1.key }.map(IndexChange.touched)
  }
}

/// What a look at a file tells of it: the rule for what counts as damaged.
enum FileCondition: Equatable, Sendable {
  case asLeft
  /// It has another date or inode. Equal bytes mean that it was only touched, or copied back.
  case toBeHashed(against: SHA256Digest)
  /// It has another inode, and the size and the date that it was left with, to the nanosecond: it
  /// was copied with its date. No digest is known that could tell more.
  case copied(FileStamp)
  case damaged
  case gone

  /// The condition of a file that was left in this state.
  ///
  /// - Parameters:
  ///   - stamp: The state in which it was left.
  ///   - sha256: The digest of its bytes, if it is known.
  ///   - status: What stands there now; `nil` for nothing.
  init(leftAs stamp: FileStamp, sha256: SHA256Digest?, now status: FileStatus?) {
    guard let status else {
      self = .gone
      return
    }
    if stamp.matches(status) {
      self = .asLeft
    } else if status.kind == .file, status.size == stamp.size, let sha256 {
      self = .toBeHashed(against: sha256)
    } else if status.kind == .file, sha256 == nil, stamp.hasSizeAndDate(of: status.stamp) {
      self = .copied(status.stamp)
    } else {
      self = .damaged
    }
  }
}

extension FileStamp {
  /// Whether both are of the same size and, to the nanosecond, date, as a file and its copy are
  /// that was made with the date.
  func hasSizeAndDate(of other: FileStamp) -> Bool {
    size == other.size && modifiedNanoseconds == other.modifiedNanoseconds
  }
}

enum Misplacement: Equatable, Sendable {
  /// What stands on the way there isn't ours: the folder of another mirror, above all.
  case folder(FolderError)
  /// This item stands in its way, and stays.
  case inTheWay(CatalogKey)

  var error: any Error {
    switch self {
    case .folder(let error): error
    case .inTheWay(let key): ItemError.inTheWay(key.description)
    }
  }
}

/// What a run of repair fetches again, from the entries that the index keeps, without asking the
/// catalog.
struct Repairs: Equatable, Sendable {
  /// Items whose content isn't what was fetched.
  var contents: Set<CatalogKey> = []
  /// Items whose preview isn't what was fetched.
  var previews: Set<CatalogKey> = []

  var isEmpty: Bool { contents.isEmpty && previews.isEmpty }

  var transfers: MirrorOptions.Previews {
    if previews.isEmpty { return .none }
    return contents.isEmpty ? .only : .also
  }

  /// What the index is told first: from then on, what stands there isn't ours, so that it is
  /// displaced and not written over.
  var marks: [IndexChange] {
    contents.sorted().map(IndexChange.contentLost) + previews.sorted().map(IndexChange.previewLost)
  }

  func need(of key: CatalogKey) -> ItemNeed {
    ItemNeed(
      content: contents.contains(key) ? .damaged : nil,
      preview: previews.contains(key) ? .damaged : nil)
  }
}
