import SyncLock
import Foundation

@testable import DocumentSync

/// An endpoint of a program that dies: just before a call, or when the server has done what it was
/// asked and the answer isn't written yet.
///
/// What stood on the disk at that moment is copied, and no later call reaches the server, so that
/// the copy is what a killed program leaves behind.
final class DyingEndpoint: DocumentEndpoint {
  private struct State {
    var moments = 0
    var isDead = false
  }

  private let inner: any DocumentEndpoint
  private let store: String
  private let copy: String
  private let last: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - store: the path of the store that it works for.
  ///   - copy: where what is left behind is copied to.
  ///   - last: how many moments it lives; each call has two.
  init(_ inner: any DocumentEndpoint, store: String, copy: String, last: Int) {
    (self.inner, self.store, self.copy, self.last) = (inner, store, copy, last)
  }

  /// Whether it died.
  var isDead: Bool { state.withLock { $0.isDead } }

  var keepsFilesAtAddresses: Bool { inner.keepsFilesAtAddresses }

  func address(ofFile facts: FileFacts, at place: FilePlace) -> String? {
    inner.address(ofFile: facts, at: place)
  }

  @concurrent func capabilities() async throws -> EndpointCapabilities {
    try live()
    let reply = try await inner.capabilities()
    try live()
    return reply
  }

  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try live()
    let reply = try await inner.changes(in: collection, from: place)
    try live()
    return reply
  }

  func makesKeys(in collection: String) -> Bool { inner.makesKeys(in: collection) }

  func reference(
    to id: DocumentID, _ version: DocumentVersion?, in collection: String
  ) -> DocumentValue { inner.reference(to: id, version, in: collection) }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    guard (try? live()) != nil else { return EndpointReply<PushEnd>(.unreachable) }
    let reply = await inner.push(request)
    return (try? live()) != nil ? reply : EndpointReply<PushEnd>(.lost)
  }

  @concurrent func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
    guard (try? live()) != nil else { return EndpointReply<BatchEnd>(.whole(.unreachable)) }
    let reply = await inner.push(batch: requests)
    return (try? live()) != nil ? reply : EndpointReply<BatchEnd>(.whole(.lost))
  }

  @concurrent func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    try live()
    let reply = try await inner.file(request)
    try live()
    return reply
  }

  /// A moment goes by; throws if it's dead.
  private func live() throws {
    try state.withLock { state in
      if !state.isDead, state.moments == last {
        state.isDead = true
        for ending in ["", "-wal", "-files"]
        where FileManager.default.fileExists(atPath: store + ending) {
          try FileManager.default.copyItem(atPath: store + ending, toPath: copy + ending)
        }
      }
      state.moments += 1
      if state.isDead { throw EndpointError(.unreachable) }
    }
  }
}
