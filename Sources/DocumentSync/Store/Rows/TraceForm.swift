/// How something that happened to a document is written.
struct TraceForm: Sendable, Equatable {
  /// What is written of a request that began.
  static let sent = "sent"

  /// What has no details, by how it's written.
  private static let plain: [String: DocumentEvent] = [
    "made": .made, "deleted": .deleted, "takenAway": .takenAway,
    "leftFilter": .leftFilter, "reverted": .reverted, "resigned": .resigned, "retried": .retried,
    "removedThere": .removedThere,
    "foundOther": .foundOther, "conflictEnded": .conflictEnded, "hidden": .hidden,
    "readable": .readable, "takeoverGaveWay": .takeoverGaveWay,
  ]

  /// What happened, without its details.
  var what: String
  /// The server's name for what it's about.
  var version: DocumentVersion?
  /// What was said, or by whose word.
  var words: String?
  /// A status, or how often.
  var number: Int64?

  /// What is written for something that happened.
  init(_ event: DocumentEvent) {
    switch event {
    case .edited(let base): self.init(what: "edited", version: base)
    case .saved(let times): self.init(what: "saved", times: times)
    case .stashed(let times): self.init(what: "stashed", times: times)
    case .sent(let kind): self.init(what: Self.sent, version: kind.version, words: kind.word)
    case .accepted(let version): self.init(what: "accepted", version: version)
    case .named(let before): self.init(what: "named", words: before.text)
    case .refused(let status, let words):
      self.init(what: "refused", words: words, number: Int64(status))
    case .unanswered(let times): self.init(what: "unanswered", times: times)
    case .untaken(let times): self.init(what: "untaken", times: times)
    case .recognised(let version): self.init(what: "recognised", version: version)
    case .made, .deleted, .takenAway, .leftFilter, .reverted, .resigned, .retried, .removedThere,
      .foundOther, .conflictEnded, .hidden, .readable, .takeoverGaveWay:
      self.init(what: Self.plain.first { $0.value == event }?.key ?? "")
    case .met(let end):
      self.init(what: end.step.rawValue, version: end.version, words: end.basis.words)
    }
  }

  /// What a row holds.
  init(
    what: String, version: DocumentVersion? = nil, words: String? = nil, number: Int64? = nil
  ) {
    (self.what, self.version, self.words, self.number) = (what, version, words, number)
  }

  private init(what: String, times: Int) {
    self.init(what: what, number: times == 1 ? nil : Int64(times))
  }

  /// What happened; `nil` where a program wrote it that knows more.
  var event: DocumentEvent? {
    switch what {
    case "edited": .edited(version)
    case "saved": .saved(times: times)
    case "stashed": .stashed(times: times)
    case Self.sent: SendKind(word: words ?? "", version).map { .sent($0) }
    case "accepted": version.map { .accepted($0) }
    case "named": words.map { .named(before: DocumentID($0)) }
    case "refused": .refused(status: Int(clamping: number ?? 0), words: words ?? "")
    case "unanswered": .unanswered(times: times)
    case "untaken": .untaken(times: times)
    case "recognised": version.map { .recognised($0) }
    default: Self.plain[what] ?? meeting.map { .met($0) }
    }
  }

  private var times: Int { Int(clamping: number ?? 1) }

  private var meeting: DocumentMeetingEnd? {
    guard let step = DocumentMeetingEnd.Step(rawValue: what),
      let basis = Decision.Basis(words: words ?? "")
    else { return nil }
    return DocumentMeetingEnd(step: step, basis: basis, version: version)
  }
}

extension SendKind {
  fileprivate var version: DocumentVersion? {
    switch self {
    case .create, .look: nil
    case .update(let base), .delete(let base): base
    }
  }

  fileprivate var word: String {
    switch self {
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    case .look: "look"
    }
  }

  fileprivate init?(word: String, _ version: DocumentVersion?) {
    switch (word, version) {
    case ("create", nil): self = .create
    case ("update", let base?): self = .update(base)
    case ("delete", let base?): self = .delete(base)
    case ("look", nil): self = .look
    default: return nil
    }
  }
}

extension Decision.Basis {
  fileprivate var words: String? {
    switch self {
    case .onlyOneSide: nil
    case .ownSend: "own send"
    case .agreement: "agreement"
    case .answer: "answer"
    case .deletion: "deletion"
    case .policies(let names): names.map(\.text).joined(separator: ", ")
    }
  }

  fileprivate init?(words: String) {
    switch words {
    case "": self = .onlyOneSide
    case "own send": self = .ownSend
    case "agreement": self = .agreement
    case "answer": self = .answer
    case "deletion": self = .deletion
    default:
      let words = words.split(separator: ", ")
      let names = words.compactMap { ConflictPolicy.Name(text: String($0)) }
      guard names.count == words.count else { return nil }
      self = .policies(names)
    }
  }
}
