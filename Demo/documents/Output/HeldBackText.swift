import Console

/// What is to be done about documents that are gone at the server, and so many of them that none
/// was removed here.
enum HeldBackText {
  static func line(_ count: Int, of held: Int, in collection: String) -> String {
    "\(count) of \(held) documents of \(collection.escaped) are gone at the"
      + " server, and none was removed here; if that is right, say so with"
      + " 'documents sync --max-delete \(count < held ? "\(count)" : "all")';"
      + " if the server lost them, 'documents republish' sends them again"
  }
}
