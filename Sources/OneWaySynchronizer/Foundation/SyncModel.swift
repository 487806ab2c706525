public import Foundation
public import Observation
public import SyncEngine

/// A synchronizer's status on the main actor, for views that observe it:
///
/// ```swift
/// if model.isSyncing { ProgressView() }
/// ```
///
/// It follows the synchronizer for as long as both are there, and keeps neither alive. When it is
/// let go of, nothing of it is left, also while the synchronizer is idle.
///
/// It is a step behind: right after `try await synchronizer.sync()` has returned, ``isSyncing`` may
/// still be true here, for the moment that the news takes to the main actor. What has to know at
/// once asks ``Synchronizer/isSyncing``.
@MainActor
public final class SyncModel: Observable {
  private let registrar = ObservationRegistrar()
  private var newest = SyncStatus()

  private var success: Date?
  private var following: Task<Void, Never>?

  /// Follows a synchronizer.
  public init(_ synchronizer: some Syncing) {
    let status = synchronizer.status
    // Unstructured: it lives as long as the model or the stream, and a model has no parent task.
    following = Task { [weak self] in
      for await status in status {
        guard let self else { return }
        take(status)
      }
    }
  }

  deinit { following?.cancel() }

  /// How the synchronizer stands.
  public var status: SyncStatus {
    registrar.access(self, keyPath: \.status)
    return newest
  }

  /// Whether a run is under way.
  public var isSyncing: Bool { status.isSyncing }

  /// When the last run that succeeded ended; `nil` before the first one of this process.
  public var lastSuccess: Date? {
    registrar.access(self, keyPath: \.status)
    return success
  }

  private func take(_ status: SyncStatus) {
    guard status != newest else { return }
    registrar.withMutation(of: self, keyPath: \.status) {
      success = status.sinceSuccess.map { Date.now - $0 / .seconds(1) }
      newest = status
    }
  }
}
