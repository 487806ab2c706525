/// Why a text isn't INI, and in which line.
public struct INIProblem: Error, Equatable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    case tooLarge
    case notUTF8
    case holdsNUL
    case badSection
    case sectionTwice(String, first: Int)
    /// No line of a key and a value. What stands there isn't told: it may be a secret.
    case noEntry
    case outsideOfSections
  }

  public var line: Int
  public var kind: Kind

  /// A problem in that line, counted from 1.
  public init(line: Int, _ kind: Kind) {
    self.line = line
    self.kind = kind
  }

  /// What is wrong and what would be right, without the line and without a full stop.
  public var description: String {
    switch kind {
    case .tooLarge: "it holds more than 1 MiB, which no configuration does; check its name"
    case .notUTF8: "it isn't text in UTF-8; save it as that"
    case .holdsNUL: "it holds a NUL byte, which no text does; check what wrote it"
    case .badSection: "a section begins with its name in brackets and nothing else: [pictures]"
    case .sectionTwice(let name, let first):
      "[\(name)] is there already, in line \(first); give it another name, or put both together"
    case .noEntry: "this is no setting; write KEY = VALUE, or begin a remark with #"
    case .outsideOfSections: "this setting belongs to no section; write a line [NAME] before it"
    }
  }
}
