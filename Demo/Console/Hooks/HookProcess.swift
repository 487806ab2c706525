import Dispatch
import SyncFiles
import SyncLock
import SyncPrograms
import SyncSystem

final class HookProcess: Sendable {
  private struct State: Sendable {
    /// Why it is to end, if it doesn't of its own accord.
    var stop: Stop?
    /// Whether its number may be another's by now.
    var isOver = false
  }

  private struct Stop: Sendable {
    var reason: HookEnd
    /// When whatever is left is killed.
    var deadline: ContinuousClock.Instant
  }

  private let number: pid_t
  private let hook: Hook
  private let state = Locked(State())

  private init(_ number: pid_t, _ hook: Hook) {
    self.number = number
    self.hook = hook
  }

  static func start(
    _ hook: Hook, _ report: [UInt8], _ environment: [String: String]
  ) throws(Errno) -> HookProcess {
    let input = try NamelessFile(holding: report)
    defer { input.close() }
    let shell = ChildProgram(
      "/bin/sh", ["sh", "-c", hook.command],
      environment: environment.map { "\($0.key)=\($0.value)" },
      files: [input.descriptor, STDERR_FILENO, STDERR_FILENO])
    return HookProcess(try shell.start(), hook)
  }

  /// Ends the process and all of its group, unless it has ended.
  func stop(_ reason: HookEnd) {
    let grace = hook.grace(for: reason)
    let isFirst = state.withLock { state in
      guard state.stop == nil, !state.isOver else { return false }
      state.stop = Stop(reason: reason, deadline: .now + grace)
      kill(-number, SIGTERM)
      return true
    }
    guard isFirst else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + grace / .seconds(1)) { [self] in
      state.withLock { if !$0.isOver { _ = kill(-number, SIGKILL) } }
    }
  }

  /// Waits for its end, on a thread of its own. To be called once.
  func end() async -> HookEnd {
    await withCheckedContinuation { ended in
      SystemThread.start { [self] in ended.resume(returning: waitForEnd()) }
    }
  }

  private func waitForEnd() -> HookEnd {
    // Its number stays its own until its status has been fetched.
    var facts = siginfo_t()
    while waitid(P_PID, id_t(number), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    let stop = state.withLock { state in
      state.isOver = true
      return state.stop
    }
    let status = ChildProgram.wait(for: number)
    guard let stop else { return HookEnd(status: status) }
    endGroup(by: stop.deadline)
    return stop.reason
  }

  /// Waits for what the process has started, as long as it has grace, and kills the rest. As long
  /// as one of them is there, the group's number is no other's.
  private func endGroup(by deadline: ContinuousClock.Instant) {
    while kill(-number, 0) == 0, ContinuousClock.now < deadline { usleep(20_000) }
    kill(-number, SIGKILL)
  }
}
