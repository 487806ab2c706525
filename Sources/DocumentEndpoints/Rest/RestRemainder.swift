import DocumentSync
import SyncText
import SyncTransport

/// What an answer with rows says of the rest of its list: where it goes on, or that there is more.
///
/// Services say so in many ways, and one that isn't heard makes a part of a list look like all of
/// it. So every usual name counts, beside the rows and in the fields of the answer.
struct RestRemainder: Sendable {
  /// What is said without an address, by the name that says it.
  private enum Hint: Sendable {
    case more(String)
    /// Something to ask for more with, which some services give at the end, too.
    case cursor(String)
    /// So many rows are in the whole list.
    case rows(String, Int64)
    case pages(String, Int64)
  }

  /// Where the list goes on, as it is written.
  var next: String?
  private var hints: [Hint] = []
  /// Whether it's said, of pages, that this is the end: what else is said to be over or whole, as a
  /// search or a row, silences nothing.
  private(set) var isEnd = false

  /// - Parameters:
  ///   - whole: the body; `nil` if it isn't JSON.
  ///   - rows: the name of the rows in it.
  init(_ answer: ServiceAnswer, _ whole: JSONValue?, rows: String?) {
    let link = LinkHeader(answer.headers.all("Link"))
    next = link.next
    if next == nil, link.isBroken { hints.append(.more("Link")) }
    hear(range: answer.headers["Content-Range"], isPart: answer.status == 206)
    for field in answer.headers.fields { hear(field) }
    if let whole { hear(members: whole, besides: rows) }
  }

  /// Why the list isn't whole, after so many rows on so many pages; `nil` if nothing says that.
  func problem(rows: Int64, pages: Int64) -> String? {
    for hint in hints {
      switch hint {
      case .more(let name): return "its list goes on (\"\(name)\"), and it doesn't say where"
      case .cursor(let name) where !isEnd:
        return "its list goes on (\"\(name)\"), and it doesn't say where"
      case .rows(let name, let count) where count > rows:
        return "its list has \(count) rows (\"\(name)\"), of which \(rows) came"
      case .pages(let name, let count) where count > pages:
        return "its list has \(count) pages (\"\(name)\"), of which \(pages) came"
      case .cursor, .rows, .pages: continue
      }
    }
    return nil
  }

  /// How many rows the whole list has, as it says.
  var total: Int64? {
    hints.lazy.compactMap { if case .rows(_, let count) = $0 { count } else { nil } }.max()
  }

  /// It goes on, by a name that says no address.
  mutating func saysMore(_ name: String) { hints.append(.more(name)) }

  // MARK: - Fields

  private mutating func hear(_ field: HTTPHeaders.Field) {
    let name = RestName(Array(field.name.utf8))
    if name.isContainer, let value = try? DocumentValue(parsing: field.value).json {
      hear(members: value, of: name, depth: 1)
    } else {
      hear(DocumentValue(field.value).json, as: name, from: field.name)
    }
  }

  /// `items 0-9/100` (RFC 9110, section 14.4), of whatever unit but bytes.
  private mutating func hear(range: String?, isPart: Bool) {
    let name = "Content-Range"
    guard let range else {
      if isPart { hints.append(.more("206")) }
      return
    }
    let parts = range.split(separator: "/")
    if parts.count == 2, let count = Int64(parts[1]) {
      hints.append(.rows(name, count))
    } else if isPart {
      hints.append(.more(name))
    }
  }

  // MARK: - Members

  private mutating func hear(
    members value: JSONValue, of container: RestName? = nil, besides rows: String? = nil,
    depth: Int = 0
  ) {
    for member in value.members ?? [] where rows.map({ Array($0.utf8) != member.name }) ?? true {
      let name = RestName(member.name)
      let written = ByteString.escape(String(decoding: member.name, as: UTF8.self))
      if name.isContainer, member.value.isObject, depth < 3 {
        hear(members: member.value, of: name, depth: depth + 1)
      } else if name.isContainer, let links = member.value.elements {
        for link in links where link["rel"]?.string == "next" {
          hear(link, as: RestName(Array("next".utf8)), from: written)
        }
      } else if name.isCursor, container?.isOfPages ?? false, member.value.isSomething {
        hints.append(.cursor(written))
      } else {
        hear(member.value, as: name, from: written)
      }
    }
  }

  private mutating func hear(_ value: JSONValue, as name: RestName, from written: String) {
    switch name.meaning {
    case .next: hear(next: value, from: written)
    case .cursor where value.isSomething: hints.append(.cursor(written))
    // A number there is where this part begins.
    case .offset where value.string.map({ !$0.isEmpty && Int64($0) == nil }) ?? false:
      hints.append(.cursor(written))
    case .hasMore:
      if value.isSomething { hints.append(.more(written)) }
      if value.flag == false || value.count == 0 { isEnd = true }
    // What is no truth value says something else: where help is, or how many tasks are left.
    case .isMore: if value.flag == true { hints.append(.more(written)) }
    case .isDone: if value.flag == false { hints.append(.more(written)) }
    case .isLast:
      if value.flag == false { hints.append(.more(written)) }
      if value.flag == true { isEnd = true }
    case .rows:
      if let count = (value["value"] ?? value).count { hints.append(.rows(written, count)) }
    case .pages: if let count = value.count { hints.append(.pages(written, count)) }
    case .cursor, .offset, nil: break
    }
    if name.isLastPage, value.flag == false { hints.append(.more(written)) }
  }

  private mutating func hear(next value: JSONValue, from written: String) {
    if value.isObject {
      let targets = ["href", "url", "uri", "link"].compactMap { value[Array($0.utf8)] }
      let rest = targets.isEmpty ? (value.members ?? []).map(\.value) : targets
      for target in rest where target.isSomething { hear(next: target, from: written) }
    } else if let text = value.string, text.contains("/") || text.hasPrefix("?") {
      if next == nil { next = text }
    } else if value.isSomething, !value.isDate {
      hints.append(.more(written))
    }
  }
}

/// The name of a member or a field, however it is written: `has_more`, `hasMore`, `X-Has-More`.
private struct RestName {
  enum Meaning { case next, cursor, offset, hasMore, isMore, isDone, isLast, rows, pages }

  private static let meanings: [String: Meaning] = {
    let names: [(Meaning, String)] = [
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
        nextcursor nexttoken nextpagetoken continuation continuationtoken nextcontinuation \
        nextcontinuationtoken lastevaluatedkey nextmarker nextkey nextoffset nextid nextstart
        """
      ),
      (.offset, "offset"),
      (
        .hasMore,
        "hasmore hasnext hasnextpage hasmoreresults hasmoreitems hasmorepages hasmorerows"
      ),
      (
        .isMore,
        """
        more moreresults moreavailable truncated istruncated incomplete incompleteresults partial \
        ispartial
        """
      ),
      (.isDone, "done complete iscomplete finished eof"),
      (.isLast, "last islast islastpage"),
      (
        .rows,
        """
        count total totalcount totalitems totalelements totalresults totalrows totalrecords \
        totalentries totalhits totalobjects totalsize numfound recordcount resultcount itemcount \
        rowcount filtercount filteredcount recordsfiltered
        """
      ),
      (.pages, "totalpages pagecount pagescount numpages numberofpages lastpage pages"),
    ]
    return names.reduce(into: [:]) { all, entry in
      for name in entry.1.split(separator: " ") { all[String(name)] = entry.0 }
    }
  }()
  private static let containers: Set<String> = [
    "meta", "metadata", "pagination", "paging", "paginator", "pager", "page", "pageinfo", "info",
    "links", "responsemetadata", "cursors",
  ]
  /// What stands before such names without meaning anything.
  private static let prefixes = ["x", "odata", "wp", "pagination", "ms"]

  private let text: String

  init(_ name: [UInt8]) {
    // What only parts words goes; what tells names apart stays: `next2` isn't `next`.
    let kept = name.map(\.asSmall).filter { $0.isSmall || $0.isDigit || $0 >= 0x80 }
    var text = String(decoding: kept, as: UTF8.self)
    for prefix in Self.prefixes where text.hasPrefix(prefix) && text != prefix {
      text.removeFirst(prefix.count)
    }
    self.text = text
  }

  var meaning: Meaning? { Self.meanings[text] }
  var isContainer: Bool { Self.containers.contains(text) }
  /// Whether what is in it is said of pages alone.
  var isOfPages: Bool { isContainer && text.hasPrefix("pag") }
  /// Whether it's one by which some name the next page, and others how far one has read.
  var isCursor: Bool { text == "cursor" }
  /// Whether it's one that some give as a number and others as a flag.
  var isLastPage: Bool { text == "lastpage" }
}

extension JSONValue {
  /// Whether it's more than a way to say nothing.
  fileprivate var isSomething: Bool {
    if let bool { return bool }
    if let string { return !["", "0", "false", "null", "none"].contains(string.asciiLowercased) }
    if let integer { return integer > 0 }
    if let elements { return !elements.isEmpty }
    if let members { return members.contains { $0.value.isSomething } }
    return !isNull
  }

  /// The truth value, also as text.
  fileprivate var flag: Bool? {
    bool ?? string.flatMap { ["true": true, "false": false][$0.asciiLowercased] }
  }

  /// Whether it's a day or a moment: `2024-06-01`.
  fileprivate var isDate: Bool {
    guard let day = string?.utf8.prefix(10), day.count == 10 else { return false }
    return day.enumerated().allSatisfy { place, byte in
      [4, 7].contains(place)
        ? byte == UInt8(ascii: "-") : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }

  /// The number, also as text.
  fileprivate var count: Int64? { integer ?? string.flatMap { Int64($0) } }
}
