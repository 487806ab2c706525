import SyncEssentials

/// A configuration file: what is said of several things, each below its name, and what holds for
/// all of them below `[defaults]`.
package struct ConfigurationFile: Equatable, Sendable {
  /// A setting and where it stands.
  package struct Line: Equatable, Sendable {
    package var setting: Setting
    package var number: Int

    package init(_ setting: Setting, _ number: Int) {
      self.setting = setting
      self.number = number
    }
  }

  /// What is said of one thing.
  package struct Part: Equatable, Sendable {
    package var name: String
    /// Where its name stands.
    package var number: Int
    package var lines: [Line] = []

    /// What is said, in the order of the file.
    package var settings: [Setting] { lines.map(\.setting) }

    /// What was said last under that name, and where.
    package func last(_ name: String) -> Line? { lines.last { $0.setting.name == name } }
  }

  /// The name of the part that holds for all.
  package static let nameOfDefaults = "defaults"

  /// As it was given, for messages.
  package var path: String
  /// The whole path of the directory that it lies in.
  package var directory: String {
    let whole = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    return String(whole.prefix(upTo: whole.lastIndex(of: "/") ?? whole.endIndex))
  }
  package var defaults: Part
  /// In the order of the file.
  package var parts: [Part]

  /// A problem in a line of this file.
  package func problem(at line: Int, _ sentence: String) -> UsageError {
    Self.problem(in: path, at: line, sentence)
  }

  static func problem(in path: String, at line: Int, _ sentence: String) -> UsageError {
    UsageError("'\(path)', line \(line): \(sentence)")
  }
}
