private import SyncText

/// How it stands with a document.
public struct DocumentStatus: Sendable, Equatable {
  /// What is here, beside what the server had last.
  public enum State: String, Sendable {
    /// The same.
    case synced
    /// Something that no server is known to have.
    case created
    /// Something else.
    case edited
    /// Nothing any more.
    case deleted
  }

  /// What keeps a change from being sent.
  public enum Problem: String, Sendable {
    /// Somebody is to decide between it and the server's.
    case conflict
    /// The server won't take it.
    case rejected
    /// Something else.
    case other
  }

  /// What is here.
  public let state: State
  /// What is wrong with it, if anything is.
  public let problem: Problem?
  /// Whether something of it is to be sent.
  public let isPending: Bool
  /// The server's name for its copy, if that has one.
  public let version: DocumentVersion?
  /// The server's own words, where it refused.
  public let words: String?
  /// Why it isn't at the server as it is here, for a place behind a colon; `nil` if it is.
  public var sentence: String? { reason?.description }
  package let reason: UnsentReason?
  /// The documents that it waits for and that aren't known here.
  public var missing: [DocumentID] {
    guard case .waits(let others) = reason else { return [] }
    return others.filter { $0.value == .unknown }.keys.sorted()
  }

  /// How it stands with a document that is known.
  init(_ document: StoredDocument, _ reason: UnsentReason? = nil) {
    self.reason = reason
    state =
      if document.body == nil {
        .deleted
      } else if document.base == nil {
        .created
      } else {
        document.isSynced ? .synced : .edited
      }
    isPending = document.entry != nil
    version = document.base?.version
    (problem, words) =
      switch document.entry?.phase {
      case .setAside(.refused(let refusal)): (.rejected, refusal.words)
      case .setAside(.madeAs), .setAside(.mayBeMade), .setAside(.unknownForm): (.other, nil)
      case .waiting, .sending, .contested, .parked, .setAside(.outrun), nil:
        (document.isInConflict ? .conflict : nil, nil)
      }
  }
}

/// Why a change isn't at the server yet.
package enum UnsentReason: Sendable, Hashable {
  /// It's sent when its turn comes; so many sends of it came to nothing, the last by this trouble,
  /// if that is known.
  case isToBeSent(tries: Int, after: Trouble? = nil)
  /// A request with it is under way.
  case isUnderWay
  /// It was stored without being sent.
  case isStashed
  /// The server has it no more, and so many would have gone here at once that none did.
  case isHeldBack
  /// The collection's filter doesn't let it through any more, and as many would have gone here.
  case isOutsideFilter
  /// It waits for others' success; what they wait for themselves.
  case waits(for: [DocumentID: Predecessor])
  /// The server has something else, or didn't show what it has: that comes with the next pull.
  case wasOvertaken
  /// The server may have made it, and no answer says so: a pull looks for it before another send.
  case mayBeMade
  /// Somebody is to decide between it and the server's.
  case isInConflict
  /// Others were faster each time, so many times in a row: somebody is to decide.
  case wasOutrun(rounds: Int)
  /// The server won't take it, and says so.
  case isRefused(status: Int, words: String)
  /// The service made a document of it, under this key of its own.
  case isMadeAs(DocumentID)
  /// The server may have made it, and nothing can tell whether it did.
  case cannotBeFound
  /// It's deleted here, the server may have made it before, and nothing can tell whether it did.
  case deletionCannotBeFound
  /// Another version of the program wrote it, in a form that isn't known here.
  case isUnknown
  /// The server is in trouble, and is tried again at that time, in milliseconds since 1970.
  case backsOff(until: Int64)
  /// The server asked to be left alone until that time, in milliseconds since 1970.
  case serverAsked(until: Int64)
}

extension UnsentReason: CustomStringConvertible {
  /// The reason, for a place behind a colon.
  package var description: String {
    switch self {
    case .isToBeSent(0, _): "it's sent with the next sync"
    case .isToBeSent(_, let trouble?): trouble.sentence
    case .isToBeSent(let tries, nil):
      "it's sent with the next sync; \(tries) \(tries == 1 ? "try" : "tries") came to nothing"
    case .isUnderWay: "it's being sent, or the last sync was cut off while it was"
    case .isStashed: "it was stored without being sent"
    case .isHeldBack:
      "the server has it no more, and so many would have been removed at once that none was"
    case .isOutsideFilter:
      "the filter doesn't let it through any more, and so many would have been removed here at once"
        + " that none was"
    case .waits(let others): "it waits for \(Self.list(others))"
    case .wasOvertaken: "the server has something else, or none that it shows; the next sync asks"
    case .mayBeMade:
      "no answer says that it was made; it waits until a sync that receives finds out whether it"
        + " was, or until it's tried again on demand"
    case .isInConflict: "it's in conflict with the server's, and somebody is to decide"
    case .wasOutrun(let rounds):
      "others changed it each time it was sent, \(rounds) times in a row; somebody is to decide"
    case .isRefused(let status, let words):
      Refusal(status: status, words: ByteString.escape(words)).sentence
    case .isMadeAs(let key): Self.madeAs(key)
    case .cannotBeFound:
      "no answer says that it was made, and nothing that the service shows tells whether it was;"
        + " it's sent again on demand only, which may make another one"
    case .deletionCannotBeFound:
      "it's deleted here; no answer says that it had been made, and nothing that the service shows"
        + " tells whether it was: if it's there, delete it there, and give the change up here"
    case .isUnknown: "another version of this program wrote it, in a form that isn't known here"
    case .backsOff(let until):
      "the server is in trouble, and left alone until \(Self.time(until)); a sync from then on"
        + " tries it again"
    case .serverAsked(let until):
      "the server asked to be left alone until \(Self.time(until))"
    }
  }

  /// What somebody is to do where a service makes its keys itself.
  static func madeAs(_ key: DocumentID) -> String {
    let name = ByteString.escape(key.text)
    return "the service makes its keys itself, and made '\(name)' of it; declare that of its"
      + " collection, as with RestDialect(serverKeys:), and it's '\(name)' from the next sync on;"
      + " or delete it here, and '\(name)' comes; it isn't sent again unless it's tried again on"
      + " demand, which makes another one"
  }

  private static func list(_ others: [DocumentID: Predecessor]) -> String {
    others.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
  }

  /// A time as people read it.
  static func time(_ milliseconds: Int64) -> String {
    Timestamp(milliseconds: milliseconds)?.text ?? "\(milliseconds) ms after 1970 began"
  }
}

extension Trouble {
  /// What it means for what was sent, for a place behind a colon: a sync and a look say the same.
  var sentence: String {
    let what =
      switch self {
      case .status(let status): "the server is in trouble (\(status))"
      case .unreadable: "the server's answer can't be understood"
      case .lost: "no answer came"
      case .unreachable: "no server was reached"
      }
    return what + "; it waits, and a later sync tries it again"
  }
}

extension EndpointCall {
  /// What of it is trouble that may pass; `nil` if it's none.
  var trouble: Trouble? {
    switch status {
    case nil: .lost
    case (200...299)?: .unreadable
    case 408, 425, 429, (500...599)?: status.map { .status($0) }
    default: nil
    }
  }
}

extension Predecessor: CustomStringConvertible {
  /// What holds it up itself.
  package var description: String {
    switch self {
    case .unknown: "not known here"
    case .unsent: "not sent yet"
    case .setAside: "set aside"
    case .inConflict: "in conflict"
    case .synced: "at the server"
    case .deleted: "deleted"
    }
  }
}
