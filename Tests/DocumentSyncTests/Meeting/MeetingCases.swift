@testable import DocumentSync

/// The documents of the table, each under one letter.
enum Letter: String, CaseIterable {
  /// What both sides started from, and what was made of it here.
  case B, E
  /// What somebody else made of it: of another member, of the same one.
  case O, C
  /// What was sent from here before, without an answer.
  case P
  /// Another document under the same id.
  case R
  /// Both changes united, and a document made here united with the other one.
  case M, U

  var value: DocumentValue {
    switch self {
    case .B: ["a": 1, "b": 1]
    case .E: ["a": 2, "b": 1, "_times": ["a": 15]]
    case .O: ["a": 1, "b": 2]
    case .C: ["a": 3, "b": 1]
    case .P: ["a": 7, "b": 1]
    case .R: ["z": 1]
    case .M: ["a": 2, "b": 2]
    case .U: ["z": 1, "a": 2, "b": 1]
    }
  }

  func copy(_ version: String, time: Int64) -> ServerCopy {
    ServerCopy(value: value, version: DocumentVersion(version), time: time)
  }

  static func name(_ value: DocumentValue?) -> String {
    guard let value else { return "none" }
    return allCases.first { $0.value.hasSameContent(as: value) }?.rawValue
      ?? value.withoutTimes.text
  }
}

/// Every state of a document here that makes a difference.
enum HereCase: String, CaseIterable {
  case nothing, synced, created, createdAndSent, edited, editedAndSent, editedAfterSentDeletion
  case deleted, deletedAndSent, deletedButMadeHere

  var state: Meeting.Here {
    let base = Letter.B.copy("1", time: 10)
    let (body, sent) = (Letter.E.value, UnansweredSends(bodies: [Letter.P.value]))
    return switch self {
    case .nothing: .nothing
    case .synced: .synced(base)
    case .created: .created(body: body, sent: .none)
    case .createdAndSent: .created(body: body, sent: sent)
    case .edited: .edited(base: base, body: body, sent: .none)
    case .editedAndSent: .edited(base: base, body: body, sent: sent)
    case .editedAfterSentDeletion:
      .edited(base: base, body: body, sent: UnansweredSends(deletion: true))
    case .deleted: .deleted(base: base, sent: .none)
    case .deletedAndSent: .deleted(base: base, sent: sent)
    case .deletedButMadeHere: .deleted(base: nil, sent: sent)
    }
  }
}

/// Everything that a server may say of it.
enum ThereCase: String, CaseIterable {
  /// The copy that is known, under its version and under another one.
  case known, renewed
  case other, clashing
  /// The very document that was made here, and the one that was sent.
  case equal, sent
  case revived, revivedAlike, revivedEqual, revivedAsSent, deleted, forgotten

  var state: DocumentState {
    switch self {
    case .known: .present(Letter.B.copy("1", time: 10))
    case .renewed: .present(Letter.B.copy("2", time: 20))
    case .other: .present(Letter.O.copy("2", time: 20))
    case .clashing: .present(Letter.C.copy("2", time: 20))
    case .equal:
      .present(
        ServerCopy(value: Letter.E.value.withoutTimes, version: DocumentVersion("2"), time: 20))
    case .sent: .present(Letter.P.copy("2", time: 20))
    case .revived: .revived(Letter.R.copy("2", time: 20))
    case .revivedAlike: .revived(Letter.B.copy("2", time: 20))
    case .revivedEqual: .revived(Letter.E.copy("2", time: 20))
    case .revivedAsSent: .revived(Letter.P.copy("2", time: 20))
    case .deleted: .deleted(nil)
    case .forgotten: .forgotten
    }
  }
}

/// Every policy, in the order of the table's columns.
enum PolicyCase: String, CaseIterable {
  case server, local, tired, merge, latest, ask

  var policies: [ConflictPolicy] {
    switch self {
    case .server: []
    case .local, .tired: [.localWins(atMost: 3)]
    case .merge: [.merge]
    case .latest: [.latest]
    case .ask: [.ask]
    }
  }

  var rounds: Int { self == .tired ? 3 : 2 }
}

extension Decision {
  /// The decision as the table tells it: `rebase M on O by merge − here a=2`.
  var told: String {
    [step.told, reasons].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// By whose word, and what is lost.
  var reasons: String {
    ([basis.told] + lost.map(\.told)).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension Decision.Step {
  fileprivate var told: String {
    func told(_ copy: ServerCopy) -> String { Letter.name(copy.value) + copy.version.text }
    return switch self {
    case .nothing: "nothing"
    case .acknowledge(let copy): "acknowledge \(told(copy))"
    case .apply(let copy): "apply \(told(copy))"
    case .remove: "remove"
    case .rebase(let base, let body): "rebase \(Letter.name(body)) on \(told(base))"
    case .settle(let copy): "settle \(told(copy))"
    case .makeAgain(let body): "make \(Letter.name(body)) again"
    case .keepTombstone(let base): "keep tombstone of \(told(base))"
    case .dropTombstone: "drop tombstone"
    case .park(let conflict): "park \(Self.told(conflict))"
    case .giveUp(let conflict): "give up \(Self.told(conflict))"
    }
  }

  private static func told(_ conflict: DocumentConflict) -> String {
    [conflict.base?.value, conflict.here, conflict.there?.value].map { Letter.name($0) }
      .joined(separator: "/")
  }
}

extension Decision.Basis {
  fileprivate var told: String {
    switch self {
    case .onlyOneSide: ""
    case .ownSend: "by own send"
    case .agreement: "by agreement"
    case .answer: "by answer"
    case .deletion: "by deletion"
    case .policies(let names): "by " + names.map { "\($0)" }.joined(separator: "+")
    }
  }
}

extension DocumentLoss {
  fileprivate var told: String {
    let value = path == .whole ? Letter.name(value) : "\(path)=\(value?.text ?? "none")"
    return switch reason {
    case .policy: "− \(side) \(value)"
    case .deletion: "− \(side) \(value) deleted"
    case .forgotten: "− \(side) \(value) forgotten"
    case .resigned, .restored, .answered, .accountHadOne:
      "− \(side) \(value) outside of any meeting"
    }
  }
}
