private import SyncText

/// Where in a document a value stands: names of members and places in arrays, from the top down.
///
/// Unlike a ``MemberPath``, which says what is merged, it leads into arrays, too: it says what is
/// asked for.
public struct DocumentPath: Sendable, Hashable {
  /// One step down.
  public enum Step: Sendable {
    /// To the member of that name, to the byte.
    case member(String)
    /// To the element at that place, counted from 0.
    case element(Int)
  }

  /// The steps; none for the whole document.
  public let steps: [Step]

  /// The path of these steps.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// The path of a member.
  public init(_ path: MemberPath) {
    steps = path.names.map { .member($0) }
  }
}

extension DocumentPath: ExpressibleByArrayLiteral {
  /// The path of these steps: `["meta", "tags", 0]`.
  public init(arrayLiteral steps: Step...) {
    self.steps = steps
  }
}

extension DocumentPath.Step: Hashable {
  /// Equal to the byte: names that Unicode has for the same are two members.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.member(let one), .member(let other)): one.utf8.elementsEqual(other.utf8)
    case (.element(let one), .element(let other)): one == other
    case (.member, _), (.element, _): false
    }
  }

  /// By the bytes of a name.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .member(let name): hasher.combine(ByteString(name))
    case .element(let place): hasher.combine(place)
    }
  }
}

extension DocumentPath.Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// To the member of that name.
  public init(stringLiteral name: String) {
    self = .member(name)
  }

  /// To the element at that place, counted from 0.
  public init(integerLiteral place: Int) {
    self = .element(place)
  }
}

extension DocumentPath: CustomStringConvertible {
  /// As ``init(parsing:)`` reads it: `a.b[0]."c.d"`.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .member(let name):
        if !text.isEmpty { text += "." }
        text += MemberPath(name).description
      case .element(let place): text += "[\(place)]"
      }
    }
    return text
  }
}
