import SyncLock
import Synchronization

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

/// Whether anything is under way: its beginning and its end are told once each, also with several
/// calls under way.
public final class SyncActivity: Sendable {
  private let count = Locked(ActivityCount())
  private let newest = Newest(false, tellsEach: true)

  init() {}

  /// Whether anything is under way, first now and then each change, as a stream of its own for each
  /// reader.
  public var states: AsyncStream<Bool> { newest.values }

  func began() {
    // Laid down under the lock, so that nobody hears of the end first; told after it.
    count.withLock { $0.began() ? newest.put(true) : Wakeups() }.tell()
  }

  func ended() {
    count.withLock { $0.ended() ? newest.put(false) : Wakeups() }.tell()
  }

  /// Counts as a call for as long as `body` runs.
  package func during<Result: Sendable>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    began()
    defer { ended() }
    return try await body()
  }
}

/// Counts calls that are under way, so that the beginning and the end of activity are told once
/// each, however many there are.
struct ActivityCount: Sendable, Equatable {
  private(set) var underWay = 0

  /// A call began: answers whether activity did.
  mutating func began() -> Bool {
    underWay += 1
    return underWay == 1
  }

  /// A call ended: answers whether activity did.
  mutating func ended() -> Bool {
    guard underWay > 0 else { return false }
    underWay -= 1
    return underWay == 0
  }
}

/// Marks what runs within a closure of a sync, so that it doesn't wait for the end of that sync,
/// which waits for it.
///
/// The mark goes with the task, into its children and into unstructured tasks that are begun there.
/// It means nothing any more once the closure has returned.
final class SyncMark: Sendable {
  @TaskLocal private static var current: SyncMark?

  private let owner: ObjectIdentifier
  /// The mark within which this one was made.
  private let outer: SyncMark?
  private let isOver = Atomic(false)

  private init(of owner: ObjectIdentifier, within outer: SyncMark?) {
    self.owner = owner
    self.outer = outer
  }

  /// Runs `body` as a part of what `owner` waits for.
  static func mark<Value>(
    _ owner: AnyObject, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let mark = SyncMark(of: ObjectIdentifier(owner), within: current)
    defer { mark.isOver.store(true, ordering: .releasing) }
    return try await $current.withValue(mark, operation: body)
  }

  /// Whether who calls this is a part of what `owner` waits for.
  static func isWithin(_ owner: AnyObject) -> Bool {
    var mark = current
    while let one = mark {
      if one.owner == ObjectIdentifier(owner), !one.isOver.load(ordering: .acquiring) {
        return true
      }
      mark = one.outer
    }
    return false
  }
}
