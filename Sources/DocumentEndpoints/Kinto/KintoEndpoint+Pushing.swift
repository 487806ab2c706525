package import DocumentSync
import SyncText
import SyncTransport

extension KintoEndpoint {
  /// Stores, removes or shows a document.
  @concurrent package func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    await settle([await send(request)])[0]
  }

  func send(_ request: PushRequest) async -> KintoAnswered {
    let path = places.record(request.id, of: request.collection)
    guard KintoNames.isName(request.collection) else {
      return KintoAnswered(request, EndpointError(.impossible("no such collection can be")))
    }
    if let problem = request.kintoProblem {
      return KintoAnswered(request, refusedFor: problem, at: places.root.text + path)
    }
    do throws(EndpointError) {
      guard let fields = request.kintoFields else {
        throw EndpointError(.impossible("the version is none of a Kinto server"))
      }
      let sent = ServiceRequest(
        method: request.kintoMethod, address: try places.address(path), fields: fields,
        body: request.kintoBody)
      return KintoAnswered(request, try await caller.call(sent))
    } catch {
      return KintoAnswered(request, error)
    }
  }

  /// Asks on where answers leave open what they mean, and answers in the order of the requests.
  func settle(_ answered: [KintoAnswered]) async -> [EndpointReply<PushEnd>] {
    let answered = await sendAgainWhereHomeless(answered)
    let guilty = await collectionsThatForbid(answered)
    let shown = await shownOfAbsent(answered)
    return answered.map { one in
      EndpointReply<PushEnd>(one.end(isCollectionGuilty: guilty, shown: shown), notes: one.notes)
    }
  }

  /// Makes the collections that aren't there, and sends once more what wasn't taken for that.
  private func sendAgainWhereHomeless(_ answered: [KintoAnswered]) async -> [KintoAnswered] {
    var answered = answered
    for collection in Set(answered.filter(\.isHomeless).map(\.request.collection)).sorted() {
      let making = await make(collection)
      guard making.isMade || making.trouble != nil else { continue }
      for place in answered.indices
      where answered[place].isHomeless && answered[place].request.collection == collection {
        let request = answered[place].request
        // A server that can't make it just now says nothing of the documents.
        if let trouble = making.trouble {
          let failure = EndpointError(trouble.reason.ofNext, notes: trouble.notes)
          answered[place] = KintoAnswered(request, failure)
        } else {
          answered[place] = await send(request)
        }
      }
    }
    return answered
  }

  /// The collections that, as their lists tell, aren't for this account at all.
  ///
  /// Where even that can't be learned, no document is blamed.
  private func collectionsThatForbid(_ answered: [KintoAnswered]) async -> Set<String> {
    var guilty: Set<String> = []
    for collection in Set(answered.filter(\.isForbidden).map(\.request.collection)).sorted() {
      let list = try? await ask("\(places.records(of: collection))?_limit=1")
      let isReadable =
        list?.status == 200 && KintoBody(try? list?.json()).data?.isArray ?? false
      if !isReadable { guilty.insert(collection) }
    }
    return guilty
  }

  /// What the server has, tombstones included, of documents that aren't there.
  private func shownOfAbsent(_ answered: [KintoAnswered]) async -> [Place: KintoRecord] {
    var shown: [Place: KintoRecord] = [:]
    for (collection, some) in Dictionary(grouping: answered.filter(\.isAbsent), by: \.collection) {
      for start in stride(from: 0, to: some.count, by: Self.mostIDs) {
        let ids = some[start..<min(start + Self.mostIDs, some.count)].map(\.request.id)
        for record in await records(of: ids, in: collection) {
          shown[Place(collection: collection, id: record.id)] = record
        }
      }
    }
    return shown
  }

  /// How many ids go into one address.
  private static let mostIDs = 50

  /// What the server has of these, tombstones included; nothing where that can't be learned. The
  /// ids stand in quotes: else one of digits would be a number, which no id is.
  private func records(of ids: [DocumentID], in collection: String) async -> [KintoRecord] {
    let list = ids.map { "%22\($0.text)%22" }.joined(separator: ",")
    let path = "\(places.records(of: collection))?_since=0&in_id=\(list)"
    guard let answer = try? await ask(path), answer.status == 200,
      let elements = KintoBody(answer).data?.elements
    else { return [] }
    return elements.compactMap(KintoRecord.init)
  }

  struct Place: Hashable {
    let collection: String
    let id: DocumentID
  }
}

extension KintoAnswered {
  fileprivate var collection: String { request.collection }

  fileprivate var isHomeless: Bool {
    if case .homeless = verdict { return true }
    return false
  }

  fileprivate var isForbidden: Bool {
    if case .forbidden = verdict { return true }
    return false
  }

  fileprivate var isAbsent: Bool {
    if case .absent = verdict { return true }
    return false
  }

  /// How it ended, all things known.
  fileprivate func end(
    isCollectionGuilty guilty: Set<String>, shown: [KintoEndpoint.Place: KintoRecord]
  ) -> PushEnd {
    switch verdict {
    case .ended(let end): return end
    case .homeless(let answer): return .answered(answer)
    case .forbidden(var answer):
      answer.subject = guilty.contains(collection) ? .collection : .document
      return .answered(answer)
    case .absent(var answer):
      let record = shown[KintoEndpoint.Place(collection: collection, id: request.id)]
      answer.shown = record?.shown
      if let record, !record.isThere { answer.version = record.version }
      // Made since it was looked for.
      if request.kind == .look, answer.shown?.copy != nil { answer.status = 200 }
      return .answered(answer)
    }
  }
}
