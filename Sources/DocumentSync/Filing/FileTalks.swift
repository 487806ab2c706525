import SyncLock

/// What is said with the documents' own server, and with each other one that contents are read
/// from: each has its own waits, which hold over restarts.
final class FileTalks: Sendable {
  private let own: ServerTalk
  private let caller: TalkState.Caller
  private let others = Locked<[String: ServerTalk]>([:])

  /// Files are to travel for whoever wants the sync.
  init(_ own: ServerTalk, _ caller: TalkState.Caller) {
    (self.own, self.caller) = (own, caller)
  }

  /// How a server is talked to; the documents' own for `nil`.
  func talk(with server: String?) async throws -> ServerTalk {
    guard let server else { return own }
    if let known = others.withLock({ $0[server] }) { return known }
    let talk = try await ServerTalk(own.store, server: server, caller, seams: own.seams)
    return others.withLock { talks in
      let known = talks[server] ?? talk
      talks[server] = known
      return known
    }
  }
}

/// A server that only has contents of files doesn't give them just now.
struct FileServerTrouble: Error, Sendable, CustomStringConvertible {
  let server: String
  let reason: DocumentSyncError

  /// What is wrong, for a place behind a colon.
  var description: String {
    let why =
      switch reason {
      case .mustWait(let until): "that asked to be left alone until \(UnsentReason.time(until))"
      case .unreachable: "that can't be reached"
      case .inTrouble(let status): "that is in trouble (\(status))"
      case .unexpected(let status), .collection(_, let status, _):
        "that answers with status \(status)"
      case .unreadable(let words), .impossible(let words): words
      case .unauthorized, .readOnly: "that doesn't give it"
      }
    return "its content is at \(server): \(why)"
  }
}
