public import DocumentSync

/// A way in which an endpoint doesn't do what those who sync with it expect.
public struct EndpointViolation: Sendable, Hashable {
  /// What was checked.
  public var check: EndpointCheck
  /// Which document it is about; `nil` when it isn't about one.
  public var id: DocumentID?
  /// What is wrong.
  public var problem: Problem

  /// What can be wrong with an endpoint.
  public enum Problem: Sendable, Hashable {
    /// The fixture threw this error, so the check couldn't be made.
    case fixtureFailed(String)
    /// A call that nothing disturbed had no answer, or was refused.
    case callFailed(String)
    /// A list doesn't name a document that the server has.
    case notListed
    /// A list names a document that was never there, or isn't any more.
    case listedButGone
    /// A document came back with another content.
    case wrongContent
    /// A document came back under another version than the one that was answered.
    case wrongVersion
    /// A change has the version of an earlier state.
    case versionUsedAgain
    /// A document is told with another version, though nothing has changed.
    case toldWithoutChange
    /// A list goes on and on.
    case endless
    /// A list by an endpoint that tells changes ends without a checkpoint.
    case noCheckpoint
    /// The pages of a list speak for different things.
    case extentChanged
    /// A fresh checkpoint, or mark, is said to mean nothing.
    case forgotTooSoon
    /// A request whose condition wasn't met isn't answered with a conflict, but so.
    case noConflict(String)
    /// A request that was refused has changed the document.
    case refusedWithEffect
    /// What a conflict shows isn't what the server has.
    case wrongShown
    /// A change of a document that isn't there was taken.
    case broughtBack
    /// The removal of what isn't there is answered so.
    case absenceNotTold(String)
    /// A request that was sent again had an effect of its own.
    case secondEffect
    /// A request that was sent again is answered otherwise.
    case answeredOtherwise(String)
    /// A batch isn't answered part by part, but so.
    case noParts(String)
    /// A part of a batch has not the answer that it would have had alone, but this one.
    case partMisjudged(String)
    /// A document that can't be read isn't told.
    case unreadableNotTold
    /// A document that can't be read is said not to be there.
    case unreadableTakenForAbsent
    /// The checkpoint of a server that forgot everything is taken for a good one.
    case forgettingNotTold
    /// A document that was made anew is told as a changed one.
    case revivalNotTold
    /// A document of another collection is told.
    case foreign
    /// A request that is said not to have left was carried out.
    case untrueEnd
    /// A cancelled call throws something else than `CancellationError`.
    case cancellationWrapped(String)
    /// A page that isn't the server's is taken for this.
    case portalBelieved(String)
    /// A request that was carried out, and not answered, ends with this.
    case lossNotTold(String)
    /// A refusal is told as this.
    case refusalNotTold(String)
    /// How long a server wants to be left alone isn't told.
    case wishNotHeard
    /// A refusal comes without the server's answer, or with another one.
    case answerNotKept
    /// A secret stands in what is kept of a call.
    case secretShown
  }
}

extension EndpointViolation: CustomStringConvertible {
  /// Check, document, what is wrong and what to mend.
  public var description: String {
    "[\(check.rawValue)]\(id.map { " \"\($0)\"" } ?? ""): \(problem)"
  }
}
