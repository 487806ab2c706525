public import SyncEssentials

/// Why a sync of documents didn't do its work. Nothing is lost by any of them: what was to be sent
/// stays in the outbox.
public enum DocumentSyncError: Error, Sendable, Hashable {
  /// No server was reached, or no answer came.
  case unreachable
  /// The server has trouble that may pass; with the status of HTTP that it answered with.
  case inTrouble(status: Int)
  /// The server is left alone until then: it was in trouble, or asked for it.
  case mustWait(until: Date)
  /// The credentials are missing or don't count (any more).
  case unauthorized
  /// A collection isn't there, or isn't ours, in the server's own words.
  case collection(String, status: Int, words: String)
  /// The server takes no changes for now, and some wait to be sent.
  case readOnly
  /// An answer that no such request gets: it isn't the server that we think it is.
  case unexpected(status: Int)
  /// What came can't be understood, for this reason.
  case unreadable(String)
  /// No request can be made as things are, for this reason.
  case impossible(String)
}

extension DocumentSyncError {
  /// The server is left alone until then, in milliseconds since 1970.
  static func mustWait(until milliseconds: Int64) -> DocumentSyncError {
    .mustWait(until: Date(milliseconds: milliseconds))
  }

  /// Whether no other collection of the server would fare better.
  var isOfServer: Bool {
    switch self {
    case .collection, .readOnly: false
    case .unreachable, .inTrouble, .mustWait, .unauthorized, .unexpected, .unreadable, .impossible:
      true
    }
  }

  /// Whether a later sync may fare better without anybody doing anything.
  var mayPass: Bool {
    switch self {
    case .unreachable, .inTrouble, .mustWait, .readOnly, .unreadable: true
    case .unauthorized, .collection, .unexpected, .impossible: false
    }
  }

  init(_ error: EndpointError, in collection: String) {
    switch error.reason {
    case .refused(401, _, _), .refused(407, _, _): self = .unauthorized
    case .refused(let status, let words, _) where [403, 404, 410].contains(status):
      self = .collection(collection, status: status, words: words)
    case .refused(let status, _, _) where [408, 425, 429].contains(status) || status >= 500:
      self = .inTrouble(status: status)
    case .refused(let status, _, _): self = .unexpected(status: status)
    case .unreadable(let why): self = .unreadable(why)
    case .lost, .unreachable: self = .unreachable
    case .impossible(let why): self = .impossible(why)
    }
  }

  /// What trouble means for a sync that met it too often.
  init(_ trouble: Trouble) {
    switch trouble {
    case .status(let status): self = .inTrouble(status: status)
    case .unreadable: self = .unreadable("it isn't what such a server says")
    case .lost, .unreachable: self = .unreachable
    }
  }

  /// Why nothing more is sent.
  init(_ reason: StopReason, in collection: String) {
    switch reason {
    case .unauthorized: self = .unauthorized
    case .collection(let refusal):
      self = .collection(collection, status: refusal.status, words: refusal.words)
    case .unexpected(let status): self = .unexpected(status: status)
    case .impossible: self = .impossible("its address or its certificate is wrong")
    }
  }
}

extension DocumentSyncError: CustomStringConvertible {
  /// What happened, for a place behind a colon.
  public var description: String {
    switch self {
    case .unreachable:
      "the server can't be reached; what is to be sent waits"
    case .inTrouble(let status):
      "the server is in trouble (\(status)); what is to be sent waits"
    case .mustWait: "the server is left alone for a while, as it was in trouble or asked for it"
    case .unauthorized: "the server doesn't accept the credentials; sign in again"
    case .collection(let name, let status, let words):
      (name.isEmpty ? "the server" : "the collection \(name)")
        + " can't be used (\(status))" + (words.isEmpty ? "" : ": \(words)")
    case .readOnly: "the server takes no changes for now; what is to be sent waits"
    case .unexpected(let status):
      "the server answered what no such server answers (\(status)); look at its address"
    case .unreadable(let why): "the server's answer can't be understood: \(why)"
    case .impossible(let why): "no request can be made: \(why)"
    }
  }
}
