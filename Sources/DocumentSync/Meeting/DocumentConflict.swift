/// An edit and a server's copy that wait for somebody to decide between them.
public struct DocumentConflict: Sendable, Hashable {
  /// The server's copy that was edited; `nil` if the document was made here.
  public let base: ServerCopy?
  /// What was made of it here.
  public let here: DocumentValue
  /// What the server has now; `nil` if it has no such document any more.
  public let there: ServerCopy?

  /// An edit and a server's copy.
  public init(base: ServerCopy?, here: DocumentValue, there: ServerCopy?) {
    self.base = base
    self.here = here
    self.there = there
  }

  /// How somebody decided.
  public enum Resolution: Sendable, Hashable {
    /// The server's side stays.
    case there
    /// The edit stays, and is sent.
    case here
    /// Neither: this document is sent. It is what somebody made of both.
    case document(DocumentValue)
  }

  /// What is to be done after somebody decided. A document that somebody made of both loses
  /// neither.
  package func decision(_ resolution: Resolution) -> Decision {
    let reason = DocumentLoss.Reason.policy(.ask)
    switch (resolution, there) {
    case (.there, let there?):
      return Decision(.apply(there), lost: [.whole(here, .here, reason)], by: .policies([.ask]))
    case (.there, nil):
      return Decision(.remove, lost: [.whole(here, .here, reason)], by: .policies([.ask]))
    case (.here, let there?):
      return Decision(
        .rebase(base: there, body: here.joiningTimes(of: there.value)),
        lost: [.whole(there.value, .there, reason)], by: .policies([.ask]))
    case (.document(let document), let there?):
      let step: Decision.Step =
        document.hasSameContent(as: there.value)
        ? .apply(there) : .rebase(base: there, body: document.joiningTimes(of: there.value))
      return Decision(step, by: .policies([.ask]))
    case (.here, nil):
      return Decision(.makeAgain(body: here), by: .policies([.ask]))
    case (.document(let document), nil):
      return Decision(.makeAgain(body: document), by: .policies([.ask]))
    }
  }
}
