/// A document that was made or changed here.
struct LocalEdit {
  /// What it was made of; `nil` if it is new.
  let base: ServerCopy?
  let body: DocumentValue
  let sent: UnansweredSends

  /// What to do where the server has nothing that somebody else made of it: its copy is still the
  /// base, or one that was sent from here; `nil` where somebody else did.
  /// - Parameter isRevived: Whether the copy is of another document than the base was.
  func meetsItself(_ copy: ServerCopy, isRevived: Bool = false) -> Decision? {
    let isAll = body.hasSameContent(as: copy.value)
    if let base, base.value.hasSameContent(as: copy.value),
      !isRevived || base.version == copy.version
    {
      if isAll { return Decision(.settle(copy), by: .onlyOneSide) }
      return Decision(base.version == copy.version ? .nothing : onto(copy), by: .onlyOneSide)
    }
    guard sent.contain(copy.value) else { return nil }
    return Decision(isAll ? .settle(copy) : onto(copy), by: .ownSend)
  }

  func onto(_ copy: ServerCopy) -> Decision.Step {
    .rebase(base: copy, body: body.joiningTimes(of: copy.value))
  }

  func step(for merged: DocumentValue, with copy: ServerCopy) -> Decision.Step {
    guard merged.hasSameContent(as: copy.value) else { return .rebase(base: copy, body: merged) }
    return body.hasSameContent(as: copy.value) ? .settle(copy) : .apply(copy)
  }

  var timed: TimedDocument { TimedDocument(value: body, time: base?.time) }
}

/// What was sent from here without an answer: nobody knows whether the server took it.
///
/// It is known by its sight. If the server turns out to have it, that was nobody else's change. It
/// is to be noted before it is sent, and may be forgotten once a later state of the server's is
/// known.
package struct UnansweredSends: Sendable, Hashable, ExpressibleByArrayLiteral {
  package var bodies: [DocumentValue]
  package var deletion: Bool

  package static let none: UnansweredSends = []

  package init(bodies: [DocumentValue] = [], deletion: Bool = false) {
    self.bodies = bodies
    self.deletion = deletion
  }

  package init(arrayLiteral bodies: DocumentValue...) {
    self.init(bodies: bodies)
  }

  func contain(_ value: DocumentValue) -> Bool {
    bodies.contains { $0.hasSameContent(as: value) }
  }
}
