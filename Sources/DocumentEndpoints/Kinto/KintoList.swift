import DocumentSync
import SyncText

/// What is asked of a collection's list.
struct KintoQuery {
  let collection: String
  let isOfIDs: Bool
  /// The parameters that say it.
  let text: String

  init(_ collection: String, _ filter: CollectionFilter? = nil, isOfIDs: Bool = false) {
    (self.collection, self.isOfIDs) = (collection, isOfIDs)
    let conditions = (filter?.conditions ?? []).map { condition in
      let (name, value) = (condition.name.utf8, condition.value.utf8)
      return "&\(PercentEncoding.encode(inQuery: name))=\(PercentEncoding.encode(inQuery: value))"
    }
    text = conditions.joined() + (isOfIDs ? "&_fields=id,last_modified" : "")
  }
}

/// How much of a collection is known: up to which change, and of which generation of it.
struct KintoCheckpoint: Sendable, Hashable {
  /// All changes up to this one are known, by the server's time.
  let change: Int64
  /// The version of the collection itself: a new one means that it was made anew, by this server or
  /// by another one. `nil` where it may not be read.
  let generation: Int64?

  var text: String { "\(change)/\(generation.map { "\($0)" } ?? "-")" }

}

extension KintoCheckpoint {
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
  let generation: Int64?
  var told: Int64
  /// Whether it tells ids alone: then it has no checkpoint.
  var isOfIDs = false

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
    let kind = isOfIDs ? "ids" : extent == .everything ? "everything" : "changes"
    return "\(kind)/\(checkpoint)/\(told)?\(query)"
  }

  static func read(mark: String) -> (list: KintoList, query: String)? {
    guard let question = mark.firstIndex(of: "?") else { return nil }
    let parts = mark[..<question].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, ["everything", "changes", "ids"].contains(parts[0]),
      let began = KintoCheckpoint("\(parts[1])/\(parts[2])"), let told = Int64(parts[3])
    else { return nil }
    let list = KintoList(
      extent: parts[0] == "changes" ? .changes : .everything, start: began.change,
      generation: began.generation, told: told, isOfIDs: parts[0] == "ids")
    return (list, String(mark[mark.index(after: question)...]))
  }
}
