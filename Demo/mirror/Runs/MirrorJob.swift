import CatalogMirror
import Console

/// One run of a mirror with what belongs to it: it's shown, its hooks are run, its metrics written.
struct MirrorJob: Sendable {
  /// What metrics and hooks call the mirror: its name, or its folder.
  let name: String
  let invocation: Invocation
  /// Shared with the other mirrors of the process.
  let client: MirrorClient
  let metrics: MetricsFile?
  /// Whether the folder was a mirror before, so that it isn't made anew where it's gone.
  var wasMirror = false

  init(
    _ name: String, _ invocation: Invocation, sharing client: MirrorClient, metrics: MetricsFile?
  ) {
    self.name = name
    self.invocation = invocation
    self.client = client
    self.metrics = metrics
  }

  /// Runs the mirror. Never throws: whatever went wrong has been said.
  func run(_ reporter: any Reporter) async -> RunEnd {
    let (startedAt, began) = (Date().timeIntervalSince1970, ContinuousClock.now)
    if Subject.current != nil { Streams.warn(of: invocation) }
    var end = RunEnd(status: .done, startedAt: startedAt, duration: .zero)
    do {
      // Nothing is done, and so neither hooks nor metrics hear of it, however it ends.
      if invocation.isDryRun {
        end.status = try await PlanCommand(invocation, sharing: client).run()
        return end
      }
      let report = try await sync(reporter)
      (end.report, end.status) = (report, report.status)
    } catch {
      (end.status, end.problem) = (ExitStatus(error), Streams.sentence(for: error))
      if reporter.tellsFailures { tell(end) }
      if invocation.isDryRun { return end }
    }
    end.duration = ContinuousClock.now - began
    // Metrics tell of the run itself, whatever its hooks come to.
    let ran = end
    let troubles = await runHooks(after: &end) + (metrics?.note(name, ran) ?? [])
    for trouble in troubles { Streams.complain(trouble) }
    // Whoever relies on the hook has to hear of it, and a run that failed says more than that.
    if !troubles.isEmpty, end.status == .done { end.status = .failed }
    return end
  }

  private func sync(_ reporter: any Reporter) async throws -> MirrorReport {
    var invocation = invocation
    if wasMirror { invocation.mirror.requiresExisting = true }
    do {
      return try await SyncCommand(invocation, reporter, sharing: client).report()
    } catch {
      guard wasMirror, let lost = LostFolder(error, of: invocation.mirror) else { throw error }
      throw lost
    }
  }

  /// Says why a run couldn't begin; among others, its line of JSON is there as well.
  private func tell(_ end: RunEnd) {
    Streams.complain(end.problem ?? end.word)
    guard invocation.style == .json, Subject.current != nil else { return }
    JSONLine.write("ended") { end.write(to: &$0) }
  }

  /// Runs the hooks that the end calls for; tells what went wrong with them. A run that a signal
  /// ended has none: it has to end soon. What ends while a hook runs, was cancelled as well.
  private func runHooks(after end: inout RunEnd) async -> [String] {
    guard end.status != .cancelled else { return [] }
    let unattended = invocation.unattended
    var troubles: [String] = []
    for (hook, command, isDue) in [
      ("after-change", unattended.afterChange, end.hasChanged),
      ("after-failure", unattended.afterFailure, end.hasFailed),
    ] {
      guard isDue, let command else { continue }
      let ended = await Self.hooks.run(
        Hook(command, limit: unattended.hookLimit), with: Array((text(of: end) + "\n").utf8))
      if let trouble = ended.trouble { troubles.append("the hook \(hook) \(trouble)") }
      if ended == .cancelled {
        end.status = .cancelled
        break
      }
    }
    return troubles
  }

  private func text(of end: RunEnd) -> String {
    JSONLine.text("ended", at: Date().timeIntervalSince1970) { line in
      line.add("mirror", name)
      line.add("catalog", URLReference(invocation.mirror.catalog)?.redacted ?? "")
      line.add("folder", invocation.mirror.folder)
      end.write(to: &line)
    }
  }

  /// What hooks start has nothing to tell our service manager.
  private static let hooks = HookRunner(
    environment: ProcessInfo.processInfo.environment
      .filter { !ServiceManager.variables.contains($0.key) })
}
