/// What a server's refusal is about.
public enum RefusalSubject: Sendable, Hashable {
  /// The document.
  case document
  /// What holds it, a collection or a bucket: no document is at fault.
  case collection
}
