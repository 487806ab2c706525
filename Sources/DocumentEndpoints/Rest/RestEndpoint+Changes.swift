package import DocumentSync
import SyncText
import SyncTransport

extension RestEndpoint {
  /// All rows, or those that changed at a date or later, page by page where the service gives the
  /// address of the next page: `Link: rel="next"` (RFC 8288), or a member such as `next`.
  ///
  /// Where it says that there is more, and not where, that is told as an entry without an id that
  /// can't be read, so that a part of a list is never taken for all of it.
  @concurrent package func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await changes(in: collection, from: place, [])
  }

  /// The same of the rows that a filter lets through.
  @concurrent package func changes(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await changes(in: collection, from: place, filter.conditions)
  }

  private func changes(
    in collection: String, from place: ChangesPlace, _ filter: [CollectionFilter.Condition]
  ) async throws -> EndpointReply<ChangesAnswer> {
    guard dialect.hasLists else { return EndpointReply<ChangesAnswer>(.withoutLists) }
    let list: RestList
    var call = RestCall(.filter, collection)
    call.query = filter.map { ($0.name, $0.value) }
    switch place {
    case .beginning: list = RestList(extent: .everything)
    case .since(let checkpoint):
      let point = RestPoint(checkpoint)
      guard dialect.tellsChanges, point != nil || checkpoint == RestList.ofNothing else {
        return EndpointReply<ChangesAnswer>(.forgot)
      }
      // A row that has left the filter isn't missing.
      list = RestList(extent: .changes, latest: point, missing: filter.isEmpty ? point?.id : nil)
      if let point { call.query.append((since, point.date.parameter)) }
    case .page(let mark):
      guard let known = RestList(mark) else { return EndpointReply<ChangesAnswer>(.forgot) }
      list = known
    }
    let answer = if let next = list.next { try await ask(at: next) } else { try await ask(call) }
    let said = try page(of: answer, list, dialect.of(collection))
    var hasUnread = false
    if case .page(let page) = said { hasUnread = !page.unreadable.isEmpty }
    return EndpointReply<ChangesAnswer>(said, notes: answer.notes(keepingCall: hasUnread))
  }

  /// The rows for which a query holds, in its order, those of all pages. Nothing is said of any
  /// other row. That there are more, and not where, is told as in other lists.
  ///
  /// - Returns: `withoutLists` where the dialect has none; then no request is made.
  /// - Throws: `EndpointError`, `CancellationError`.
  @concurrent package func documents(
    in collection: String, matching query: [(name: String, value: String)],
    sortedBy sort: [String] = []
  ) async throws -> EndpointReply<ChangesAnswer> {
    guard dialect.hasLists else { return EndpointReply<ChangesAnswer>(.withoutLists) }
    let dialect = dialect.of(collection)
    var call = RestCall(.filter, collection)
    (call.query, call.sort) = (query, sort)
    var (page, list) = (ChangePage(extent: .changes, documents: []), RestList(extent: .changes))
    var answer = try await ask(call)
    while true {
      let (rows, rest) = try read(answer)
      for (place, row) in rows.enumerated() { page.add(row, at: Int(list.rows) + place, dialect) }
      guard try list.goesOn(after: rows, rest, answer, dialect, below: root), let next = list.next
      else {
        if let problem = list.shortfall(rest) { page.isCut(problem, after: Int(list.rows)) }
        break
      }
      answer = try await ask(at: next)
    }
    return EndpointReply<ChangesAnswer>(.page(page), notes: answer.notes(keepingCall: false))
  }

  private var since: String { dialect.since ?? "\(dialect.modified ?? "")__gte" }

  /// The entries of a list, each as it is: one that no document could be makes no list unreadable.
  /// And what is said of the rest of it.
  private func read(_ answer: ServiceAnswer) throws -> ([JSONValue], RestRemainder) {
    let whole = try? answer.json()
    guard let rows = dialect.rows.map({ whole?[Array($0.utf8)] }) ?? whole, let all = rows.elements
    else {
      let problem = "it isn't a list of rows"
      throw EndpointError(.unreadable(problem), notes: answer.notes(problem: problem))
    }
    var rest = RestRemainder(answer, whole, rows: dialect.rows)
    rest.goOn(
      by: dialect.paging, after: all.count,
      whole.flatMap { try? DocumentValue(bytes: Array($0.written)) }, from: answer.address)
    return (all, rest)
  }

  private func page(
    of answer: ServiceAnswer, _ list: RestList, _ dialect: RestDialect
  ) throws -> ChangesAnswer {
    let (rows, rest) = try read(answer)
    var page = ChangePage(extent: list.extent, documents: [])
    var list = list
    for (place, row) in rows.enumerated() {
      if let read = page.add(row, at: place, dialect) { list.saw(read) }
    }
    if let problem = page.unreadable.first(where: { $0.id != nil && $0.id == list.missing }) {
      list.told(problem.id)
    }
    if dialect.paging.shifts { page.order = .shifting(total: rest.total) }
    if try list.goesOn(after: rows, rest, answer, dialect, below: root) {
      page.next = list.mark
    } else if let problem = list.shortfall(rest) {
      page.isCut(problem, after: rows.count)
    } else if list.missing != nil {
      return .forgot
    } else if dialect.tellsChanges, list.mayLack {
      // What was missed comes with the next list, which begins where this one did.
    } else if dialect.tellsChanges {
      page.checkpoint = list.latest?.text ?? RestList.ofNothing
    }
    return .page(page)
  }

  private func ask(at address: String) async throws -> ServiceAnswer {
    guard let address = try? WebAddress(address), address.origin == root.origin else {
      throw EndpointError(.impossible("the next page has no address"))
    }
    return try accepted(try await caller.ask(.get(address)))
  }
}

extension RestList {
  /// A page came with so many rows: answers whether there is another one, below the service's own
  /// address and nowhere else.
  fileprivate mutating func goesOn(
    after page: [JSONValue], _ rest: RestRemainder, _ answer: ServiceAnswer,
    _ dialect: RestDialect, below root: WebAddress
  ) throws -> Bool {
    came(rows: page.count)
    let isOld = dialect.paging.shifts && came(page, total: rest.total)
    guard let target = rest.next, !(dialect.paging.shifts && rest.total == rows) else {
      return false
    }
    let problem: String?
    if isOld {
      problem = "it takes no notice of what is asked: two pages have the same rows"
    } else if let base = try? WebAddress(answer.address), let next = try? base.resolving(target),
      next.origin == root.origin, next.path.hasPrefix(root.path)
    {
      problem = goes(on: next.text)
    } else {
      problem = "its next page is at another place than the service"
    }
    if let problem {
      throw EndpointError(.unreadable(problem), notes: answer.notes(problem: problem))
    }
    return true
  }

  /// Why its last page isn't its end; `nil` if it is.
  fileprivate func shortfall(_ rest: RestRemainder) -> String? {
    rest.problem(rows: rows, pages: pages)
  }
}

extension ChangePage {
  /// What comes after its rows didn't come with them: nobody knows what that is.
  fileprivate mutating func isCut(_ problem: String, after rows: Int) {
    unreadable.append(UnreadableEntry(id: nil, place: rows, reason: problem))
  }

  /// Takes an entry of a list as it is.
  @discardableResult
  fileprivate mutating func add(
    _ entry: JSONValue, at place: Int, _ dialect: RestDialect
  ) -> RestRow? {
    switch dialect.row(read: entry) {
    case .row(let row):
      documents.append(DocumentChange(id: row.id, state: row.state))
      return row
    case .unreadable(let id, let words):
      unreadable.append(UnreadableEntry(id: id, place: place, reason: words))
      return nil
    }
  }
}

struct RestList: Sendable, Equatable {
  /// The checkpoint of a list without rows.
  static let ofNothing = "none"
  /// So many pages without a row are asked for one after the other.
  private static let mostEmptyPages: Int64 = 1_000

  let extent: ChangePage.Extent
  private(set) var latest: RestPoint?
  /// The row that it has to tell and hasn't yet; `nil` if it has, or if there is none.
  private(set) var missing: DocumentID?
  private(set) var next: String?
  private(set) var rows: Int64 = 0
  private(set) var pages: Int64 = 0
  /// An earlier page's address, to see whether its pages lead in a circle.
  private var earlier: String?
  /// How many pages without a row came last.
  private var emptyPages: Int64 = 0
  /// What tells the last page from another; `nil` where pages hang together by themselves.
  private var digest: String?
  /// How many rows there are, as each page said where rows may shift over the pages' ends; `nil` if
  /// they said different numbers, or none.
  private var total: Int64?

  init(extent: ChangePage.Extent, latest: RestPoint? = nil, missing: DocumentID? = nil) {
    (self.extent, self.latest, self.missing) = (extent, latest, missing)
  }

  /// What ``mark`` gave.
  init?(_ mark: String) {
    guard let parts = (try? DocumentValue(parsing: mark))?.elements, parts.count == 10,
      let kind = parts[0].string, kind == "all" || kind == "some", let next = parts[3].string,
      let rows = parts[4].integer, let pages = parts[5].integer, let empty = parts[7].integer
    else { return nil }
    extent = kind == "all" ? .everything : .changes
    latest = parts[1].string.flatMap { RestPoint($0) }
    missing = parts[2].string.map { DocumentID($0) }
    earlier = parts[6].string
    (self.next, self.rows, self.pages, emptyPages) = (next, rows, pages, empty)
    (digest, total) = (parts[8].string, parts[9].integer)
  }

  var mark: String {
    let kind = DocumentValue(extent == .everything ? "all" : "some")
    let parts = [latest?.text, missing?.text, next].map { $0.map { DocumentValue($0) } ?? .null }
    let counts = [DocumentValue(rows), DocumentValue(pages)]
    let circle = [earlier.map { DocumentValue($0) } ?? .null, DocumentValue(emptyPages)]
    let shift = [digest.map { DocumentValue($0) } ?? .null, total.map { .init($0) } ?? .null]
    return DocumentValue(joining: [kind] + parts + counts + circle + shift).text
  }

  /// Whether rows may have been missed.
  var mayLack: Bool { digest != nil && pages > 1 && total != rows }

  /// A page came of a list whose rows may shift: answers whether it's the one before once more.
  mutating func came(_ page: [JSONValue], total: Int64?) -> Bool {
    let bytes = page.reduce(into: [UInt8]()) { $0 += $1.written }
    let new = page.isEmpty ? "" : "\(SHA256Digest(of: bytes))"
    let isOld = new == digest && !page.isEmpty
    self.total = digest == nil || self.total == total ? total : nil
    digest = new
    return isOld
  }

  mutating func came(rows count: Int) {
    rows += Int64(count)
    pages += 1
    emptyPages = count == 0 ? emptyPages + 1 : 0
  }

  /// It goes on at this address. Answers why it can't; `nil` if it can.
  ///
  /// The address of the first, second, fourth, eighth … page is kept: whatever circle the pages
  /// lead in, one of them comes again.
  mutating func goes(on address: String) -> String? {
    if address == earlier { return "its pages lead in a circle" }
    if emptyPages >= Self.mostEmptyPages { return "its pages have no rows and no end" }
    if pages & (pages - 1) == 0 { earlier = address }
    next = address
    return nil
  }

  /// It told a row. Of dates within one millisecond, the one that asks for more stays.
  mutating func saw(_ row: RestRow) {
    told(row.id)
    guard let date = row.date.flatMap({ RestDate($0) }) else { return }
    if let latest {
      let isSameMoment = date.order == latest.date.order
      guard date.order > latest.date.order || isSameMoment && date.parameter < latest.date.parameter
      else { return }
    }
    latest = RestPoint(date, of: row.id)
  }

  mutating func told(_ id: DocumentID?) {
    if id == missing { missing = nil }
  }
}
