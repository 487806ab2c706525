import CatalogMirror
import Console

/// What is said of operands that somebody gave who had something else in mind.
extension Invocation {
  func problem(with operands: [String]) -> UsageError? {
    guard unattended.config == nil else { return nil }
    switch command {
    case .sync, .plan, .watch, .doctor:
      if let line = AptLine(operands) { return UsageError(line.advice(for: command)) }
      let problem = operands.first.flatMap { Value.problem(withHostOf: $0) }
      if let problem { return UsageError(problem) }
      guard operands.count == 2, Self.isAddress(operands[1]) else { return nil }
      return UsageError(
        operands[0].contains("://")
          ? "the second is the folder that is to be made equal, and '\(operands[1])' is an address"
          : "first comes the catalog and then the folder, and '\(operands[0])' is no address")
    case .status, .verify, .sums, .restore, .publish:
      return operands.first.flatMap { Self.problem(ofAddress: $0, for: command) }
    case .config, .completion, .manual, .complete: return nil
    }
  }

  /// Where a folder is to be, and an address stands.
  private static func problem(ofAddress text: String, for command: Command) -> UsageError? {
    guard isAddress(text) else { return nil }
    let what = command == .publish ? "the folder of files" : "the folder that the mirror is in"
    let hint =
      command == .publish ? "" : "; 'mirror doctor' tells what is at an address"
    return UsageError("\(command.rawValue) takes \(what), and no address\(hint)")
  }

  private static func isAddress(_ text: String) -> Bool {
    let schemes = ["http://", "https://", "s3://", "file://"]
    return schemes.contains(where: text.lowercased().hasPrefix)
  }
}
