package import DocumentSync
import SyncText
import SyncTransport

/// Files are records of a second collection, `COLLECTION-files`, each with one attachment: an
/// upload makes a new version of its record, and a record has but one.
extension KintoEndpoint {
  /// Has a file stored, found, read or removed.
  @concurrent package func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    switch request {
    case .store(let place, let facts, let content):
      return try await store(place, facts, content)
    case .find(let place): return try await find(place)
    case .read(let file, let offset, let count):
      return try await read(file, from: offset, count: count)
    case .remove(let place): return try await remove(place)
    }
  }

  private func path(of place: FilePlace) -> String {
    places.record(DocumentID(place.kintoID), of: place.kintoCollection)
  }

  /// The server that a file's content is read from, if it's another one than the documents' own.
  package func otherServer(of location: String) -> String? {
    guard let origin = try? places.root.resolving(location).origin,
      origin != places.root.origin
    else { return nil }
    return "\(origin)"
  }

  /// Stores a file, and makes its collection where that isn't there: a server that can't do that
  /// just now doesn't refuse the file.
  private func store(
    _ place: FilePlace, _ facts: FileFacts, _ content: FileContent
  ) async throws -> EndpointReply<FileEnd> {
    let first = try await ask(toStore: place, facts, content)
    guard [403, 404].contains(first.status) else { return try stored(first) }
    let making = await make(place.kintoCollection)
    if let trouble = making.trouble { throw trouble }
    try Task.checkCancellation()
    var reply = try stored(making.isMade ? await ask(toStore: place, facts, content) : first)
    for wishes in [first.notes().wishes, making.wishes] {
      reply.notes.wishes = reply.notes.wishes.joined(with: wishes)
    }
    return reply
  }

  private func ask(
    toStore place: FilePlace, _ facts: FileFacts, _ content: FileContent
  ) async throws -> ServiceAnswer {
    let form = KintoForm(facts, of: place)
    var request = ServiceRequest(
      method: .post, address: try places.address(path(of: place) + "/attachment"))
    request.parts = [.bytes(form.head), content.part, .bytes(form.tail)]
    request.mediaType = form.mediaType
    return try await caller.ask(request)
  }

  private func stored(_ answer: ServiceAnswer) throws -> EndpointReply<FileEnd> {
    switch answer.status {
    case 200, 201:
      guard let file = file(try json(of: answer)) else {
        throw Self.unreadable("it isn't an attachment", answer)
      }
      return EndpointReply<FileEnd>(.there(file), notes: answer.notes(keepingCall: false))
    case 400, 403, 404, 405, 413, 415, 422: return refused(answer)
    default: throw refusal(answer, expecting: "an attachment")
    }
  }

  private func find(_ place: FilePlace) async throws -> EndpointReply<FileEnd> {
    let answer = try await ask(path(of: place))
    switch answer.status {
    case 200:
      guard let file = try json(of: answer)["data"]?["attachment"].flatMap(file)
      else { return EndpointReply<FileEnd>(.missing, notes: answer.notes(keepingCall: false)) }
      return EndpointReply<FileEnd>(.there(file), notes: answer.notes(keepingCall: false))
    case 403, 404:
      guard KintoBody(answer).isRefusal else {
        throw refusal(answer, expecting: "a record")
      }
      return EndpointReply<FileEnd>(.missing, notes: answer.notes())
    default: throw refusal(answer, expecting: "a record")
    }
  }

  /// A content may be at another server, which is told nothing of the account.
  private func read(
    _ file: ServerFile, from offset: Int64, count: Int
  ) async throws -> EndpointReply<FileEnd> {
    // Where a location is no address, nothing is there, and that concerns this file alone.
    guard !file.location.isEmpty, let address = try? places.root.resolving(file.location) else {
      return EndpointReply<FileEnd>(.missing)
    }
    var request = ServiceRequest(address: address)
    request.isOfBytes = true
    request.isSigned = address.origin == places.root.origin
    if offset > 0 || file.size > Int64(count) {
      request.fields = [("Range", "bytes=\(offset)-\(offset + Int64(count) - 1)")]
    }
    let answer: ServiceAnswer
    do {
      answer = try await caller.ask(request)
    } catch let error as EndpointError {
      // Such as one that is longer than any answer may be, where the server gives only the whole.
      guard case .unreadable(let why) = error.reason else { throw error }
      return EndpointReply<FileEnd>(
        .unusable("its content can't be fetched: \(why)"), notes: error.notes)
    }
    return try content(in: answer, isSigned: request.isSigned)
  }

  /// What an answer has of a content. What is wrong with it concerns this file alone, unless the
  /// server is in trouble, or doesn't know the account.
  private func content(in answer: ServiceAnswer, isSigned: Bool) throws -> EndpointReply<FileEnd> {
    let notes = answer.notes(keepingCall: false)
    switch answer.status {
    case 200: return EndpointReply<FileEnd>(.bytes(answer.body, from: 0), notes: notes)
    case 206:
      let part = answer.headers["Content-Range"].flatMap { ContentRange($0) }
      guard case .bytes(let range, _) = part else {
        let why = "the server gives a part, and doesn't say which"
        return EndpointReply<FileEnd>(.unusable(why), notes: answer.notes(problem: why))
      }
      return EndpointReply<FileEnd>(.bytes(answer.body, from: range.lowerBound), notes: notes)
    case 404, 410, 416: return EndpointReply<FileEnd>(.missing, notes: answer.notes())
    case 401 where isSigned: throw refusal(answer, expecting: "a file")
    case 407, 408, 425, 429, 500...: throw refusal(answer, expecting: "a file")
    case 400..<500: return refused(answer)
    default:
      let why = "the server answers with status \(answer.status) in place of its content"
      return EndpointReply<FileEnd>(.unusable(why), notes: answer.notes(problem: why))
    }
  }

  private func remove(_ place: FilePlace) async throws -> EndpointReply<FileEnd> {
    let request = ServiceRequest(method: .delete, address: try places.address(path(of: place)))
    let answer = try await caller.ask(request)
    switch answer.status {
    case 200, 404: return EndpointReply<FileEnd>(.missing, notes: answer.notes(keepingCall: false))
    case 403: return refused(answer)
    default: throw refusal(answer, expecting: "a deletion")
    }
  }

  /// An attachment as the plugin tells it.
  private func file(_ json: JSONValue) -> ServerFile? {
    guard let location = json["location"]?.string, let digest = json["hash"]?.string,
      let size = json["size"]?.integer
    else { return nil }
    return ServerFile(
      location: location, digest: digest, size: size, otherServer: otherServer(of: location))
  }

  private func refused(_ answer: ServiceAnswer) -> EndpointReply<FileEnd> {
    let words = KintoBody(answer).words
    return EndpointReply<FileEnd>(
      .refused(status: answer.status, words: words), notes: answer.notes())
  }
}

extension FilePlace {
  var kintoCollection: String { "\(collection)-files" }

  /// The id of the file's record: one for each document that has it.
  var kintoID: String {
    "\(SHA256Digest(of: Array("\(document.text)\n\(digest)".utf8)))"
  }
}

/// A form with one file (RFC 7578), and the document that it's of.
struct KintoForm: Sendable, Equatable {
  let mediaType: String
  /// What comes before the file's content.
  let head: [UInt8]
  /// What comes after it.
  let tail: [UInt8]

  init(_ facts: FileFacts, of place: FilePlace) {
    // A digest of the content doesn't stand in the content.
    let boundary = "form-\(place.kintoID)"
    mediaType = "multipart/form-data; boundary=\(boundary)"
    let data = JSONWriter.object { $0.add("document", place.document.text) }
    let head = "--\(boundary)\r\nContent-Disposition: form-data; name="
    self.head =
      Array("\(head)\"data\"\r\n\r\n".utf8) + data
      + Array("\r\n\(head)\"attachment\"; filename=\"\(Self.name(facts.name))\"\r\n".utf8)
      + Array("Content-Type: \(Self.type(facts.type))\r\n\r\n".utf8)
    tail = Array("\r\n--\(boundary)--\r\n".utf8)
  }

  /// Without what would end the name, or the line.
  private static func name(_ name: String) -> String {
    let plain = name.unicodeScalars.map { scalar in
      scalar.value < 32 || "\"\\/".unicodeScalars.contains(scalar) ? "_" : Character(scalar)
    }
    return plain.isEmpty ? "file" : String(plain)
  }

  private static func type(_ type: String) -> String {
    let isPlain = type.utf8.allSatisfy { $0 > 32 && $0 < 127 }
    return isPlain && type.contains("/") ? type : "application/octet-stream"
  }
}
