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

struct RestList: Sendable, Equatable {
  /// The checkpoint of a list without rows.
  static let ofNothing = "none"
  /// So many pages without a row are asked for one after the other.
  private static let mostEmptyPages: Int64 = 1_000

  let extent: ChangePage.Extent
  /// The latest row that it told.
  private(set) var latest: RestPoint?
  /// The row that it has to tell and hasn't yet; `nil` if it has, or if there is none.
  private(set) var missing: DocumentID?
  /// The address of its next page.
  private(set) var next: String?
  /// How many rows came so far.
  private(set) var rows: Int64 = 0
  private(set) var pages: Int64 = 0
  /// An earlier page's address, to see whether its pages lead in a circle.
  private var earlier: String?
  /// How many pages without a row came last.
  private var emptyPages: Int64 = 0

  init(extent: ChangePage.Extent, latest: RestPoint? = nil, missing: DocumentID? = nil) {
    (self.extent, self.latest, self.missing) = (extent, latest, missing)
  }

  /// What ``mark`` gave.
  init?(_ mark: PageMark) {
    guard let parts = (try? DocumentValue(parsing: mark.text))?.elements, parts.count == 8,
      let kind = parts[0].string, kind == "all" || kind == "some", let next = parts[3].string,
      let rows = parts[4].integer, let pages = parts[5].integer, let empty = parts[7].integer
    else { return nil }
    extent = kind == "all" ? .everything : .changes
    latest = parts[1].string.flatMap { RestPoint($0) }
    missing = parts[2].string.map { DocumentID($0) }
    earlier = parts[6].string
    (self.next, self.rows, self.pages, emptyPages) = (next, rows, pages, empty)
  }

  var mark: PageMark {
    let kind = DocumentValue(extent == .everything ? "all" : "some")
    let parts = [latest?.text, missing?.text, next].map { $0.map { DocumentValue($0) } ?? .null }
    let counts = [DocumentValue(rows), DocumentValue(pages)]
    let circle = [earlier.map { DocumentValue($0) } ?? .null, DocumentValue(emptyPages)]
    return PageMark(DocumentValue(joining: [kind] + parts + counts + circle).text)
  }

  mutating func came(rows count: Int) {
    rows += Int64(count)
    pages += 1
    emptyPages = count == 0 ? emptyPages + 1 : 0
  }

  /// It goes on at this address. Answers why it can't; `nil` if it can.
  ///
  /// The address of the first, second, fourth, eighth … page is kept: whatever circle the pages
  /// lead in, one of them comes again.
  mutating func goes(on address: String) -> String? {
    if address == earlier { return "its pages lead in a circle" }
    if emptyPages >= Self.mostEmptyPages { return "its pages have no rows and no end" }
    if pages & (pages - 1) == 0 { earlier = address }
    next = address
    return nil
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
