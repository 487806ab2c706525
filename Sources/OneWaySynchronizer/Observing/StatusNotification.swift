public import Foundation

extension Notification.Name {
  /// Posted on the main thread when a run of a ``Synchronizer`` starts and when it ends, in this
  /// order, with the synchronizer as its object. Until the main queue has posted it, the
  /// synchronizer stays alive.
  public static let OneWaySynchronizerDidChangeSyncStatus = Notification.Name(
    "OneWaySynchronizerDidChangeSyncStatus")
}

extension Synchronizer {
  /// Posts the notification; nobody waits for it, and the main queue keeps the order.
  func announceStatus() {
    DispatchQueue.main.async {
      NotificationCenter.default.post(name: .OneWaySynchronizerDidChangeSyncStatus, object: self)
    }
  }
}
