/// What is asked of a server for an entry, with all that makes it safe to be asked twice.
struct SendOrder: Sendable, Equatable {
  /// What is asked, and on what condition.
  typealias Kind = SendKind

  /// Which content is sent.
  let revision: Revision
  let kind: Kind

  /// The same for each try of this revision, and of no other; `nil` for what changes nothing.
  ///
  /// - Parameter store: what no other store is called.
  func idempotencyKey(ofStore store: String) -> String? {
    kind == .look ? nil : "\(store)-\(revision.number)"
  }
}
