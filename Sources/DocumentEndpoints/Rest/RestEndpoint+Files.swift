package import DocumentSync
import SyncTransport

/// Files of rows, each under an address of its own.
extension RestEndpoint {
  package var keepsFiles: Bool? { dialect.files != nil }
  package var keepsFilesAtAddresses: Bool { dialect.files != nil }

  package func address(ofFile facts: FileFacts, at place: FilePlace) -> String? {
    guard let files = dialect.files, files.answer == nil else { return nil }
    return address(of: facts, at: place, files)?.text
  }

  package func isAddress(_ address: String, ofFileAt place: FilePlace) -> Bool {
    let values = [place.collection, place.document.text, place.member ?? ""]
    guard let frame = dialect.files?.frame(values),
      let start = (try? root.resolving(frame.start))?.text
    else { return false }
    if frame.isWhole { return address == start }
    guard address.hasPrefix(start), address.hasSuffix(frame.end) else { return false }
    let between = address.dropFirst(start.count).dropLast(frame.end.count)
    return !between.isEmpty && !between.contains { "/?#".contains($0) } && between != ".."
  }

  /// Stores or removes a file.
  @concurrent package func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    guard let files = dialect.files else {
      throw EndpointError(.impossible("this service keeps no files"))
    }
    switch request {
    case .store(let place, let facts, let content):
      guard let address = address(of: facts, at: place, files) else {
        return EndpointReply<FileEnd>(.unusable("its name and its document's make no address"))
      }
      var store = ServiceRequest(
        method: files.answer == nil ? .put : .post, address: address,
        fields: place.idempotencyKey.map { [("Idempotency-Key", $0)] } ?? [])
      store.parts = [content.part]
      store.mediaType = facts.type
      return try await ask(store) { answer in
        Self.location(in: answer, files).map {
          .there(ServerFile(location: $0, digest: facts.digest, size: facts.size))
        }
      }
    case .remove(let place):
      guard let address = place.address.flatMap({ try? root.resolving($0) }) else {
        return EndpointReply<FileEnd>(.unusable("what it's said to be at is no address"))
      }
      return try await ask(ServiceRequest(method: .delete, address: address)) { _ in .missing }
    case .find, .read: return EndpointReply<FileEnd>(.missing)
    }
  }

  /// Throws where no file would have an address, or another document or member the same one: there
  /// a file would take the place of another, and its removal take that away.
  static func check(_ files: RestFiles, below root: WebAddress) throws(ServiceError) {
    let example = files.address(RestFiles.names)
    guard let example, !example.contains(where: { "{}".contains($0) }),
      let address = try? root.resolving(example), ["http", "https"].contains(address.scheme),
      files.answer != nil || ["{id}", "{member}"].allSatisfy({ files.template.contains($0) })
    else { throw .badTemplate(files.template) }
  }

  private func address(
    of facts: FileFacts, at place: FilePlace, _ files: RestFiles
  ) -> WebAddress? {
    let values = [
      place.collection, place.document.text, place.member ?? "", facts.name, facts.digest,
    ]
    return files.address(values).flatMap { try? root.resolving($0) }
  }

  /// Where an answer says that the file is.
  private static func location(in answer: ServiceAnswer, _ files: RestFiles) -> String? {
    guard let name = files.answer else { return answer.address }
    return (try? DocumentValue(bytes: answer.body))?[name]?.string
  }

  /// Makes a request for a file. What is wrong concerns this file alone, unless the service itself
  /// is in trouble, or doesn't know the account.
  private func ask(
    _ request: ServiceRequest, _ success: (ServiceAnswer) -> FileEnd?
  ) async throws -> EndpointReply<FileEnd> {
    var request = request
    let isOwn = request.address.origin == root.origin
    request.isSigned = isOwn
    let answer: ServiceAnswer
    do {
      answer = try await caller.ask(request)
    } catch let error as EndpointError where !isOwn {
      return EndpointReply<FileEnd>(
        .unusable("\(request.address.origin) can't be reached (\(error.reason))"),
        notes: error.notes)
    }
    let words = answer.hiding((try? DocumentValue(bytes: answer.body))?.words ?? "")
    switch answer.status {
    case 200...299:
      if let end = success(answer) {
        return EndpointReply<FileEnd>(end, notes: answer.notes(keepingCall: false))
      }
      let why = "the service took it, and doesn't say where it is"
      return EndpointReply<FileEnd>(.unusable(why), notes: answer.notes(problem: why))
    case 404 where request.method == .delete, 410 where request.method == .delete:
      return EndpointReply<FileEnd>(.missing, notes: answer.notes())
    case 401 where isOwn, 407, 408, 425, 429, 500...:
      guard isOwn else {
        return EndpointReply<FileEnd>(
          .unusable("\(request.address.origin) is in trouble (\(answer.status))"),
          notes: answer.notes())
      }
      throw EndpointError(
        .refused(status: answer.status, words: words, subject: .collection), notes: answer.notes())
    default:
      return EndpointReply<FileEnd>(
        .refused(status: answer.status, words: words), notes: answer.notes())
    }
  }
}
