public import SyncEssentials
public import SyncText

/// Why a catalog gave no listing. Nothing is removed or downloaded after one of these.
///
/// URLs in it carry neither user-info nor query.
public enum CatalogError: Error, Hashable, Sendable {
  /// The body isn't what it should be.
  case unreadable(url: String, expected: Expectation, found: Finding)
  /// A catalog of format 1 says something that can't be.
  case badHeader(url: String, problem: HeaderProblem)
  /// More of something than is allowed.
  case limit(url: String, Measure, most: Int)
  /// A key stands in the listing twice.
  case duplicateKey(ByteString)
  /// The chain of pages comes back to a page that was read already.
  case pageLoop(url: String)
  /// A page links to a next page that isn't followed.
  case badNext(url: String, problem: LocatorProblem)
  /// A page could not be fetched, and without it there is nothing to go by; what happened and what
  /// to do.
  case unfetched(url: String, reason: String, advice: MirrorAdvice? = nil)
  /// A Debian repository's suite was asked for, and none is there: what the source says, and the
  /// form of the address to give.
  case noSuite(url: String, reason: String, suite: String)
  /// A file that the repository's own `Release` names isn't there in any of its forms; what the
  /// source says of it.
  case noIndex(url: String, reason: String)
  /// The header declares another number of entries than there are.
  case countDisagrees(url: String, declared: Int64, found: Int64)
  /// A page declares something else than the first page did.
  case pagesDisagree(url: String, about: Claim)
  /// The revision is that of last time, and the body isn't.
  case sameRevisionOtherBody(url: String, revision: CatalogRevision)
  /// A page isn't signed by a key that was given, or nobody can tell.
  case unsigned(url: String, SignatureProblem)
  /// An ordered revision went backwards.
  case rolledBack(url: String, from: Int64, to: Int64)
  /// It was made at a date before that of the one that was taken last, both in seconds since 1970.
  case olderThanBefore(url: String, date: Int64, last: Int64)
  /// It says itself that it may be taken no longer; until when, in seconds since 1970, and the
  /// date now. Where the source doesn't answer, that is said of what it gave last, with the reason
  /// and what to do.
  case expired(
    url: String, at: Int64, now: Int64, unfetched: String? = nil, advice: MirrorAdvice? = nil)
  /// It says that it was made at a date that hasn't come yet, in seconds since 1970, and the date.
  case ofTheFuture(url: String, date: Int64, now: Int64)

  /// What a catalog may have only so much of.
  public enum Measure: Hashable, Sendable {
    /// Bytes of all pages together, decompressed.
    case bytes
    /// Entries of all pages together.
    case entries
    /// Bytes of one key.
    case keyBytes
    /// Directories in directories.
    case levels
    /// Pages.
    case pages
    /// Pages that list nothing, one after the other.
    case emptyPages
    /// Bytes of one value, name, text, comment or line.
    case pieceBytes
    /// Bytes of memory that it takes to unpack a file.
    case unpackingBytes
    /// Bytes of one tag.
    case tagBytes
    /// Attributes of one tag.
    case attributes
  }

  /// What each page of a catalog may declare, and all alike.
  public enum Claim: Hashable, Sendable {
    /// The number of entries.
    case count
    /// The revision.
    case revision
    /// What a page of the list says of the digest of another.
    case digest
    /// What a page of the list says of the size of another.
    case size
  }
}

extension CatalogError.Measure {
  fileprivate func amount(_ most: Int) -> String {
    switch self {
    case .bytes: ByteAmount.text(Int64(most))
    case .pieceBytes, .tagBytes, .unpackingBytes: "\(ByteAmount.text(Int64(most))) \(words)"
    default: "\(most) \(words)"
    }
  }

  fileprivate var words: String {
    switch self {
    case .bytes: "bytes"
    case .entries: "entries"
    case .keyBytes: "bytes in one key"
    case .levels: "levels of directories"
    case .pages: "pages"
    case .emptyPages: "pages in a row that list nothing"
    case .pieceBytes: "in one value, name, text or line"
    case .unpackingBytes: "of memory to unpack it"
    case .tagBytes: "in one tag"
    case .attributes: "attributes in one tag"
    }
  }
}

extension CatalogError.Claim {
  fileprivate var word: String {
    switch self {
    case .count: "count"
    case .revision: "revision"
    case .digest: "digest"
    case .size: "size"
    }
  }

  /// Whether it is what one page says of the bytes of another.
  fileprivate var isOfBytes: Bool { self == .digest || self == .size }
}

extension CatalogError: CustomStringConvertible {
  /// Which option of the mirror may help.
  public var advice: MirrorAdvice? {
    switch self {
    case .limit(_, .bytes, _): .raiseCatalogSize
    case .rolledBack, .olderThanBefore: .allowRollback
    case .expired(_, _, _, nil, _): .allowExpired
    case .unfetched(_, _, let advice), .expired(_, _, _, _?, let advice): advice
    case .unreadable(_, .format(CatalogFormatName.mapped.rawValue), .unmapped): .correctMapping
    case .unreadable(_, let expected, let found):
      found.isMatterOfFormat(expected) ? .nameFormat : nil
    case .badHeader, .limit, .duplicateKey, .pageLoop, .badNext, .noSuite, .noIndex,
      .countDisagrees,
      .pagesDisagree, .sameRevisionOtherBody, .unsigned, .ofTheFuture:
      nil
    }
  }

  /// Whether a list may have been read while it was being published anew.
  var mayBeOfPublishing: Bool {
    switch self {
    case .noIndex, .unreadable(_, .packed, .badPack), .unreadable(_, .packed, .cutPack),
      .unsigned(_, .otherLines):
      true
    case .pagesDisagree(_, let claim): claim.isOfBytes
    default: false
    }
  }

  /// What is wrong with a page, for the end of a sentence that said which.
  var reason: String {
    switch self {
    case .unreadable(_, let expected, let found): "it gave \(found.instead(of: expected))"
    case .badHeader(_, let problem): "\(problem)"
    case .badNext(_, let problem): "its link to the next page \(problem)"
    default: description
    }
  }

  /// A sentence that says what happened, to which URL, and what to do next.
  public var description: String {
    switch self {
    case .unreadable(let url, let expected, let found):
      "\(url) gave \(found.instead(of: expected)); \(found.remedy(expected))."
    case .badHeader(let url, let problem):
      "the catalog \(url) can't be used: \(problem). Mend it at the source or tell who runs it."
    case .limit(let url, let measure, let most):
      """
      \(url) goes past the limit of \(measure.amount(most)); check the address, or \
      \(measure == .bytes ? "raise the limit" : "mend it at the source or tell who runs it").
      """
    case .duplicateKey(let key):
      "the catalog lists the key '\(key)' twice; mend it at the source or tell who runs it."
    case .pageLoop(let url):
      "the pages of the catalog lead back to \(url); mend it at the source or tell who runs it."
    case .badNext(let url, let problem):
      "the link to the next page in \(url) \(problem); mend it at the source or tell who runs it."
    case .unfetched(let url, let reason, _):
      "\(url) could not be fetched: \(reason)."
    case .noSuite(let url, let reason, let suite):
      """
      there is neither an InRelease nor a Release at \(url) (\(reason)); \
      \(Self.remedy(at: url, suite)).
      """
    case .noIndex(let url, let reason):
      """
      \(url) isn't there (\(reason)), nor any other form of it that is read, and the repository's \
      Release names it: it is being published, or was published in part; try again, and tell who \
      publishes it if that stays so.
      """
    case .countDisagrees(let url, let declared, let found):
      """
      the catalog \(url) declares \(declared) entries and has \(found): it was cut short or is \
      being rewritten. Try again.
      """
    case .pagesDisagree(let url, let claim) where claim.isOfBytes:
      """
      \(url) has another \(claim.word) than the file that names it says: it is being published, or \
      something on the way keeps an earlier state of it; try again, and tell who publishes it if \
      that stays so.
      """
    case .pagesDisagree(let url, let claim):
      """
      the page \(url) has another \(claim.word) than the first page; the catalog changed. Try again.
      """
    case .sameRevisionOtherBody(let url, let revision):
      """
      the catalog \(url) still says revision '\(revision)', but its body is another one; give \
      every change a new revision where it is published.
      """
    case .unsigned(let url, let problem): "\(url) can't be believed: \(problem)."
    case .rolledBack(let url, let old, let new):
      """
      the catalog \(url) went back from revision \(old) to \(new); nothing was changed. If that \
      is meant, allow it.
      """
    case .olderThanBefore(let url, let date, let last):
      """
      \(url) is of \(Self.shown(date)), and the one that was taken last of \(Self.shown(last)): it \
      went back; nothing was changed. If that is meant, allow it.
      """
    case .expired(let url, let end, let now, nil, _):
      """
      \(url) \(Self.overdue(end, now)); nothing was changed. If that is known, as of an archived \
      suite, allow it.
      """
    case .expired(let url, let end, let now, let reason?, _):
      """
      \(url) could not be fetched: \(reason). What it gave last \(Self.overdue(end, now)); nothing \
      was changed.
      """
    case .ofTheFuture(let url, let date, let now):
      """
      \(url) is of \(Self.shown(date)), and now it is \(Self.shown(now)); nothing was changed. \
      Check the clock here, and then the source.
      """
    }
  }

  private static func overdue(_ end: Int64, _ now: Int64) -> String {
    """
    was to be taken until \(shown(end)), and now it is \(shown(now)): the source isn't renewed any \
    more, or somebody keeps what is new from you
    """
  }

  static func shown(_ date: Int64) -> String {
    CivilTime.rfc3339(secondsSince1970: Int(clamping: date))
  }

  /// Which address to give in place of one without a suite; what has a suite's form already isn't
  /// told that form.
  fileprivate static func remedy(at url: String, _ suite: String) -> String {
    let names = url.split(separator: "/").suffix(2)
    guard names.count == 2, names.first == "dists" else {
      return """
        give the address of a suite, such as \(suite), or of a flat repository's directory
        """
    }
    return "check the name of the suite, and that it is there"
  }
}

// An alert shows the sentence of an error, and not its type and number.
extension CatalogError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}
