private import SyncText

extension DocumentEvent {
  /// What happened, in words that begin lower-case.
  var sentence: String {
    switch self {
    case .made: "it was made here"
    case .edited(let base):
      "it was edited here\(Self.version(base, ", over the server's version "))"
    case .saved(let times): "it was saved here again\(Self.often(times))"
    case .stashed(let times): "it was stored here without being sent\(Self.often(times))"
    case .deleted: "it was deleted here"
    case .takenAway: "its copy here was taken away"
    case .leftFilter:
      "the collection's filter didn't let it through any more, and its copy here was taken away;"
        + " it may be at the server"
    case .reverted: "the server's value was stored again, and nothing was left to be sent"
    case .resigned: "the change was given up for what the server has"
    case .retried: "somebody wanted it to be tried again"
    case .sent(let kind): "the server was asked to \(kind.sentence)"
    case .accepted(let version): "the server took it\(Self.version(version, " as version "))"
    case .named(let before):
      "the server made its key; until then it was '\(ByteString.escape(before.text))'"
    case .removedThere: "the server has removed it"
    case .refused(let status, let words):
      Refusal(status: status, words: ByteString.escape(words)).sentence
    case .unanswered(let times):
      "no answer said whether the server took it\(Self.often(times))"
    case .untaken(let times): "the server didn't take it just then\(Self.often(times))"
    case .foundOther: "the server turned out to have something else"
    case .recognised(let version):
      "the server showed that it had taken it\(Self.version(version, ", as version "))"
    case .met(let end): end.sentence
    case .conflictEnded: "what it was in conflict with isn't there any more"
    case .hidden: "it may not be read any more"
    case .readable: "it may be read again"
    case .takeoverGaveWay:
      "somebody signed in, and what another had made of it gave way to the account's own change"
    }
  }

  private static func often(_ times: Int) -> String { times == 1 ? "" : ", \(times) times" }

  fileprivate static func version(_ version: DocumentVersion?, _ before: String) -> String {
    version.map { before + ByteString.escape($0.text) } ?? ""
  }
}

extension SendKind {
  fileprivate var sentence: String {
    switch self {
    case .create: "store it as a new document"
    case .update(let base): "store it in the place of version \(ByteString.escape(base.text))"
    case .delete(let base): "remove version \(ByteString.escape(base.text))"
    case .look: "show what it has"
    }
  }
}

extension DocumentMeetingEnd {
  fileprivate var sentence: String {
    let version = DocumentEvent.version(version, " ")
    let what =
      switch step {
      case .applied: "the server's version\(version) was taken"
      case .removed: "it was removed, as at the server"
      case .rebased: "the change was put on the server's version\(version), to be sent again"
      case .settled: "the server's version\(version) says the same as what was here"
      case .madeAgain: "it's sent as a new document, since the server has none"
      case .deletesOther: "the server's version\(version) is to be removed, too"
      case .deletionDone: "the deletion is at the server"
      case .parked: "it was left in conflict with the server's version\(version)"
      case .gaveUp: "it was overtaken too often, and left in conflict with version\(version)"
      }
    return what + (isByPerson ? ", as somebody decided" : basis.sentence)
  }
}

extension Decision.Basis {
  /// By whose word, behind what was done.
  fileprivate var sentence: String {
    switch self {
    case .onlyOneSide, .agreement: ""
    case .answer: ", which is another one than it was sent"
    case .ownSend: ", which had been sent from here"
    case .deletion: ": of a change and a deletion in conflict, the deletion wins"
    case .policies(let names):
      ", as the policy for conflicts says: \(names.map(\.words).joined(separator: ", then "))"
    }
  }
}
