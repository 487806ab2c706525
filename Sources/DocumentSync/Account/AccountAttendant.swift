/// Who syncs under an account, and has to be told when that becomes another one.
///
/// An ``Account`` calls it: one call at a time, but for `syncIsWanted()`.
package protocol AccountAttendant: AnyObject, Sendable {
  /// Somebody signed in: what waits for that is to be sent soon. Returns at once.
  func syncIsWanted()

  /// Somebody of that name wants to sign in. Throws ``AccountProblem/unsentEdits(_:)`` if that
  /// can't be.
  @concurrent func mayBecome(_ name: String, _ unsent: UnsentEdits) async throws

  /// The service knows that name: what is under way is ended, and what another account left is
  /// dealt with, in one transaction. Throws ``AccountProblem/unsentEdits(_:)`` if that can't be.
  @concurrent func willBecome(_ name: String, _ unsent: UnsentEdits) async throws

  /// Somebody signs out: what is under way is ended, and what is known of the server's lists counts
  /// no more.
  @concurrent func willLeave(_ name: String) async throws
}
