import SyncText

/// The name of a member, however services write it: `has_more`, `hasMore`, `@odata.nextLink`.
struct PagingWord {
  enum Meaning {
    /// Where it goes on; something to ask for more with; where a part begins, or such a thing.
    case next, cursor, offset
    /// Whether there is more; whether something was left out; whether this is the end.
    case isMore, isPart, isLast
    case total, pages

    /// Whether objects that have nothing to do with pages have such members, too.
    var isOfAnything: Bool {
      switch self {
      case .next, .cursor, .isMore, .isPart: false
      case .offset, .isLast, .total, .pages: true
      }
    }
  }

  private static let words = MemberWords<Meaning>([
    (
      .next,
      """
      next nextpage nexturl nexturi nextlink nexthref nextpageurl nextpageuri nextpagelink \
      nextrecordsurl nextresults
      """
    ),
    (
      .cursor,
      """
      cursor nextcursor nexttoken nextpagetoken continue continuation continuationtoken \
      nextcontinuation nextcontinuationtoken lastevaluatedkey nextmarker nextkey nextoffset \
      nextid nextstart
      """
    ),
    (.offset, "offset"),
    (
      .isMore,
      """
      hasmore hasnext hasnextpage hasmoreresults hasmoreitems hasmorepages hasmorerows more \
      moreresults moreavailable truncated istruncated
      """
    ),
    (.isPart, "incomplete incompleteresults partial ispartial"),
    (.isLast, "last islast islastpage done complete iscomplete finished eof"),
    (
      .total,
      """
      count total totalcount totalitems totalelements totalresults totalrows totalrecords \
      totalentries totalhits totalobjects totalsize numfound recordcount resultcount itemcount \
      rowcount filtercount filteredcount recordsfiltered
      """
    ),
    (.pages, "totalpages pagecount pagescount numpages numberofpages lastpage pages"),
  ])

  private static let containers: Set<String> = [
    "meta", "metadata", "pagination", "paging", "paginator", "pager", "page", "pageinfo", "info",
    "link", "links", "responsemetadata", "cursor", "cursors",
  ]

  private let word: String

  init(_ name: [UInt8]) {
    var word = name.asWord
    // What stands before such names without meaning anything.
    for prefix in ["odata", "pagination"] where word.hasPrefix(prefix) && word != prefix {
      word.removeFirst(prefix.count)
    }
    self.word = word
  }

  var meaning: Meaning? { Self.words[word] }

  /// Whether services put such members into one of this name.
  var isContainer: Bool { Self.containers.contains(word) }
}

/// Names of members by what they mean, however services write them: `has_more`, `hasMore`.
struct MemberWords<Meaning: Sendable>: Sendable {
  private let meanings: [String: Meaning]

  /// - Parameter words: For each meaning the names as words, with blanks between them.
  init(_ words: [(Meaning, String)]) {
    meanings = words.reduce(into: [:]) { all, entry in
      for word in entry.1.split(separator: " ") { all[String(word)] = entry.0 }
    }
  }

  subscript(word: String) -> Meaning? { meanings[word] }
}

extension Sequence<UInt8> {
  /// A name as one word: the letters of ASCII in small ones, and nothing of it that only parts
  /// words. What tells names apart stays: `next2` isn't `next`.
  var asWord: String {
    let kept = lazy.map(\.asSmall).filter { $0.isSmall || $0.isDigit || $0 >= 0x80 }
    return String(decoding: Array(kept), as: UTF8.self)
  }
}
