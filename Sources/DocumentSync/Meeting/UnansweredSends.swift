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
