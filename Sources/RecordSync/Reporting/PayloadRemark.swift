/// What is to be said of a payload as a whole.
public enum PayloadRemark: Sendable, Equatable {
  /// Objects of one key are one row of a table, though they differ: the key and the member in which
  /// they do, where that is known. Told where tables grow with the payload.
  case merged(table: String, key: String?, member: String?)
}

extension PayloadRemark {
  /// Whether objects became one row that differ.
  var isMerging: Bool { if case .merged = self { true } else { false } }
}

extension PayloadRemark: CustomStringConvertible {
  /// What it is, as a sentence without its end.
  public var description: String {
    switch self {
    case .merged(let table, let key?, let member?):
      "objects for \(table.quoted) with the key \(key.shown) differ in \(member.quoted), and are one "
        + "row, as the last one says; declare another key if they are several"
    case .merged(let table, _, _):
      "objects for \(table.quoted) with one key differ from place to place, and are one row, as the "
        + "last one says; declare another key if they are several"
    }
  }
}
