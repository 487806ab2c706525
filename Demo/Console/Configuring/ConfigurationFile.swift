import SyncEssentials

/// A configuration file: what is said of several things, each below its name, and what holds for
/// all of them below `[defaults]`.
public struct ConfigurationFile: Equatable, Sendable {
  /// A setting and where it stands.
  public struct Line: Equatable, Sendable {
    public var setting: Setting
    public var number: Int

    public init(_ setting: Setting, _ number: Int) {
      self.setting = setting
      self.number = number
    }
  }

  /// What is said of one thing.
  public struct Part: Equatable, Sendable {
    public var name: String
    /// Where its name stands.
    public var number: Int
    public var lines: [Line] = []

    /// What is said, in the order of the file.
    public var settings: [Setting] { lines.map(\.setting) }

    /// What was said last under that name, and where.
    public func last(_ name: String) -> Line? { lines.last { $0.setting.name == name } }
  }

  /// The name of the part that holds for all.
  public static let nameOfDefaults = "defaults"

  /// As it was given, for messages.
  public var path: String
  /// The whole path of the directory that it lies in.
  public var directory: String {
    let whole = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    return String(whole.prefix(upTo: whole.lastIndex(of: "/") ?? whole.endIndex))
  }
  public var defaults: Part
  /// In the order of the file.
  public var parts: [Part]

  /// A problem in a line of this file.
  public func problem(at line: Int, _ sentence: String) -> UsageError {
    Self.problem(in: path, at: line, sentence)
  }

  static func problem(in path: String, at line: Int, _ sentence: String) -> UsageError {
    UsageError("'\(path)', line \(line): \(sentence)")
  }
}
