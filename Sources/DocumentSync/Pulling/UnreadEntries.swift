/// What a list told that can't be read.
///
/// What has an id is asked for by that. Nobody can ask so for what has none: it only comes again
/// with the list. So from there on, the list's checkpoints don't count, until it's told otherwise.
struct UnreadEntries: Sendable, Equatable {
  /// What has no id, by its place in the list.
  private(set) var nameless: Set<UnreadableDocument> = []
  /// How many entries came before the next page.
  private var count = 0

  /// A page came, of a list or of what a query found: answers what can't be read of it.
  mutating func note(_ page: ChangePage, of query: String? = nil) -> [UnreadableDocument] {
    let mark = UnreadableDocument.mark(ofQuery: query)
    let unread = page.unreadable.map { entry in
      UnreadableDocument(
        name: entry.id?.text ?? "entry \(count + entry.place)\(mark)", words: entry.reason,
        isNameless: entry.id == nil)
    }
    nameless.formUnion(unread.filter(\.isNameless))
    count += page.documents.count + page.unreadable.count
    return unread
  }

  /// The page as it counts: without its checkpoint if the list has to come again from before.
  func holding(_ page: ChangePage) -> ChangePage {
    guard !nameless.isEmpty else { return page }
    var page = page
    page.checkpoint = nil
    return page
  }
}
