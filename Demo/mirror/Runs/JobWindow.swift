import CatalogMirror
import Console

struct JobWindow: Sendable {
  let width: Int

  /// Runs all jobs, in their order, and answers what the program ends with. When the task is
  /// cancelled, those that haven't begun don't.
  func run(
    _ jobs: [MirrorJob], _ reporter: @escaping @Sendable (MirrorJob) -> any Reporter
  ) async -> ExitStatus {
    await withTaskGroup(of: ExitStatus.self) { group in
      var statuses: [ExitStatus] = []
      for (place, job) in jobs.enumerated() {
        if place >= width, let status = await group.next() { statuses.append(status) }
        guard !Task.isCancelled else {
          statuses.append(.cancelled)
          break
        }
        group.addTask { await Self.run(job, reporter(job)) }
      }
      for await status in group { statuses.append(status) }
      return ExitStatus.ofAll(statuses)
    }
  }

  /// Everything that is said of the mirror bears its name.
  private static func run(_ job: MirrorJob, _ reporter: any Reporter) async -> ExitStatus {
    await Subject.$current.withValue(Subject(program: "mirror", "mirror", job.name)) {
      await job.run(reporter).status
    }
  }
}
