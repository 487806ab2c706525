import Console

extension Invocation {
  static let program = ProgramDescription<Invocation>(
    name: "mirror", version: "0.1.0", date: "2026-11-22",
    purpose: "mirror keeps a folder equal to a remote catalog, in one direction.",
    example: "mirror sync CATALOG FOLDER", table: options,
    statuses: [
      .init(ExitStatus.done.rawValue, "done"),
      .init(ExitStatus.failed.rawValue, "failed, or what was to be told couldn't be written"),
      .init(
        ExitStatus.someFailed.rawValue,
        "some items failed, or other directories than last time can't be read"),
      .init(ExitStatus.refused.rawValue, "removal or another catalog refused"),
      .init(ExitStatus.usage.rawValue, "the command line can't be understood"),
      .init(ExitStatus.locked.rawValue, "the folder is in use"),
      .init(ExitStatus.cancelled.rawValue, "cancelled"),
    ], hasVariables: true, foreignOptions: foreignOptions, asker: Command.complete.rawValue)
}
