import SyncEssentials
import SyncFiles
import SyncPrograms
import SyncSystem

/// Runs hooks: each in a process group of its own, a report on its standard input, what it prints
/// on our standard error.
///
/// The report lies in a file without a name: a hook that doesn't read it keeps nobody waiting. When
/// its time is over, or the calling task is cancelled, the whole group gets SIGTERM and, what is
/// left of it after the hook's grace, SIGKILL. What a hook leaves running when it ends in time is
/// its own affair.
public struct HookRunner: Sendable {
  private let clock: any Clock<Duration>
  private let environment: [String: String]

  /// A runner that gives hooks this environment; without one, this program's own.
  public init(
    environment: [String: String]? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.environment = environment ?? ProcessInfo.processInfo.environment
    self.clock = clock
  }

  /// Runs a hook to its end.
  public func run(_ hook: Hook, with report: [UInt8]) async -> HookEnd {
    let process: HookProcess
    do {
      process = try HookProcess.start(hook, report, environment)
    } catch {
      return .notStarted(error.text)
    }
    return await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { [clock] in
          try? await clock.sleep(for: hook.limit)
          if !Task.isCancelled { process.stop(.overdue(hook.limit)) }
        }
        let end = await process.end()
        group.cancelAll()
        return end
      }
    } onCancel: {
      process.stop(.cancelled)
    }
  }
}
