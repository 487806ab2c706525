import DocumentSync
import DocumentTesting
import SyncLock
import SynchronizerTesting

/// A reference server that lets in only who shows it a token that counts.
struct GuardedEndpoint: DocumentEndpoint {
  /// What stands at the server's door.
  final class Door: Sendable {
    /// The fields that count.
    let counts = Locked<Set<String>>([])
    /// What was shown, in order.
    let shown = Locked<[String?]>([])
    /// Where requests wait that aren't let in.
    let refusing = Gate(open: true)
    /// Which part of a batch is refused by itself, once.
    let refusedPart = Locked<Int?>(nil)
  }

  let inner: ReferenceEndpoint
  let door: Door
  let authorization: @Sendable () async throws -> String?

  func capabilities() async throws -> EndpointCapabilities {
    guard await isLetIn() else { throw refusal }
    return try await inner.capabilities()
  }

  func changes(in collection: String, from place: ChangesPlace) async throws -> EndpointReply<
    ChangesAnswer
  > {
    guard await isLetIn() else { throw refusal }
    return try await inner.changes(in: collection, from: place)
  }

  func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    guard await isLetIn() else { throw refusal }
    return try await inner.file(request)
  }

  func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    guard await isLetIn() else { return EndpointReply<PushEnd>(refused) }
    return await inner.push(request)
  }

  func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
    guard await isLetIn() else { return EndpointReply<BatchEnd>(.whole(refused)) }
    let place = door.refusedPart.withLock { place in
      defer { place = nil }
      return place
    }
    guard let place else { return await inner.push(batch: requests) }
    var some = requests
    some.remove(at: place)
    var reply = await inner.push(batch: some)
    if case .parts(var parts) = reply.end {
      parts.insert(EndpointReply<PushEnd>(refused), at: place)
      reply.end = .parts(parts)
    }
    return reply
  }

  private var refused: PushEnd { .answered(PushAnswer(status: 401, words: "who are you?")) }
  private var refusal: EndpointError {
    EndpointError(.refused(status: 401, words: "who are you?", subject: .collection))
  }

  private func isLetIn() async -> Bool {
    let field = (try? await authorization()) ?? nil
    door.shown.withLock { $0.append(field) }
    let counts = door.counts.withLock { field.map($0.contains) ?? false }
    if !counts { try? await door.refusing.wait() }
    return counts
  }
}
