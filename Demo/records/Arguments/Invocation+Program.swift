import Console

extension Invocation {
  static let program = ProgramDescription<Invocation>(
    name: "records", version: "0.1.0", date: "2026-11-28",
    purpose: "records makes tables of a SQLite database equal to JSON, with what hangs on them.",
    example: "records sync DATABASE TABLE PAYLOAD", table: options,
    statuses: [
      .init(ExitStatus.done.rawValue, "done"),
      .init(
        ExitStatus.failed.rawValue,
        """
        failed, and nothing was written; not equal; no such row; or what was to be told couldn't be
        """),
      .init(
        ExitStatus.someFailed.rawValue,
        "written, but for rows that the database refused, or for the undo"),
      .init(ExitStatus.refused.rawValue, "too much would have been deleted; nothing was written"),
      .init(ExitStatus.usage.rawValue, "the command line can't be understood"),
      .init(ExitStatus.locked.rawValue, "another program holds the database"),
      .init(ExitStatus.cancelled.rawValue, "cancelled, and nothing was written"),
    ])
}
