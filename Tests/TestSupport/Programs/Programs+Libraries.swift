package import Foundation

extension Programs {
  /// What the system's loader loads for a program before it begins, by name.
  ///
  /// - Parameter records: An existing folder for what the loader prints.
  package static func libraries(of program: String, records: URL) throws -> Set<String> {
    // With this variable the loader lists them, and begins nothing.
    let child = try ChildProcess(
      program, [], environment: ["LD_TRACE_LOADED_OBJECTS": "1"], directory: records,
      records: records)
    guard try child.end(within: .seconds(30)) == .exited(0) else {
      throw Missing(name: program, detail: child.said)
    }
    let names = child.printed.split(separator: "\n").compactMap {
      $0.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
    return Set(names)
  }
}
