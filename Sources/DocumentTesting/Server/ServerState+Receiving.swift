package import DocumentSync

/// What it does with what it is asked.
extension ServerState {
  /// Carries out what is asked for one document.
  ///
  /// - Parameters:
  ///   - writer: who asks.
  ///   - now: the true time.
  package mutating func receive(
    _ send: PushRequest, from writer: String, at now: Int64
  ) -> PushAnswer {
    let key = manners.capabilities.has(.idempotencyKeys) ? send.idempotencyKey : nil
    if let key, let known = remembered[key] {
      return known.send == send
        ? known.answer : PushAnswer(status: 422, words: "the key was used for another request")
    }
    let answer = carryOut(send, from: writer, at: now)
    if let key, (200...299).contains(answer.status) {
      remembered[key] = Remembered(send: send, answer: answer)
    }
    return answer
  }

  /// Carries out what is asked for many documents; `nil` where it takes no batch of that size.
  package mutating func receive(
    batch sends: [PushRequest], from writer: String, at now: Int64
  ) -> [PushAnswer]? {
    guard sends.count <= manners.capabilities.batchEntries else { return nil }
    return sends.map { receive($0, from: writer, at: now) }
  }

  private mutating func carryOut(
    _ send: PushRequest, from writer: String, at now: Int64
  ) -> PushAnswer {
    let isKeyless = send.kind == .create && manners.serverKeys.contains(send.collection)
    let held = isKeyless ? nil : document(send.id, in: send.collection)
    if send.kind != .look, manners.capabilities.isReadOnly {
      return PushAnswer(status: 403, words: "read only", subject: .collection)
    }
    if !send.kind.isDeletion, send.kind != .look, manners.unwanted.contains(send.id) {
      return PushAnswer(status: 400, words: "it isn't wanted")
    }
    switch send.kind {
    case .look: return look(held)
    case .create, .update:
      guard let body = send.body else { return PushAnswer(status: 400, words: "no document") }
      if let refusal = refusal(of: send.kind, of: held) { return refusal }
      if isKeyless { return make(body, of: send, from: writer, at: now) }
      let version = store(.value(body), send, over: held, from: writer, at: now)
      return PushAnswer(status: held?.isThere == true ? 200 : 201, version: version)
    case .delete:
      guard let held, held.isThere else { return absence(of: held) }
      if let refusal = refusal(of: send.kind, of: held) { return refusal }
      return PushAnswer(
        status: 200, version: store(.gone, send, over: held, from: writer, at: now))
    }
  }

  /// Makes a document under the next id.
  private mutating func make(
    _ body: DocumentValue, of send: PushRequest, from writer: String, at now: Int64
  ) -> PushAnswer {
    keys += 1
    let key = DocumentID("\(keys)")
    let made = PushRequest.create(key, body, in: send.collection, key: nil)
    let version = store(.value(body), made, over: nil, from: writer, at: now)
    return PushAnswer(status: 201, version: version, madeAs: key)
  }

  /// Why the condition of a request isn't met; `nil` if it is.
  private func refusal(of kind: SendKind, of held: ServerDocument?) -> PushAnswer? {
    let isKept = manners.capabilities.has(.preconditions)
    let isThere = held?.isThere ?? false
    switch kind {
    case .look: return nil
    case .create where isThere && isKept: return conflict(with: held)
    case .create where held != nil && !isThere && manners.revival == .refused:
      return conflict(with: held)
    case .create: return nil
    case .update where !isThere: return held == nil ? absence(of: nil) : conflict(with: held)
    case .update(let version), .delete(let version):
      return isKept && held?.version != version ? conflict(with: held) : nil
    }
  }

  private func look(_ held: ServerDocument?) -> PushAnswer {
    guard let held, held.isThere else { return absence(of: held) }
    return PushAnswer(status: 200, shown: held.state(tellingRevivals: tellsRevivals))
  }

  private func absence(of held: ServerDocument?) -> PushAnswer {
    guard let held, manners.capabilities.has(.tombstones) else {
      return PushAnswer(status: 404, words: "no such document")
    }
    return PushAnswer(
      status: 410, version: held.version, shown: .deleted(held.version), words: "it was deleted")
  }

  private func conflict(with held: ServerDocument?) -> PushAnswer {
    let knows = held?.isThere == true || manners.capabilities.has(.tombstones)
    return PushAnswer(
      status: 412,
      shown: manners.showsConflicts && knows ? held?.state(tellingRevivals: tellsRevivals) : nil,
      words: "the server has something else")
  }

  /// Whether it tells that a document was made anew.
  var tellsRevivals: Bool { manners.capabilities.has(.revivals) }
}

extension ServerState {
  /// Carries out what is asked for a file.
  package mutating func receive(_ request: FileRequest) -> FileEnd {
    switch request {
    case .store(let place, let facts, let content):
      if let most = manners.longestFile, content.size > most {
        return .refused(status: 413, words: "too long")
      }
      guard let bytes = try? content.bytes() else {
        return .unusable("its content can't be read")
      }
      fileEvents.append(.stored(facts.name))
      files[place] = bytes
      return .there(Self.file(place, bytes))
    case .find(let place): return files[place].map { .there(Self.file(place, $0)) } ?? .missing
    case .read(let file, let offset, let count):
      guard let found = files.first(where: { $0.key.location == file.location }) else {
        return .missing
      }
      fileEvents.append(.read(offset))
      return .bytes(Array(found.value.dropFirst(Int(offset)).prefix(count)), from: offset)
    case .remove(let place):
      fileEvents.append(.removed)
      files[place] = nil
      return .missing
    }
  }

  private static func file(_ place: FilePlace, _ bytes: [UInt8]) -> ServerFile {
    ServerFile(location: place.location, digest: place.digest, size: Int64(bytes.count))
  }
}

/// What happened to a server's files.
package enum ServerFileEvent: Sendable, Hashable {
  case stored(String)
  /// Bytes from an offset on were read.
  case read(Int64)
  case removed
}

extension FilePlace {
  fileprivate var location: String { "\(collection)/\(document.text)/\(digest)" }
}
