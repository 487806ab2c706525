package import DocumentSync

/// A way in which an endpoint doesn't do what those who sync with it expect.
public struct EndpointViolation: Sendable, Hashable {
  package var check: EndpointCheck
  package var id: DocumentID?
  package var problem: Problem

  /// What can be wrong with an endpoint; its sentence says more.
  package enum Problem: Sendable, Hashable {
    case fixtureFailed(String)
    case callFailed(String)
    case notListed
    case listedButGone
    case wrongContent
    case wrongVersion
    case versionUsedAgain
    case toldWithoutChange
    case endless
    case noCheckpoint
    case extentChanged
    case forgotTooSoon
    case noConflict(String)
    case refusedWithEffect
    case wrongShown
    case broughtBack
    case absenceNotTold(String)
    case secondEffect
    case answeredOtherwise(String)
    case noParts(String)
    case partMisjudged(String)
    case unreadableNotTold
    case unreadableTakenForAbsent
    case forgettingNotTold
    case revivalNotTold
    case foreign
    case untrueEnd
    case cancellationWrapped(String)
    case portalBelieved(String)
    case lossNotTold(String)
    case refusalNotTold(String)
    case wishNotHeard
    case answerNotKept
    case secretShown
  }
}

extension EndpointViolation: CustomStringConvertible {
  /// Check, document, what is wrong and what to mend.
  public var description: String {
    "[\(check.rawValue)]\(id.map { " \"\($0)\"" } ?? ""): \(problem)"
  }
}

extension EndpointViolation.Problem: CustomStringConvertible {
  /// A sentence that says what is wrong, and what to mend.
  public var description: String {
    let (wrong, mend) = sentence
    return mend.isEmpty ? wrong : "\(wrong); \(mend)"
  }

  private var sentence: (wrong: String, mend: String) {
    switch self {
    case .fixtureFailed, .callFailed: trouble
    case .notListed, .listedButGone, .toldWithoutChange, .endless, .noCheckpoint, .extentChanged,
      .forgotTooSoon, .unreadableNotTold, .unreadableTakenForAbsent, .forgettingNotTold,
      .revivalNotTold, .foreign:
      listing
    case .wrongContent, .wrongVersion, .versionUsedAgain: copying
    case .noConflict, .refusedWithEffect, .wrongShown, .broughtBack, .absenceNotTold,
      .secondEffect, .answeredOtherwise, .noParts, .partMisjudged:
      pushing
    case .portalBelieved, .lossNotTold, .refusalNotTold, .wishNotHeard: disturbed
    case .untrueEnd, .cancellationWrapped, .answerNotKept, .secretShown: calling
    }
  }

  private var trouble: (String, String) {
    switch self {
    case .fixtureFailed(let reason):
      ("the fixture failed, so this couldn't be checked: \(reason)", "mend the fixture")
    case .callFailed(let reason): ("a call that nothing disturbed came to this: \(reason)", "")
    default: ("", "")
    }
  }

  private var listing: (String, String) {
    switch self {
    case .notListed:
      (
        "the server has it and the list doesn't bring it",
        "list upwards by the moment of the change, and let the checkpoint be the last one told"
      )
    case .listedButGone:
      ("it isn't at the server and a list brings it, or leaves it", "tell deletions as such")
    case .toldWithoutChange:
      ("it is told under another version though nothing has changed", "take the server's version")
    case .endless: ("the list goes on and on", "the last page has no mark")
    case .noCheckpoint:
      (
        "a list ends without a checkpoint",
        "give one with its last page at least, or claim no changes"
      )
    case .extentChanged:
      ("one page speaks for changes and another one of the same list for everything", "")
    case .forgotTooSoon:
      ("a fresh checkpoint is said to mean nothing", "check how it's written and read")
    case .unreadableNotTold:
      ("it can't be read, and the list tells nothing of it", "tell it among the unreadable ones")
    case .unreadableTakenForAbsent:
      ("it can't be read, and is said not to be there", "answer with what can't be understood")
    case .forgettingNotTold:
      (
        "the server has forgotten everything, and its old checkpoint still counts",
        "write into the checkpoint by what that is noticed"
      )
    case .revivalNotTold:
      ("it was removed and made anew, and is told as a changed one", "or claim no revivals")
    case .foreign: ("it is in another collection", "ask for the one that is named")
    default: ("", "")
    }
  }

  private var copying: (String, String) {
    switch self {
    case .wrongContent:
      ("its content isn't the one that was sent", "send and take documents as they are written")
    case .wrongVersion:
      ("its version isn't the one that the push was answered with", "take both from one place")
    case .versionUsedAgain:
      ("it has changed, and its version hasn't", "take what changes with each change")
    default: ("", "")
    }
  }

  private var pushing: (String, String) {
    switch self {
    case .noConflict(let end):
      ("its condition wasn't met, and the answer was \(end)", "send the precondition along")
    case .refusedWithEffect: ("the request was refused, and has changed it", "")
    case .wrongShown: ("a conflict shows something else than the server has", "or show nothing")
    case .broughtBack: ("it was removed, and a change of it was taken", "or claim no preconditions")
    case .absenceNotTold(let end):
      ("it isn't there, and its removal was answered with \(end)", "answer 404 or 410")
    case .secondEffect: ("the same request had an effect twice", "send the key along")
    case .answeredOtherwise(let end):
      ("the same request was answered otherwise when it came again: \(end)", "")
    case .noParts(let end): ("a batch was answered with \(end)", "answer each part by itself")
    case .partMisjudged(let end):
      ("a part of a batch was answered with \(end)", "keep the parts in the order of sending")
    default: ("", "")
    }
  }

  private var disturbed: (String, String) {
    switch self {
    case .portalBelieved(let end):
      (
        "a page of HTML with status 200 was taken for \(end)",
        "take for an answer only what is one, and say that it can't be understood"
      )
    case .lossNotTold(let end):
      (
        "a request that was carried out and not answered ended with \(end)",
        "say that it was lost, unless nothing of it has left"
      )
    case .refusalNotTold(let end): ("a refusal was told as \(end)", "give on its status")
    case .wishNotHeard:
      ("the server asked to be left alone for a while, which isn't told", "read Retry-After")
    default: ("", "")
    }
  }

  private var calling: (String, String) {
    switch self {
    case .untrueEnd:
      ("the request is said not to have left, and was carried out", "say that it was lost")
    case .cancellationWrapped(let error):
      ("a cancelled call threw \(error)", "throw CancellationError itself")
    case .answerNotKept:
      ("a refusal comes without the server's answer", "put it into the notes of the reply")
    case .secretShown: ("a secret stands in what is kept of a call", "give it to EndpointCall")
    default: ("", "")
    }
  }
}
