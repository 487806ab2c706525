/// What is to be done where a document met the server's, what is lost by it, and by whose word.
package struct Decision: Sendable, Hashable {
  package let step: Step
  /// What gave way, to be kept apart.
  package let lost: [DocumentLoss]
  /// By whose word.
  package let basis: Basis

  init(_ step: Step, lost: [DocumentLoss] = [], by basis: Basis) {
    self.step = step
    self.lost = lost
    self.basis = basis
  }

  /// What is to be done with the copy here.
  package enum Step: Sendable, Hashable {
    /// Nothing: what waits to be sent goes on waiting, or is sent at last if it was in conflict.
    /// What the server said before counts no more, so that nobody decides for a copy that it
    /// doesn't have.
    case nothing
    /// Note another version of what is here already. Nobody needs to be told.
    case acknowledge(ServerCopy)
    /// Take the server's copy. An edit, if there was one, leaves the outbox.
    case apply(ServerCopy)
    /// Take the document away, and its edit out of the outbox.
    case remove
    /// Note the server's copy as what the edit stands on, and `body` as the edit. It is sent again,
    /// in its old place.
    case rebase(base: ServerCopy, body: DocumentValue)
    /// The edit is at the server: it leaves the outbox, and nobody needs to be told.
    case settle(ServerCopy)
    /// Send the document as a new one.
    case makeAgain(body: DocumentValue)
    /// Note the server's copy as the one that is to be deleted.
    case keepTombstone(base: ServerCopy)
    /// The deletion is at the server: it leaves the outbox.
    case dropTombstone
    /// Leave edit and copy beside each other until somebody decides. Nothing is sent.
    case park(DocumentConflict)
    /// As ``park(_:)``, since the edit was overtaken each time it was sent.
    case giveUp(DocumentConflict)
  }

  /// By whose word it was decided.
  package enum Basis: Sendable, Hashable {
    /// There was nothing to decide: one side at most had changed.
    case onlyOneSide
    /// What the server has was sent from here.
    case ownSend
    /// Both sides came to the same.
    case agreement
    /// What was sent gave way to what the server answered that it has stored.
    case answer
    /// A deletion here wins against everything.
    case deletion
    /// These policies were asked, and the last of them had the last word.
    case policies([ConflictPolicy.Name])
  }

  /// Whether somebody is to decide.
  var isOpen: Bool {
    switch step {
    case .park, .giveUp: true
    case .nothing, .acknowledge, .apply, .remove, .rebase, .settle, .makeAgain, .keepTombstone,
      .dropTombstone:
      false
    }
  }
}

/// An edit and a server's copy that wait for somebody to decide between them.
public struct DocumentConflict: Sendable, Hashable {
  /// The server's copy that was edited; `nil` if the document was made here.
  public let base: ServerCopy?
  /// What was made of it here.
  public let here: DocumentValue
  /// What the server has now; `nil` if it has no such document any more.
  public let there: ServerCopy?

  /// How somebody decided.
  public enum Resolution: Sendable, Hashable {
    /// The server's side stays.
    case there
    /// The edit stays, and is sent.
    case here
    /// Neither: this document is sent. Of both sides, what differs from it gives way.
    case document(DocumentValue)
  }

  /// What is to be done after somebody decided. Each side that isn't what is there from now on
  /// gives way, also to what somebody made of both: nobody knows what of it they took.
  package func decision(_ resolution: Resolution) -> Decision {
    switch resolution {
    case .there: decision(there.map { .apply($0) } ?? .remove, keeping: there?.value)
    case .here: decision(here)
    case .document(let document): decision(document)
    }
  }

  private func decision(_ document: DocumentValue) -> Decision {
    guard let there else { return decision(.makeAgain(body: document), keeping: document) }
    let isTheirs = document.hasSameContent(as: there.value)
    return decision(
      isTheirs ? .apply(there) : .rebase(base: there, body: document.joiningTimes(of: there.value)),
      keeping: document)
  }

  private func decision(_ step: Decision.Step, keeping kept: DocumentValue?) -> Decision {
    let sides = [(here, MergeSide.here)] + (there.map { [($0.value, MergeSide.there)] } ?? [])
    let lost = sides.filter { kept?.hasSameContent(as: $0.0) != true }
    return Decision(
      step, lost: lost.map { .whole($0.0, $0.1, .policy(.ask)) }, by: .policies([.ask]))
  }
}

/// A change that gave way to another one, so that it is nowhere any more but here.
public struct DocumentLoss: Sendable, Hashable {
  /// Why a change gave way.
  public enum Reason: Sendable, Hashable {
    /// A policy took the other side's.
    case policy(ConflictPolicy.Name)
    /// The other side deleted the document.
    case deletion
    /// The server forgot the document.
    case forgotten
    /// It was given up, so that the server's last value is here again.
    case resigned
    /// Something that had been lost before took its place.
    case restored
    /// The server answered that it took the change, and stored something else in its place.
    case answered
    /// Who signed in had a change of the same document, which stayed.
    case accountHadOne
  }

  /// Which member it was a change of.
  public let path: DocumentPath
  /// What the member was changed to; `nil` if it was removed.
  public let value: DocumentValue?
  /// Whose change it was.
  public let side: MergeSide
  /// Why it gave way.
  public let reason: Reason

  /// What of a document that was sent the server has stored otherwise, or hasn't: by member.
  ///
  /// Members of its own that the server adds are none of it, nor are those that it's said to write
  /// itself; neither is the type that it leaves out, since the collection says that.
  static func answered(
    _ copy: DocumentValue, to sent: DocumentValue, _ rules: MeetingRules
  ) -> [DocumentLoss] {
    sent.withoutTimes.objectMembers.compactMap { member in
      let path = DocumentPath(names: [member.text])
      let stored = copy[path]
      if stored == member.value || stored == nil && member.text == rules.typeMember
        || rules.serverOwned.contains(member.text)
      {
        return nil
      }
      return DocumentLoss(path: path, value: member.value, side: .here, reason: .answered)
    }
  }

  static func whole(
    _ document: DocumentValue, _ side: MergeSide, _ reason: Reason
  ) -> DocumentLoss {
    DocumentLoss(path: .whole, value: document.withoutTimes, side: side, reason: reason)
  }
}
