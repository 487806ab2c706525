import CatalogMirror
import Console

/// What is said of operands that somebody gave who had something else in mind.
extension Invocation {
  func problem(with operands: [String]) -> UsageError? {
    guard unattended.config == nil else { return nil }
    switch command {
    case .sync, .plan, .watch, .doctor:
      if let line = AptLine(operands) { return UsageError(line.advice(for: command)) }
      guard operands.count == 2, operands[1].contains("://"), !operands[0].contains("://") else {
        return nil
      }
      return UsageError(
        "first comes the catalog and then the folder, and '\(operands[0])' is no address")
    case .status, .verify, .sums, .restore, .publish:
      return operands.first.flatMap { Self.problem(ofAddress: $0, for: command) }
    case .config, .completion, .manual, .complete: return nil
    }
  }

  /// Where a folder is to be, and an address stands.
  private static func problem(ofAddress text: String, for command: Command) -> UsageError? {
    let schemes = ["http://", "https://", "s3://", "file://"]
    guard schemes.contains(where: text.lowercased().hasPrefix) else { return nil }
    let what = command == .publish ? "the folder of files" : "the folder that the mirror is in"
    let hint =
      command == .publish ? "" : "; 'mirror doctor' tells what is at an address"
    return UsageError("\(command.rawValue) takes \(what), and no address\(hint)")
  }
}
