/// The compiled statements of a connection: at most ``capacity`` of them, the least lately used
/// goes first.
struct StatementCache {
  /// More than the literals of any processor, and little memory (a few kilobytes each).
  static let capacity = 256

  /// What a statement is known by. Two literals of equal text may differ here, which costs a second
  /// compilation and nothing else. The length counts, since a linker may let one literal end within
  /// another.
  enum Key: Hashable {
    case literal(UnsafePointer<UInt8>, count: Int)
    case composed(ComposedText)

    init(_ text: SQL.Text) {
      self =
        switch text {
        case .literal(let literal): .literal(literal.utf8Start, count: literal.utf8CodeUnitCount)
        case .composed(let text): .composed(text)
        }
    }

    /// By the place of a literal, which few others share.
    func hash(into hasher: inout Hasher) {
      switch self {
      case .literal(let start, _): hasher.combine(start)
      case .composed(let text): hasher.combine(text)
      }
    }
  }

  private var statements: [Key: Statement] = [:]
  private var uses: UInt64 = 0

  var count: Int { statements.count }

  mutating func statement(_ key: Key) -> Statement? {
    guard let statement = statements[key] else { return nil }
    uses += 1
    statement.lastUse = uses
    return statement
  }

  /// Keeps a statement, in place of the one that was used the longest ago if there are too many.
  mutating func keep(_ statement: Statement, for key: Key) {
    if statements.count >= Self.capacity {
      let oldest = statements.min { $0.value.lastUse < $1.value.lastUse }
      if let oldest { statements[oldest.key] = nil }
    }
    uses += 1
    statement.lastUse = uses
    statements[key] = statement
  }

  mutating func removeAll() { statements.removeAll() }
}
