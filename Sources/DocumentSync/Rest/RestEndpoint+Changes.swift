import SyncText
import SyncTransport

extension RestEndpoint {
  /// All rows, or those that changed at a date or later, page by page where the service has pages:
  /// `Link: rel="next"` (RFC 8288).
  @concurrent public func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> ChangesReply {
    let list: RestList
    var call = RestCall(.filter, collection)
    switch place {
    case .beginning: list = RestList(extent: .everything, latest: nil, next: nil)
    case .since(let checkpoint):
      let date = RestDate(checkpoint.text)
      guard dialect.tellsChanges, date != nil || checkpoint.text == RestList.ofNothing else {
        return ChangesReply(.forgot)
      }
      list = RestList(extent: .changes, latest: date, next: nil)
      if let date { call.query.append(RestParameter(since, date.parameter)) }
    case .page(let mark):
      guard let known = RestList(mark) else { return ChangesReply(.forgot) }
      list = known
    }
    let (answer, value) =
      if let next = list.next { try await ask(at: next) } else { try await ask(call) }
    guard let value, let rows = dialect.rows(of: value) else {
      let problem = "it isn't a list of rows"
      throw EndpointError(.unreadable(problem), notes: answer.notes(problem: problem))
    }
    return ChangesReply(
      .page(try page(of: rows, list, after: answer)), notes: answer.notes(keepingCall: false))
  }

  /// The rows for which a query holds, in its order. Nothing is said of any other row.
  ///
  /// - Throws: ``EndpointError``, `CancellationError`.
  @concurrent public func documents(
    in collection: String, matching query: [RestParameter], sortedBy sort: [String] = []
  ) async throws -> ChangesReply {
    var call = RestCall(.filter, collection)
    (call.query, call.sort) = (query, sort)
    let (answer, value) = try await ask(call)
    guard let value, let rows = dialect.rows(of: value) else {
      let problem = "it isn't a list of rows"
      throw EndpointError(.unreadable(problem), notes: answer.notes(problem: problem))
    }
    var page = ChangePage(extent: .changes, documents: [])
    for (place, row) in rows.enumerated() { page.add(row, at: place, dialect) }
    return ChangesReply(.page(page), notes: answer.notes(keepingCall: false))
  }

  private var since: String { dialect.since ?? "\(dialect.modified ?? "")__gte" }

  private func page(
    of rows: [DocumentValue], _ list: RestList, after answer: ServiceAnswer
  ) throws -> ChangePage {
    var page = ChangePage(extent: list.extent, documents: [])
    var list = list
    for (place, row) in rows.enumerated() {
      guard let read = page.add(row, at: place, dialect) else { continue }
      list.saw(read.date.flatMap { RestDate($0) })
    }
    if let next = try next(after: answer) {
      list.next = next
      page.next = list.mark
    } else if dialect.tellsChanges {
      page.checkpoint = PullCheckpoint(list.latest?.text ?? RestList.ofNothing)
    }
    return page
  }

  /// Where the list goes on, below the service's own address and nowhere else.
  private func next(after answer: ServiceAnswer) throws -> String? {
    let link = LinkHeader(answer.headers.all("Link"))
    guard let target = link.next else { return nil }
    guard let base = try? WebAddress(answer.address), let next = try? base.resolving(target),
      next.origin == root.origin, next.path.hasPrefix(root.path)
    else {
      let problem = "its next page is at another place than the service"
      throw EndpointError(.unreadable(problem), notes: answer.notes(problem: problem))
    }
    return next.text
  }

  private func ask(at address: String) async throws -> (ServiceAnswer, DocumentValue?) {
    guard let address = try? WebAddress(address), address.origin == root.origin else {
      throw EndpointError(.impossible("the next page has no address"))
    }
    return try accepted(try await caller.ask(.get(address)))
  }
}

/// A list under way.
struct RestList: Sendable, Equatable {
  /// The checkpoint of a list without rows.
  static let ofNothing = "none"

  let extent: ChangePage.Extent
  /// The latest date that it told.
  private(set) var latest: RestDate?
  /// The address of its next page.
  var next: String?

  init(extent: ChangePage.Extent, latest: RestDate?, next: String?) {
    (self.extent, self.latest, self.next) = (extent, latest, next)
  }

  /// What ``mark`` gave.
  init?(_ mark: PageMark) {
    let parts = mark.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0] == "all" || parts[0] == "some", !parts[2].isEmpty else {
      return nil
    }
    extent = parts[0] == "all" ? .everything : .changes
    latest = RestDate(parts[1])
    next = parts[2]
  }

  /// Where it goes on.
  var mark: PageMark {
    PageMark(
      [extent == .everything ? "all" : "some", latest?.text ?? "", next ?? ""]
        .joined(separator: "\n"))
  }

  /// A row has this date. Of dates within one millisecond, the one that asks for more stays.
  mutating func saw(_ date: RestDate?) {
    guard let date else { return }
    guard let latest else { return self.latest = date }
    if date.order > latest.order || date.order == latest.order && date.parameter < latest.parameter
    {
      self.latest = date
    }
  }
}

extension RestDialect {
  /// The rows of an answer; `nil` if it has none where they belong.
  func rows(of answer: DocumentValue) -> [DocumentValue]? {
    (rows.map { answer[$0] } ?? answer)?.elements
  }
}

extension ChangePage {
  /// Takes an entry of a list as it is.
  @discardableResult
  fileprivate mutating func add(
    _ entry: DocumentValue, at place: Int, _ dialect: RestDialect
  ) -> RestRow? {
    do throws(RestRowProblem) {
      let row = try dialect.row(of: entry)
      documents.append(DocumentChange(id: row.id, state: row.state))
      return row
    } catch {
      unreadable.append(UnreadableEntry(id: error.id, place: place, reason: error.words))
      return nil
    }
  }
}
