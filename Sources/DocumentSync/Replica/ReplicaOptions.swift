public import SyncEngine
@_exported public import enum SyncEngine.RemovalLimit
@_exported public import struct SyncEngine.RequestWindow

/// What a replica is a copy of, and how it is kept.
public struct ReplicaOptions: Sendable {
  package var server: String
  package var account: String
  package var collections: [SyncedCollection]
  package var removals: RemovalRule
  package var concurrency: Int
  package var syncsEdits: Bool
  package var remembersQuietSyncs: Bool
  package var firstSync: Duration
  package var syncInterval: Duration?
  package var requestWindow: RequestWindow
  package var indexes: [MemberIndex]?
  package var texts: [MemberText]?
  package var shippedStore: String?
  package var decidesConflict: ConflictDecider?
  package var decidesRefusal: RefusalDecider?

  /// What is kept in step with what.
  ///
  /// - Parameters:
  ///   - server: the server, by the address that it is known by: what is stored belongs to it.
  ///   - account: whose documents they are; empty where a server knows no accounts. What was here
  ///     before, of nobody, becomes theirs when the replica is opened, or with its first sync where
  ///     another one syncs the store just then. What other accounts left stays unseen until they
  ///     are back; a change of theirs isn't sent until then. A replica with an ``Account`` takes it
  ///     from there as soon as somebody is signed in.
  ///   - collections: the collections that are kept in step.
  ///   - removals: how many documents a sync may remove. By default not half of a collection's and
  ///     more than three, and not all of more than one.
  ///   - concurrency: the most requests side by side.
  ///   - syncsEdits: whether an edit asks for a sync by itself while the schedule runs.
  ///   - remembersQuietSyncs: whether syncs that somebody waits for are remembered as
  ///     ``StoreSummary/lastSync`` also where they found nothing to do.
  ///   - firstSync: how long after the schedule's start the first sync is made that nobody waits
  ///     for, see ``DocumentReplica/scheduler``.
  ///   - syncInterval: from one such sync to the next; `nil` for only the first one, and what is
  ///     triggered.
  ///   - requestWindow: how requests for a sync are gathered. By default a sync begins 2 s after
  ///     the last, and 10 s after the first at the latest.
  ///   - indexes: the indexes on members that are wanted, so that queries find documents without a
  ///     look at all of them; `nil`: those that were declared before stay.
  ///   - texts: the members that are searched by their words (``DocumentCondition/matches(_:)``);
  ///     `nil`: those that were declared before stay.
  ///   - shippedStore: a store that ships with the app: where there is no file yet, it begins as a
  ///     copy of this one.
  ///   - decidesConflict: decides what ``ConflictPolicy/ask`` left open.
  ///   - decidesRefusal: decides about what was set aside, where ``ErrorPolicy/ask`` says so.
  public init(
    server: String, account: String = "", collections: [SyncedCollection],
    removals: RemovalRule = .careful, concurrency: Int = 2, syncsEdits: Bool = true,
    remembersQuietSyncs: Bool = false, firstSync: Duration = .seconds(1),
    syncInterval: Duration? = nil, requestWindow: RequestWindow = RequestWindow(),
    indexes: [MemberIndex]? = nil, texts: [MemberText]? = nil, shippedStore: String? = nil,
    decidesConflict: ConflictDecider? = nil, decidesRefusal: RefusalDecider? = nil
  ) {
    (self.server, self.account, self.collections) = (server, account, collections)
    (self.removals, self.concurrency) = (removals, concurrency)
    (self.syncsEdits, self.remembersQuietSyncs) = (syncsEdits, remembersQuietSyncs)
    (self.firstSync, self.syncInterval) = (firstSync, syncInterval)
    (self.requestWindow, self.indexes, self.texts) = (requestWindow, indexes, texts)
    self.shippedStore = shippedStore
    (self.decidesConflict, self.decidesRefusal) = (decidesConflict, decidesRefusal)
  }
}
