import SyncLock

/// Closures that run before and after every sync: each is waited for, one after the other, in the
/// order in which they were given.
///
/// They may do whatever they like: edit documents, stop the schedule, sign out. What would wait for
/// the end of the very sync that they are a part of returns at once.
public final class SyncHooks: Sendable {
  /// Runs before a sync. If it throws, that sync does nothing and fails with the error; the others
  /// before it aren't run.
  public typealias Before = @Sendable (SyncOccasion) async throws -> Void
  /// Runs after a sync, with the error that it ended with; also if one before it threw.
  public typealias After = @Sendable (SyncOccasion, (any Error)?) async -> Void

  private let hooks = Locked((before: [Before](), after: [After]()))

  init() {}

  /// Has a closure run before every sync that begins from now on.
  public func before(_ hook: @escaping Before) {
    hooks.withLock { $0.before.append(hook) }
  }

  /// Has a closure run after every sync that ends from now on.
  public func after(_ hook: @escaping After) {
    hooks.withLock { $0.after.append(hook) }
  }

  func runBefore(_ occasion: SyncOccasion, of owner: AnyObject) async throws {
    for hook in hooks.withLock({ $0.before }) {
      try await SyncMark.mark(owner) { try await hook(occasion) }
    }
  }

  func runAfter(_ occasion: SyncOccasion, _ error: (any Error)?, of owner: AnyObject) async {
    for hook in hooks.withLock({ $0.after }) {
      await SyncMark.mark(owner) { await hook(occasion, error) }
    }
  }
}
