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

/// A list under way.
struct RestList: Sendable, Equatable {
  /// The checkpoint of a list without rows.
  static let ofNothing = "none"

  let extent: ChangePage.Extent
  /// The latest row that it told.
  private(set) var latest: RestPoint?
  /// The row that it has to tell and hasn't yet; `nil` if it has, or if there is none.
  private(set) var missing: DocumentID?
  /// The address of its next page.
  var next: String?

  init(extent: ChangePage.Extent, latest: RestPoint? = nil, missing: DocumentID? = nil) {
    (self.extent, self.latest, self.missing) = (extent, latest, missing)
  }

  /// What ``mark`` gave.
  init?(_ mark: PageMark) {
    guard let parts = (try? DocumentValue(parsing: mark.text))?.elements, parts.count == 4,
      let kind = parts[0].string, kind == "all" || kind == "some", let next = parts[3].string
    else { return nil }
    extent = kind == "all" ? .everything : .changes
    latest = parts[1].string.flatMap { RestPoint($0) }
    missing = parts[2].string.map { DocumentID($0) }
    self.next = next
  }

  /// Where it goes on.
  var mark: PageMark {
    let parts = [extent == .everything ? "all" : "some", latest?.text, missing?.text, next]
    let values = parts.map { $0.map { DocumentValue($0) } ?? .null }
    return PageMark(DocumentValue(joining: values).text)
  }

  /// It told a row. Of dates within one millisecond, the one that asks for more stays.
  mutating func saw(_ row: RestRow) {
    told(row.id)
    guard let date = row.date.flatMap({ RestDate($0) }) else { return }
    if let latest {
      let isSameMoment = date.order == latest.date.order
      guard date.order > latest.date.order || isSameMoment && date.parameter < latest.date.parameter
      else { return }
    }
    latest = RestPoint(date, of: row.id)
  }

  /// It told something of a row.
  mutating func told(_ id: DocumentID?) {
    if id == missing { missing = nil }
  }
}
