import DocumentTesting
import SyncLock

@testable import DocumentSync

/// A server of documents without files, and a shelf that has files by addresses. It notes whatever
/// of them is done in the wrong order.
final class AddressShelf: Sendable {
  struct State: Sendable {
    var contents: [String: [UInt8]] = [:]
    var calls: [String] = []
    /// What the requests that store are told from each other by.
    var keys: [String?] = []
    /// What should never have been.
    var faults: [String] = []
    /// What the next requests are answered with, in place of what was asked for.
    var answers: [FileEnd] = []
    /// Whether the answers to the next requests are lost.
    var lost = 0
    /// What happens once, when a file was stored.
    var between: (@Sendable () async throws -> Void)?
  }

  let server = ReferenceServer()
  let state = Locked(State())
  /// Whether addresses are known before files are stored.
  let isForeseen: Bool
  /// Whether each content has an address of its own.
  let isByContent: Bool

  init(isForeseen: Bool = true, isByContent: Bool = true) {
    (self.isForeseen, self.isByContent) = (isForeseen, isByContent)
  }

  func endpoint(named name: String = "here") -> AddressingEndpoint {
    AddressingEndpoint(inner: server.endpoint(named: name), shelf: self)
  }

  func address(_ facts: FileFacts, _ place: FilePlace) -> String {
    let end = isByContent ? "/\(facts.digest.prefix(8))" : ""
    return "https://files.example/\(place.document)/\(place.member ?? "?")\(end)"
  }

  /// What the server has in a member.
  func member(_ name: String, of id: DocumentID = .milk) -> DocumentValue? {
    server.documents(in: "notes")[id]?.value[name]
  }

  /// Notes where a member of the server's names a file that isn't there.
  func look() {
    for copy in server.documents(in: "notes").values {
      for (_, value) in copy.value.members ?? [] {
        guard let address = value.string, address.hasPrefix("https://files") else { continue }
        state.withLock { state in
          if state.contents[address] == nil { state.faults.append("\(address) leads nowhere") }
        }
      }
    }
  }

  func file(_ request: FileRequest) throws -> EndpointReply<FileEnd> {
    look()
    let documents = server.documents(in: "notes")
    return try state.withLock { state in
      if !state.answers.isEmpty { return EndpointReply<FileEnd>(state.answers.removeFirst()) }
      let end: FileEnd
      switch request {
      case .store(let place, let facts, let content):
        let address = address(facts, place)
        if documents[place.document] == nil { state.faults.append("\(address) has no document") }
        state.contents[address] = try content.bytes()
        state.keys.append(place.idempotencyKey)
        state.calls.append("store \(address)")
        end = .there(ServerFile(location: address, digest: facts.digest, size: facts.size))
      case .remove(let place):
        let address = place.address ?? "?"
        let member = documents[place.document]?.value[place.member ?? "?"]
        if member?.string == address { state.faults.append("\(address) is removed, and named") }
        state.contents[address] = nil
        state.calls.append("remove \(address)")
        end = .missing
      case .find, .read: throw EndpointError(.impossible("nobody asks for them"))
      }
      if state.lost > 0 {
        state.lost -= 1
        throw EndpointError(.lost)
      }
      return EndpointReply<FileEnd>(end)
    }
  }
}

/// What a replica speaks with.
struct AddressingEndpoint: DocumentEndpoint {
  let inner: ReferenceEndpoint
  let shelf: AddressShelf

  var keepsFiles: Bool? { true }
  var keepsFilesAtAddresses: Bool { true }

  func address(ofFile facts: FileFacts, at place: FilePlace) -> String? {
    shelf.isForeseen ? shelf.address(facts, place) : nil
  }

  func isAddress(_ address: String, ofFileAt place: FilePlace) -> Bool {
    address.hasPrefix("https://files.example/\(place.document)/\(place.member ?? "?")")
  }

  @concurrent func capabilities() async throws -> EndpointCapabilities {
    try await inner.capabilities()
  }

  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    shelf.look()
    return try await inner.changes(in: collection, from: place)
  }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    let reply = await inner.push(request)
    shelf.look()
    return reply
  }

  @concurrent func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    let reply = try shelf.file(request)
    let between = shelf.state.withLock { state in
      defer { state.between = nil }
      return state.between
    }
    try await between?()
    return reply
  }
}
