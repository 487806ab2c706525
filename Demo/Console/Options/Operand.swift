/// What a command takes besides options.
public struct Operand: Equatable, Sendable {
  /// How many of it there are. Only the last operand of a command may be there not just once.
  public enum Count: Equatable, Sendable {
    case one
    case atMostOne
    case any
  }

  /// The name, as the help writes it.
  public var name: String
  public var count: Count
  /// What a shell offers for it.
  public var kind: ValueKind
  /// Whether it may be an empty text.
  public var mayBeEmpty: Bool

  /// An operand that is there once, unless said otherwise.
  public init(
    _ name: String, _ kind: ValueKind = .text, _ count: Count = .one, mayBeEmpty: Bool = false
  ) {
    self.name = name
    self.count = count
    self.kind = kind
    self.mayBeEmpty = mayBeEmpty
  }

  /// Whether it is typed as it stands, being the only word that may stand there.
  var isFixed: Bool { kind == .words([name]) }

  /// As the help writes it: `FOLDER`, `[COMMAND]`, `[KEY…]`.
  public var synopsis: String {
    switch count {
    case .one: name
    case .atMostOne: "[\(name)]"
    case .any: "[\(name)…]"
    }
  }
}

/// What a value is, as far as a shell can help to write it.
public enum ValueKind: Equatable, Sendable {
  /// A text of any kind.
  case text
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// One of these words.
  case words([String])
}
