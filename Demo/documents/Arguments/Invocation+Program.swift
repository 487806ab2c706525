import Console

extension Invocation {
  /// The program, as its user knows it.
  static let program = ProgramDescription<Invocation>(
    name: "documents", version: "0.1.0", date: "2026-11-28",
    purpose: "documents keeps JSON that is edited offline in step with a server.",
    example: "documents sync STORE", table: options,
    statuses: [
      .init(ExitStatus.done.rawValue, "done"),
      .init(
        ExitStatus.failed.rawValue,
        "failed: no such document; the server can't be reached or lets nobody in; a bad file"),
      .init(
        ExitStatus.someFailed.rawValue,
        "synced, but for documents that are in conflict, set aside, or failed"),
      .init(
        ExitStatus.refused.rawValue, "too much would have been removed here; none of it was"),
      .init(ExitStatus.usage.rawValue, "the command line can't be understood"),
      .init(
        ExitStatus.locked.rawValue,
        "another sync of the store is under way, or the server is left alone for a while"),
      .init(ExitStatus.cancelled.rawValue, "cancelled; nothing that was saved is lost"),
    ])
}
