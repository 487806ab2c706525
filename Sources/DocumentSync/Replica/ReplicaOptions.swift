@_exported public import struct SyncDatabase.DatabaseError
public import SyncEngine
@_exported public import enum SyncEngine.RemovalLimit

/// What a replica is a copy of, and how it is kept.
public struct ReplicaOptions: Sendable {
  /// The server, by the address that it is known by: what is stored belongs to it.
  public var server: String
  /// Whose documents they are; empty, the default, where a server knows no accounts. What was here
  /// before, of nobody, becomes theirs when the replica is opened, or with its first sync where
  /// another one syncs the store just then. What other accounts left stays unseen until they are
  /// back; a change of theirs isn't sent until then. A replica with an ``Account`` takes it from
  /// there as soon as somebody is signed in.
  public var account: String
  /// The collections that are kept in step.
  public var collections: [SyncedCollection]
  /// How many documents a sync may remove. By default not half of a collection's and more than
  /// three, and not all of more than one.
  public var removals = RemovalRule.careful
  /// The most requests side by side. By default 2.
  public var concurrency = 2
  /// Decides a conflict that ``ConflictPolicy/ask`` left open; `nil` leaves it open. By default
  /// nobody is asked.
  ///
  /// It is asked at the end of a sync, one document at a time, while that sync waits for it: it must
  /// answer in the end. What it answers is sent by the same sync. An answer about what has become
  /// something else meanwhile is left out.
  public var decidesConflict:
    (@Sendable (DocumentID, DocumentConflict) async -> DocumentConflict.Resolution?)?
  /// Decides in the same way about what was set aside, where ``ErrorPolicy/ask`` says so. By default
  /// nobody is asked.
  public var decidesRefusal: (@Sendable (RefusedChange) async -> RefusalAnswer)?
  /// Whether an edit asks for a sync by itself while the schedule runs. By default `true`.
  public var syncsEdits = true
  /// Whether syncs that somebody waits for are remembered as ``StoreSummary/lastSync`` also where
  /// they found nothing to do. By default `false`.
  public var remembersQuietSyncs = false
  /// How long after the schedule's start the first sync is made that nobody waits for, see
  /// ``DocumentReplica/scheduler``. By default 1 s.
  public var firstSync = Duration.seconds(1)
  /// From one such sync to the next; `nil`, the default: only the first one, and what is triggered.
  public var syncInterval: Duration?
  /// The indexes on members that are wanted, so that queries find documents without a look at all
  /// of them. By default `nil`: those that were declared before stay.
  public var indexes: [MemberIndex]?
  /// A store that ships with the app: where there is no file yet, it begins as a copy of this one.
  /// By default there is none.
  public var shippedStore: String?
  /// How requests for a sync are gathered. By default a sync begins 2 s after the last, and 10 s
  /// after the first at the latest.
  public var requestWindow = RequestWindow()

  /// What is kept in step with what.
  public init(server: String, account: String = "", collections: [SyncedCollection]) {
    self.server = server
    self.account = account
    self.collections = collections
  }
}
