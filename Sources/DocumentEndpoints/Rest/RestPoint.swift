import DocumentSync

/// How far a list is known: the latest date, and a row that has it.
///
/// A list from that date on must tell that row, since dates are asked for again, and a row that has
/// changed since has a later one. A service that doesn't tell it is another one, or was restored.
struct RestPoint: Sendable, Equatable {
  let date: RestDate
  /// The row; `nil` if none is known.
  let id: DocumentID?

  init(_ date: RestDate, of id: DocumentID?) {
    (self.date, self.id) = (date, id)
  }

  /// What ``text`` gave.
  init?(_ text: String) {
    let parts = text.split(separator: "\n", maxSplits: 1).map(String.init)
    guard let date = parts.first.flatMap({ RestDate($0) }) else { return nil }
    let id = parts.count == 2 ? (try? DocumentValue(parsing: parts[1]))?.string : nil
    self.init(date, of: id.map { DocumentID($0) })
  }

  /// The date as JSON, and the row's id as JSON on a line of its own.
  var text: String {
    ([date.text] + (id.map { [DocumentValue($0.text).text] } ?? [])).joined(separator: "\n")
  }
}
