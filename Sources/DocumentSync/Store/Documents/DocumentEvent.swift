/// Something that happened to a document, as it's told of its life.
package enum DocumentEvent: Sendable, Hashable {
  // What people did.
  /// It was made here.
  case made
  /// The server's copy of this version was edited; the first change that is still to be sent.
  case edited(DocumentVersion?)
  /// The filter of its collection doesn't let it through any more, so that its copy here went.
  case leftFilter
  /// It was saved again, so many times in a row.
  case saved(times: Int)
  /// It was stored without being sent, so many times in a row.
  case stashed(times: Int)
  /// It was deleted, which the server is to be told.
  case deleted
  /// Its copy here was taken away, which nobody was told.
  case takenAway
  /// The server's last value was saved again, so that nothing was left to be sent.
  case reverted
  /// Its change was given up: the server's last value is here again.
  case resigned
  /// What was set aside is to be tried again.
  case retried

  // What became of requests.
  /// The server was asked for this.
  case sent(SendKind)
  /// The server took it, and calls it so.
  case accepted(DocumentVersion)
  /// The server has it no more, as was wanted.
  case removedThere
  /// The server won't take it, for this reason.
  case refused(status: Int, words: String)
  /// No answer said whether the server took it, so many times in a row.
  case unanswered(times: Int)
  /// The server didn't take it just then, so many times in a row.
  case untaken(times: Int)
  /// The server turned out to have something else.
  case foundOther
  /// The server made its key, and it was called so before.
  case named(before: DocumentID)
  /// The server showed what had been sent without an answer, and calls it so.
  case recognised(DocumentVersion)

  // Where it met the server's.
  /// Something was decided.
  case met(DocumentMeetingEnd)
  /// What it was in conflict with isn't there any more.
  case conflictEnded
  /// It may not be read.
  case hidden
  /// It may be read again.
  case readable
  /// What was made of it before somebody signed in gave way to the account's own change.
  case takeoverGaveWay
}

package struct DocumentMeetingEnd: Sendable, Hashable {
  /// What was done.
  package enum Step: String, Sendable, Hashable, CaseIterable {
    /// The server's copy was taken.
    case applied
    /// The document was taken away here.
    case removed
    /// The change stands on the server's copy, and is sent again.
    case rebased
    /// The server has what is here: nothing is left to be sent.
    case settled
    /// It's sent as a new document.
    case madeAgain
    /// The server's copy is to be deleted.
    case deletesOther
    /// The deletion is at the server.
    case deletionDone
    /// Somebody is to decide.
    case parked
    /// It was overtaken too often: somebody is to decide.
    case gaveUp
  }

  /// What was done.
  package let step: Step
  /// By whose word.
  package let basis: Decision.Basis
  /// The server's name for what it had, if it had something.
  package let version: DocumentVersion?

  /// Whether a person decided, and no policy.
  package var isByPerson: Bool {
    basis == .policies([.ask]) && step != .parked && step != .gaveUp
  }
}

extension DocumentEvent {
  /// Whether what happens again and again is told once, with how often.
  var isRepeated: Bool {
    switch self {
    case .saved, .stashed, .unanswered, .untaken: true
    case .made, .edited, .deleted, .takenAway, .leftFilter, .reverted, .resigned, .retried, .sent,
      .accepted, .named, .removedThere, .refused, .foundOther, .recognised, .met, .conflictEnded,
      .hidden, .readable, .takeoverGaveWay:
      false
    }
  }
}
