import DocumentSync
import DocumentTesting

/// An endpoint of which the test answers requests for files, where it wants to.
struct ScriptedFiles: DocumentEndpoint {
  let inner: ReferenceEndpoint
  /// An answer in place of the server's; `nil` where the server is asked.
  let answer: @Sendable (FileRequest) async throws -> EndpointReply<FileEnd>?
  /// The server that all contents are at; `nil` for the documents' own.
  var contents: String?

  @concurrent func capabilities() async throws -> EndpointCapabilities {
    try await inner.capabilities()
  }

  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await inner.changes(in: collection, from: place)
  }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    await inner.push(request)
  }

  @concurrent func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    var reply =
      if let reply = try await answer(request) { reply } else { try await inner.file(request) }
    if case .there(let file) = reply.end {
      reply.end = .there(
        ServerFile(
          location: file.location, digest: file.digest, size: file.size, otherServer: contents))
    }
    return reply
  }
}
