private import Dispatch
public import Foundation
import SyncLock

extension Notification.Name {
  /// Posted on the main thread when a run of a ``Synchronizer`` starts and when it ends, in this
  /// order, with the synchronizer as its object. Its `userInfo` holds under
  /// ``SyncStatusKey/isSyncing`` whether the run starts (`Bool`), and under ``SyncStatusKey/run``
  /// the run's number (`Int`). Until the main queue has posted it, the synchronizer stays alive.
  ///
  /// While the main thread does something else, a whole pair that wasn't posted yet may be left out
  /// when a further run starts: never the last one, and never one of the two alone.
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

/// What one synchronizer has to post and hasn't yet: so much as pairs need, however long the main
/// thread is busy.
struct UnpostedStatus: Equatable {
  struct Post: Equatable {
    var isSyncing: Bool
    var run: Int
  }

  /// The end of a run whose start was posted.
  private var end: Int?
  /// The newest run of which nothing was posted, and whether it has ended.
  private var start: Int?
  private var hasEnded = false
  /// Whether the main queue is going to ask for what is next.
  private var isAwaited = false

  /// A run started or ended; answers whether the main queue is to be asked to post.
  mutating func add(_ post: Post) -> Bool {
    if post.isSyncing {
      (start, hasEnded) = (post.run, false)
    } else if start == post.run {
      hasEnded = true
    } else {
      end = post.run
    }
    defer { isAwaited = true }
    return !isAwaited
  }

  /// What is to be posted now, and whether there is more for the main queue after it.
  mutating func next() -> (post: Post?, hasMore: Bool) {
    var post: Post?
    if let run = end {
      (post, end) = (Post(isSyncing: false, run: run), nil)
    } else if let run = start {
      post = Post(isSyncing: true, run: run)
      (start, end) = (nil, hasEnded ? run : nil)
    }
    isAwaited = end != nil || start != nil
    return (post, isAwaited)
  }
}

/// Posts a synchronizer's notifications; nobody waits for it, and the main queue has at most one
/// block of it.
final class StatusNotification: Sendable {
  private let unposted = Locked(UnpostedStatus())

  func post(for synchronizer: any AnyObject & Sendable, isSyncing: Bool, run: Int) {
    let post = UnpostedStatus.Post(isSyncing: isSyncing, run: run)
    if unposted.withLock({ $0.add(post) }) { postNext(for: synchronizer) }
  }

  private func postNext(for synchronizer: any AnyObject & Sendable) {
    DispatchQueue.main.async { [self] in
      let (post, hasMore) = unposted.withLock { $0.next() }
      // Before the post: an observer may run the main queue until it has done what it wants.
      if hasMore { postNext(for: synchronizer) }
      guard let post else { return }
      NotificationCenter.default.post(
        name: .OneWaySynchronizerDidChangeSyncStatus, object: synchronizer,
        userInfo: [SyncStatusKey.isSyncing: post.isSyncing, SyncStatusKey.run: post.run])
    }
  }
}
