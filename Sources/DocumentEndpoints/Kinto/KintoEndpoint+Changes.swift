package import DocumentSync
import SyncText
import SyncTransport

extension KintoEndpoint {
  /// What has changed in a collection.
  ///
  /// Lists go upwards by the time of the change, and the checkpoint is the last change that was
  /// told. Downwards, a document that changes while pages are asked for would come on a page that
  /// was read already, behind a checkpoint that is past it.
  @concurrent package func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await list(KintoQuery(collection), from: place)
  }

  /// The same of what a filter lets through: then it tells no deletions.
  @concurrent package func changes(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await list(KintoQuery(collection, try checked(filter)), from: place)
  }

  /// What a filter lets through, by ids.
  @concurrent package func ids(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await list(KintoQuery(collection, try checked(filter), isOfIDs: true), from: place)
  }

  /// A parameter of the server's own makes another list.
  package func problem(with filter: CollectionFilter) -> String? {
    let own = filter.conditions.first { $0.name.isEmpty || $0.name.hasPrefix("_") }
    return own.map { "no filter of a Kinto server is called \"\($0.name)\"" }
  }

  private func checked(_ filter: CollectionFilter) throws(EndpointError) -> CollectionFilter {
    if let problem = problem(with: filter) { throw EndpointError(.impossible(problem)) }
    return filter
  }

  private func list(
    _ query: KintoQuery, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    let collection = query.collection
    guard KintoNames.isName(collection) else {
      throw EndpointError(
        .impossible("no collection of a Kinto server can be called \"\(collection)\""))
    }
    switch place {
    case .beginning: return try await everything(query)
    case .since(let checkpoint):
      guard let known = KintoCheckpoint(checkpoint) else {
        return EndpointReply<ChangesAnswer>(.forgot)
      }
      return try await changes(query, since: known)
    case .page(let mark):
      guard let (list, address) = KintoList.read(mark: mark) else {
        return EndpointReply<ChangesAnswer>(.forgot)
      }
      return try await page(of: list, in: collection, address)
    }
  }

  /// The first page of all that there is. The collection's version is asked for before it: what is
  /// made anew between the two is noticed the next time.
  private func everything(
    _ query: KintoQuery, mayMake: Bool = true
  ) async throws -> EndpointReply<ChangesAnswer> {
    let collection = query.collection
    let home = try await home(of: collection)
    let answer = try await ask(query)
    if home == .missing || isHomeless(answer), mayMake, try await makeToRead(collection) {
      return try await everything(query, mayMake: false)
    }
    guard answer.status == 200, case .there(let generation) = home else {
      throw refusal(answer, expecting: "a list of a collection that is there")
    }
    let list = KintoList(
      extent: .everything, start: try lastChange(answer), generation: generation, told: 0,
      isOfIDs: query.isOfIDs)
    return try reply(answer, of: list, in: collection)
  }

  /// Makes the collection if it may; to be cancelled meanwhile is no refusal.
  private func makeToRead(_ collection: String) async throws -> Bool {
    let making = await make(collection)
    try Task.checkCancellation()
    if let trouble = making.trouble { throw trouble }
    return making.isMade
  }

  /// The first page of what has changed. The collection's version is asked for after it, and only
  /// where something has: what was made anew before that isn't taken for a few changes.
  private func changes(
    _ query: KintoQuery, since known: KintoCheckpoint
  ) async throws -> EndpointReply<ChangesAnswer> {
    let collection = query.collection
    let answer = try await ask(
      query, "&_since=%22\(known.change)%22",
      fields: [("If-None-Match", "\"\(known.change)\"")])
    switch answer.status {
    case 304:
      return EndpointReply<ChangesAnswer>(.unchanged, notes: answer.notes(keepingCall: false))
    case 400 where KintoBody(answer).culprits.contains("_since"):
      return EndpointReply<ChangesAnswer>(.forgot, notes: answer.notes())
    case _ where isHomeless(answer):
      guard try await makeToRead(collection) else {
        throw refusal(answer, expecting: "a list")
      }
      return EndpointReply<ChangesAnswer>(.forgot, notes: answer.notes())
    case 200: break
    default: throw refusal(answer, expecting: "a list")
    }
    let start = try lastChange(answer)
    guard start >= known.change, try await home(of: collection) == .there(known.generation) else {
      return EndpointReply<ChangesAnswer>(.forgot, notes: answer.notes(keepingCall: false))
    }
    let list = KintoList(
      extent: .changes, start: start, generation: known.generation, told: known.change)
    return try reply(answer, of: list, in: collection)
  }

  /// A further page. With the last one, the collection's version is asked for again: else a server
  /// that lost all between two pages would have told a short list of everything.
  private func page(
    of list: KintoList, in collection: String, _ query: String
  ) async throws -> EndpointReply<ChangesAnswer> {
    let answer = try await ask("\(places.records(of: collection))?\(query)")
    switch answer.status {
    case 200: break
    case 400: return EndpointReply<ChangesAnswer>(.forgot, notes: answer.notes())
    case _ where isHomeless(answer) && answer.status == 404:
      return EndpointReply<ChangesAnswer>(.forgot, notes: answer.notes())
    default: throw refusal(answer, expecting: "a list")
    }
    var isSame = try lastChange(answer) >= list.start
    if isSame, answer.headers["Next-Page"] == nil {
      isSame = try await home(of: collection) == .there(list.generation)
    }
    guard isSame else {
      return EndpointReply<ChangesAnswer>(.forgot, notes: answer.notes(keepingCall: false))
    }
    return try reply(answer, of: list, in: collection)
  }

  private func ask(
    _ query: KintoQuery, _ since: String = "", fields: [(String, String)] = []
  ) async throws -> ServiceAnswer {
    let limit = pageSize.map { "&_limit=\($0)" } ?? ""
    return try await ask(
      "\(places.records(of: query.collection))?_sort=last_modified\(query.text)\(since)\(limit)",
      fields: fields)
  }

  private func isHomeless(_ answer: ServiceAnswer) -> Bool {
    guard answer.status == 403 || answer.status == 404 else { return false }
    return KintoBody(answer).isRefusal
  }

  private func lastChange(_ answer: ServiceAnswer) throws -> Int64 {
    let tag = answer.headers["ETag"].flatMap { EntityTag($0) }
    guard let change = tag.flatMap({ Int64(String(decoding: $0.opaque, as: UTF8.self)) }) else {
      throw Self.unreadable("a list has no ETag that is a number", answer)
    }
    return change
  }

  private func reply(
    _ answer: ServiceAnswer, of list: KintoList, in collection: String
  ) throws -> EndpointReply<ChangesAnswer> {
    guard let elements = KintoBody(try json(of: answer)).data, elements.isArray else {
      throw Self.unreadable("it isn't a list of records", answer)
    }
    var (list, page) = (list, ChangePage(extent: list.extent, documents: []))
    var place = 0
    elements.forEachElement { element in
      if list.isOfIDs {
        page.name(element, at: place)
      } else {
        list.told = page.add(element, at: place, after: list.told)
      }
      place += 1
    }
    if let next = answer.headers["Next-Page"] {
      guard let query = places.queryOfNextPage(next, of: collection) else {
        throw Self.unreadable("its next page is at another server, or of something else", answer)
      }
      page.next = list.mark(query)
    }
    let checkpoint = list.checkpoint(isOver: page.next == nil)
    if checkpoint.change > 0, !list.isOfIDs { page.checkpoint = checkpoint.text }
    let hasUnread = !page.unreadable.isEmpty
    return EndpointReply<ChangesAnswer>(.page(page), notes: answer.notes(keepingCall: hasUnread))
  }
}

extension ChangePage {
  /// Takes the id of a record into the page.
  fileprivate mutating func name(_ json: JSONValue, at place: Int) {
    if let id = json["id"]?.string {
      named.append(DocumentID(id))
    } else {
      unreadable.append(UnreadableEntry(id: nil, place: place, reason: "it has no id"))
    }
  }

  /// Takes a record into the page; answers the last change that is told then.
  fileprivate mutating func add(_ json: JSONValue, at place: Int, after told: Int64) -> Int64 {
    guard let record = KintoRecord(json) else {
      unreadable.append(
        UnreadableEntry(
          id: json["id"]?.string.map { DocumentID($0) }, place: place,
          reason: "it has no id, or not the time of its last change"))
      return told
    }
    switch record.state {
    case .success(let state): documents.append(DocumentChange(id: record.id, state: state))
    case .failure(let problem):
      unreadable.append(UnreadableEntry(id: record.id, place: place, reason: "\(problem)"))
    }
    return max(told, record.changed)
  }
}
