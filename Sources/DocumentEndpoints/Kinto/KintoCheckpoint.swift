import DocumentSync

/// How much of a collection is known: up to which change, and of which generation of it.
struct KintoCheckpoint: Sendable, Hashable {
  /// All changes up to this one are known, by the server's time.
  let change: Int64
  /// The version of the collection itself: a new one means that it was made anew, by this server or
  /// by another one. `nil` where it may not be read.
  let generation: Int64?

  var text: String { "\(change)/\(generation.map { "\($0)" } ?? "-")" }

  init(change: Int64, generation: Int64?) {
    self.change = change
    self.generation = generation
  }

  /// A checkpoint as it was written; `nil` for what is none.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let change = Int64(parts[0]), change >= 0 else { return nil }
    self.change = change
    if parts[1] == "-" {
      generation = nil
    } else {
      guard let generation = Int64(parts[1]) else { return nil }
      self.generation = generation
    }
  }
}

/// A list under way: what it speaks for, and what its pages so far have told.
struct KintoList: Sendable, Hashable {
  let extent: ChangePage.Extent
  /// The collection's last change when the list began. All pages together tell at least what was
  /// there then.
  let start: Int64
  /// The collection's own version.
  let generation: Int64?
  /// The last change that was told.
  var told: Int64

  /// What counts after the pages so far.
  ///
  /// The list goes upwards, so whatever changes meanwhile comes later in it; but a list of
  /// everything doesn't tell what was deleted meanwhile. After its beginning it therefore vouches
  /// for nothing.
  ///
  /// - Parameter isOver: whether there are no more pages.
  func checkpoint(isOver: Bool) -> KintoCheckpoint {
    let change =
      switch (extent, isOver) {
      case (.everything, true): start
      case (.everything, false): min(told, start)
      case (.changes, true): max(told, start)
      case (.changes, false): told
      }
    return KintoCheckpoint(change: change, generation: generation)
  }

  /// A mark for the next page, as text.
  ///
  /// - Parameter query: of its address.
  func mark(_ query: String) -> String {
    let checkpoint = KintoCheckpoint(change: start, generation: generation).text
    return "\(extent == .everything ? "everything" : "changes")/\(checkpoint)/\(told)?\(query)"
  }

  init(extent: ChangePage.Extent, start: Int64, generation: Int64?, told: Int64) {
    self.extent = extent
    self.start = start
    self.generation = generation
    self.told = told
  }

  /// The list that a mark is of, and the query of its next page; `nil` for what is no mark.
  static func read(mark: String) -> (list: KintoList, query: String)? {
    guard let question = mark.firstIndex(of: "?") else { return nil }
    let parts = mark[..<question].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, ["everything", "changes"].contains(parts[0]),
      let began = KintoCheckpoint("\(parts[1])/\(parts[2])"), let told = Int64(parts[3])
    else { return nil }
    let list = KintoList(
      extent: parts[0] == "everything" ? .everything : .changes, start: began.change,
      generation: began.generation, told: told)
    return (list, String(mark[mark.index(after: question)...]))
  }
}
