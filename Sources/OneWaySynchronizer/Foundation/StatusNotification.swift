private import Dispatch
public import Foundation

extension Notification.Name {
  /// Posted on the main thread when a run of a ``Synchronizer`` starts and when it ends, in this
  /// order, with the synchronizer as its object. Its `userInfo` holds under
  /// ``SyncStatusKey/isSyncing`` whether the run starts (`Bool`), and under ``SyncStatusKey/run``
  /// the run's number (`Int`). Until the main queue has posted it, the synchronizer stays alive.
  public static let OneWaySynchronizerDidChangeSyncStatus = Notification.Name(
    "OneWaySynchronizerDidChangeSyncStatus")
}

/// The keys of the notification's `userInfo`.
public enum SyncStatusKey {
  /// Whether the run starts: a `Bool`.
  public static let isSyncing = "isSyncing"
  /// The run's number, from 1: an `Int`.
  public static let run = "run"
}

enum StatusNotification {
  /// Posts the notification; nobody waits for it, and the main queue keeps the order.
  static func post(for synchronizer: any AnyObject & Sendable, isSyncing: Bool, run: Int) {
    DispatchQueue.main.async {
      NotificationCenter.default.post(
        name: .OneWaySynchronizerDidChangeSyncStatus, object: synchronizer,
        userInfo: [SyncStatusKey.isSyncing: isSyncing, SyncStatusKey.run: run])
    }
  }
}
