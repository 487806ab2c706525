/// The last two things that were kept of a document's life: decides how the next one joins them.
struct TraceTail: Sendable, Equatable {
  /// A row, as far as it counts here.
  struct Row: Sendable, Equatable {
    var place: Int64
    /// What happened, without its details.
    var what: String
  }

  enum Write: Sendable, Equatable {
    /// A row at this place.
    case append(Int64)
    /// The row at this place happened once more.
    case again(Int64)
    /// The row at the first place is taken away, that at the second one happened once more.
    case againAfter(removing: Int64, at: Int64)
  }

  var last: Row?
  var beforeLast: Row?

  /// How something joins them. What is saved again and again is one row, and so is what is sent
  /// again and again in vain: else an hour of bad network would be all there is to be told.
  func joined(by event: DocumentEvent, lost: Int) -> Write {
    guard let last else { return .append(1) }
    let what = TraceForm(event).what
    guard lost == 0, event.times != nil else { return .append(last.place + 1) }
    if !event.isFruitless, last.what == what { return .again(last.place) }
    if event.isFruitless, last.what == TraceForm.sent, let beforeLast, beforeLast.what == what {
      return .againAfter(removing: last.place, at: beforeLast.place)
    }
    return .append(last.place + 1)
  }
}
