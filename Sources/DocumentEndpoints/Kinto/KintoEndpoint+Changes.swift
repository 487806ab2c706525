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
    guard KintoNames.isName(collection) else {
      throw EndpointError(
        .impossible("no collection of a Kinto server can be called \"\(collection)\""))
    }
    switch place {
    case .beginning: return try await everything(in: collection)
    case .since(let checkpoint):
      guard let known = KintoCheckpoint(checkpoint) else {
        return EndpointReply<ChangesAnswer>(.forgot)
      }
      return try await changes(in: collection, since: known)
    case .page(let mark):
      guard let (list, query) = KintoList.read(mark: mark) else {
        return EndpointReply<ChangesAnswer>(.forgot)
      }
      return try await page(of: list, in: collection, query)
    }
  }

  /// The first page of all that there is. The collection's version is asked for before it: what is
  /// made anew between the two is noticed the next time.
  private func everything(
    in collection: String, mayMake: Bool = true
  ) async throws -> EndpointReply<ChangesAnswer> {
    let home = try await home(of: collection)
    let answer = try await list(collection, "")
    if home == .missing || isHomeless(answer), mayMake, try await makeToRead(collection) {
      return try await everything(in: collection, mayMake: false)
    }
    guard answer.status == 200, case .there(let generation) = home else {
      throw refusal(answer, expecting: "a list of a collection that is there")
    }
    let list = KintoList(
      extent: .everything, start: try lastChange(answer), generation: generation, told: 0)
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
    in collection: String, since known: KintoCheckpoint
  ) async throws -> EndpointReply<ChangesAnswer> {
    let answer = try await list(
      collection, "&_since=%22\(known.change)%22",
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

  private func list(
    _ collection: String, _ query: String, fields: [(String, String)] = []
  ) async throws -> ServiceAnswer {
    let limit = pageSize.map { "&_limit=\($0)" } ?? ""
    return try await ask(
      "\(places.records(of: collection))?_sort=last_modified\(query)\(limit)", fields: fields)
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
      list.told = page.add(element, at: place, after: list.told)
      place += 1
    }
    if let next = answer.headers["Next-Page"] {
      guard let query = places.queryOfNextPage(next, of: collection) else {
        throw Self.unreadable("its next page is at another server, or of something else", answer)
      }
      page.next = list.mark(query)
    }
    let checkpoint = list.checkpoint(isOver: page.next == nil)
    if checkpoint.change > 0 { page.checkpoint = checkpoint.text }
    let hasUnread = !page.unreadable.isEmpty
    return EndpointReply<ChangesAnswer>(.page(page), notes: answer.notes(keepingCall: hasUnread))
  }
}

extension ChangePage {
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

/// How much of a collection is known: up to which change, and of which generation of it.
struct KintoCheckpoint: Sendable, Hashable {
  /// All changes up to this one are known, by the server's time.
  let change: Int64
  /// The version of the collection itself: a new one means that it was made anew, by this server or
  /// by another one. `nil` where it may not be read.
  let generation: Int64?

  var text: String { "\(change)/\(generation.map { "\($0)" } ?? "-")" }

}

extension KintoCheckpoint {
  /// A checkpoint as it was written; `nil` for what is none.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let change = Int64(parts[0]), change >= 0 else { return nil }
    self.change = change
    if parts[1] == "-" {
      generation = nil
    } else {
      guard let generation = Int64(parts[1]) else { return nil }
      self.generation = generation
    }
  }
}

/// A list under way: what it speaks for, and what its pages so far have told.
struct KintoList: Sendable, Hashable {
  let extent: ChangePage.Extent
  /// The collection's last change when the list began. All pages together tell at least what was
  /// there then.
  let start: Int64
  let generation: Int64?
  var told: Int64

  /// What counts after the pages so far.
  ///
  /// The list goes upwards, so whatever changes meanwhile comes later in it; but a list of
  /// everything doesn't tell what was deleted meanwhile. After its beginning it therefore vouches
  /// for nothing.
  ///
  /// - Parameter isOver: whether there are no more pages.
  func checkpoint(isOver: Bool) -> KintoCheckpoint {
    let change =
      switch (extent, isOver) {
      case (.everything, true): start
      case (.everything, false): min(told, start)
      case (.changes, true): max(told, start)
      case (.changes, false): told
      }
    return KintoCheckpoint(change: change, generation: generation)
  }

  /// A mark for the next page, as text.
  ///
  /// - Parameter query: of its address.
  func mark(_ query: String) -> String {
    let checkpoint = KintoCheckpoint(change: start, generation: generation).text
    return "\(extent == .everything ? "everything" : "changes")/\(checkpoint)/\(told)?\(query)"
  }

  static func read(mark: String) -> (list: KintoList, query: String)? {
    guard let question = mark.firstIndex(of: "?") else { return nil }
    let parts = mark[..<question].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, ["everything", "changes"].contains(parts[0]),
      let began = KintoCheckpoint("\(parts[1])/\(parts[2])"), let told = Int64(parts[3])
    else { return nil }
    let list = KintoList(
      extent: parts[0] == "everything" ? .everything : .changes, start: began.change,
      generation: began.generation, told: told)
    return (list, String(mark[mark.index(after: question)...]))
  }
}
