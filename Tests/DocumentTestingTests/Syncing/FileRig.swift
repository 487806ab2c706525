import DocumentTesting
import XCTest

@testable import DocumentSync

/// Replicas with files, over a server that takes them, by a clock that only the test moves.
struct FileRig: Sendable {
  /// What a test answers a request for a file with; `nil` where the server is asked.
  typealias Answer = @Sendable (FileRequest) async throws -> EndpointReply<FileEnd>?

  let server = ReferenceServer(manners: Self.manners)
  let time = SyncedReplica.Time()
  /// The file that documents have, unless a test says otherwise.
  let picture = Array("a picture in full".utf8)

  /// Those of a server that takes files.
  static let manners: ServerManners = {
    var manners = ServerManners()
    manners.capabilities.features.insert(.files)
    return manners
  }()

  // MARK: - Replicas

  /// A replica whose requests for files the test answers, where it wants to.
  func replica(
    _ name: String = "here", _ answer: @escaping Answer = { _ in nil }
  ) async throws -> SyncedReplica {
    let endpoint = ScriptedFiles(inner: server.endpoint(named: name), answer: answer)
    return try await SyncedReplica(endpoint, time)
  }

  /// A replica with a document that has a file, which nobody was sent.
  func withFile(_ answer: @escaping Answer = { _ in nil }) async throws -> SyncedReplica {
    let here = try await replica("here", answer)
    try await attach(here)
    return here
  }

  /// A replica that has sent a document with a file.
  @discardableResult
  func sent(_ answer: @escaping Answer = { _ in nil }) async throws -> SyncedReplica {
    let here = try await withFile(answer)
    try await here.sync()
    return here
  }

  /// A replica whose store is on the disk.
  func replica(_ name: String, at path: String) async throws -> SyncedReplica {
    var setting = SyncedReplica.Setting()
    setting.place = .file(path)
    return try await SyncedReplica(server.endpoint(named: name), time, setting)
  }

  // MARK: - Documents with files

  /// Saves a document, and gives it a file.
  @discardableResult
  func attach(
    _ replica: SyncedReplica, _ bytes: [UInt8]? = nil, named name: String = "a.png",
    preview: [UInt8]? = nil, to id: DocumentID = .milk
  ) async throws -> FileReference {
    if try await replica.get(id) == nil { try await replica.save(id, ["n": 1]) }
    let file = try await keep(bytes ?? picture, named: name, preview: preview, with: replica)
    try await replica.store.edit { _ = try $0.attach(file, to: "picture", of: id) }
    return file
  }

  /// A file whose content is with a replica, and that no document names.
  func keep(
    _ bytes: [UInt8], named name: String, preview: [UInt8]? = nil, with replica: SyncedReplica
  ) async throws -> FileReference {
    let files = replica.store.files
    var small: FileFacts?
    if let preview { small = try await files.keep(preview, named: "small.png") }
    return FileReference(try await files.keep(bytes, named: name), preview: small)
  }

  /// The file that a document names.
  func file(_ replica: SyncedReplica) async throws -> FileReference {
    let value = try await replica.get(.milk)?["picture"]
    return try XCTUnwrap(value.flatMap { FileReference($0) })
  }

  /// The content of the file that a document names; `nil` if it isn't here.
  func content(_ replica: SyncedReplica, preview: Bool = false) async throws -> [UInt8]? {
    let file = try await file(replica)
    let facts = preview ? try XCTUnwrap(file.preview) : file.content
    return try await replica.store.files.bytes(of: facts.digest)
  }

  /// How it stands with a replica's files.
  func counts(_ replica: SyncedReplica) async throws -> FileCounts {
    try await replica.store.read { try $0.fileCounts() }
  }

  // MARK: - The server

  /// The names of the files that the server was given, in order.
  var stored: [String] {
    server.state.fileEvents.compactMap { event in
      if case .stored(let name) = event { name } else { nil }
    }
  }

  /// The server has no file any more.
  func lose() async throws {
    for place in server.state.files.keys {
      _ = try await server.endpoint(named: "other").file(.remove(place))
    }
  }
}

extension DocumentID {
  /// The document that has files.
  static let milk = DocumentID("milk")
}
