/// What a command takes besides options.
package struct Operand: Equatable, Sendable {
  /// How many of it there are. Only the last operand of a command may be there not just once.
  package enum Count: Equatable, Sendable {
    case one
    case atMostOne
    case any
  }

  /// The name, as the help writes it.
  package var name: String
  package var count: Count
  /// What a shell offers for it.
  package var kind: ValueKind
  /// Whether it may be an empty text.
  package var mayBeEmpty: Bool

  /// An operand that is there once, unless said otherwise.
  package init(
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
  package var synopsis: String {
    switch count {
    case .one: name
    case .atMostOne: "[\(name)]"
    case .any: "[\(name)…]"
    }
  }
}

/// What a value is, as far as a shell can help to write it.
package enum ValueKind: Equatable, Sendable {
  /// A text of any kind.
  case text
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// One of these words.
  case words([String])
}
