import SyncText

/// What a body says of itself beside its elements: in the objects on the way to them, and in those
/// that services put there for their pages.
package struct BodyNotes: Sendable, Equatable {
  /// A member that tells of an error.
  package private(set) var error: String?
  /// A member that says that there is more.
  package private(set) var more: String?
  /// Whether a member says that there is no more.
  package private(set) var isLast = false
  /// How many elements there are in all, as far as the body says so.
  package private(set) var total: (name: String, count: Int64)?

  package init() {}

  package static func == (one: BodyNotes, other: BodyNotes) -> Bool {
    one.error == other.error && one.more == other.more && one.isLast == other.isLast
      && one.total?.count == other.total?.count && one.total?.name == other.total?.name
  }

  private static let errors: Set = ["error", "errors"]
  private static let answers: Set = [
    "has_more", "hasmore", "has_next", "hasnext", "has_next_page", "hasnextpage", "is_truncated",
    "istruncated",
  ]
  private static let pages: Set = [
    "next", "next_page", "nextpage", "next_page_token", "nextpagetoken", "next_cursor",
    "nextcursor", "next_token", "nexttoken", "next_url", "nexturl", "next_link", "nextlink",
    "@odata.nextlink", "odata.nextlink", "continue", "continuation_token", "continuationtoken",
  ]
  private static let totals: Set = [
    "count", "total", "total_count", "totalcount", "@odata.count", "odata.count",
  ]
  private static let containers: Set = [
    "paging", "pagination", "meta", "metadata", "links", "_links", "page_info", "pageinfo",
    "response_metadata",
  ]

  /// Takes a member; what is longer than others are is told by `nil`.
  mutating func take(_ name: [UInt8], _ value: JSONTape.Node?, in tape: borrowing JSONTape) {
    guard name.count < 40 else { return }
    let shown = ByteString.escape(name)
    let word = shown.asciiLowercased
    guard let value else {
      if Self.errors.contains(word) { error = error ?? shown }
      return
    }
    if Self.errors.contains(word) {
      if tape.isAnything(value) { error = error ?? shown }
    } else {
      takePaging(word, shown, value, in: tape)
      guard Self.containers.contains(word), tape.kind(of: value) == .object else { return }
      tape.forEachMember(of: value) { name, value in
        let inner = ByteString.escape(name)
        takePaging(inner.asciiLowercased, "\(shown).\(inner)", value, in: tape)
      }
    }
  }

  private mutating func takePaging(
    _ word: String, _ shown: String, _ value: JSONTape.Node, in tape: borrowing JSONTape
  ) {
    if Self.answers.contains(word) {
      if tape.kind(of: value) == .true { more = more ?? shown }
      isLast = isLast || tape.kind(of: value) == .false
    } else if Self.pages.contains(word) {
      if tape.isAnything(value) { more = more ?? shown }
    } else if Self.totals.contains(word), let count = tape.integer(value) {
      if count > total?.count ?? -1 { total = (shown, count) }
    }
  }
}

extension JSONTape {
  /// Whether a value says anything: null, false, 0, and what holds nothing don't.
  func isAnything(_ node: Node) -> Bool {
    switch kind(of: node) {
    case .null, .false: false
    case .true: true
    case .number: integer(node) != 0
    case .string: stringBytes(node) != []
    case .object, .array: inside(node) != end(of: node)
    }
  }

  /// Calls for each member of an object: its name, and its value.
  func forEachMember(of object: Node, _ body: ([UInt8], Node) -> Void) {
    let end = end(of: object)
    var name = inside(object)
    while name != end {
      let value = after(name)
      body(stringBytes(name) ?? [], value)
      name = after(value)
    }
  }
}
