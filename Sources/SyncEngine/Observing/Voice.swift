/// How a synchronizer speaks beside its streams. The engine alone is silent; who makes a
/// synchronizer gives it a voice that the system has.
package struct Voice: Sendable {
  /// What an error says to people, in a status.
  package var wording: @Sendable (any Error) -> String
  /// Whether an error of the system's says nothing but that a call was cancelled.
  package var isCancellation: @Sendable (any Error) -> Bool
  /// Told when a run starts and when it ends, in this order, with the run's number.
  package var announce:
    @Sendable (_ synchronizer: any AnyObject & Sendable, _ isSyncing: Bool, _ run: Int) -> Void

  /// A voice of these.
  package init(
    wording: @escaping @Sendable (any Error) -> String,
    isCancellation: @escaping @Sendable (any Error) -> Bool = { _ in false },
    announce:
      @escaping @Sendable (
        _ synchronizer: any AnyObject & Sendable, _ isSyncing: Bool, _ run: Int
      ) -> Void
  ) {
    (self.wording, self.isCancellation, self.announce) = (wording, isCancellation, announce)
  }

  /// Errors say what they are described as, and runs are told nobody but who reads the streams.
  package static let silent = Voice(wording: { "\($0)" }, announce: { _, _, _ in })
}
