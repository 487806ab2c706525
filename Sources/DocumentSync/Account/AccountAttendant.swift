/// Who syncs under an account, and has to be told when that becomes another one.
///
/// An ``Account`` calls it, from several tasks at once but for ``becomes(_:_:then:)`` and
/// ``isKnown(as:then:)``. What is called from a closure that is a part of a sync waits for the end
/// of no sync.
package protocol AccountAttendant: AnyObject, Sendable {
  /// Somebody signed in: what waits for that is to be sent soon. Returns at once.
  func syncIsWanted()

  /// Somebody of that name wants to sign in. Throws ``AccountProblem/unsentEdits(_:)`` if that
  /// can't be.
  @concurrent func mayBecome(_ name: String, _ unsent: UnsentEdits) async throws

  /// Somebody is about to take over: what is under way is ended.
  @concurrent func endSyncs() async

  /// Somebody of that name takes over: what another account left is dealt with, and what was here
  /// before anybody signed in becomes theirs, in one transaction, at whose end `enter` says that
  /// they did. What it throws undoes all of it.
  ///
  /// - Returns: whether it was done: not where a sync has begun meanwhile.
  /// - Throws: ``AccountProblem/unsentEdits(_:)`` if it can't be.
  @concurrent func becomes(
    _ name: String, _ unsent: UnsentEdits, then enter: @escaping @Sendable () throws -> Void
  ) async throws -> Bool

  /// Who is signed in has become known, and `enter` says so: what was here before anybody was
  /// known is theirs, at the latest with the next sync, where another process syncs just now.
  ///
  /// - Returns: whether it was done: not where a sync is under way that doesn't know it.
  @concurrent func isKnown(
    as name: String, then enter: @escaping @Sendable () -> Void
  ) async throws -> Bool

  /// Somebody signs out: what is under way is ended, and what is known of the server's lists counts
  /// no more.
  @concurrent func willLeave(_ name: String) async throws

  /// Nobody is signed in any more. Returns at once.
  func hasLeft()
}
