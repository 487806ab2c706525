/// Where a list of changes begins or goes on.
public enum ChangesPlace: Sendable, Hashable {
  /// With the first document that there is.
  case beginning
  /// After what was known at a checkpoint.
  case since(PullCheckpoint)
  /// With the next page of a list.
  case page(PageMark)
}

/// How much of a collection is known here: an endpoint gives it with a page and gets it back, maybe
/// years later.
///
/// Only its endpoint reads it. All that it needs to go on stands in it: a time or a revision, and
/// that by which it will notice that the server forgot: a generation, an identity.
public struct PullCheckpoint: Sendable, Hashable, CustomStringConvertible {
  /// The checkpoint as the endpoint wrote it.
  public let text: String

  /// A checkpoint of this text.
  public init(_ text: String) {
    self.text = text
  }

  /// The checkpoint as the endpoint wrote it.
  public var description: String { text }
}

/// Where a list goes on: an endpoint gives it with a page and gets it back for the next one.
///
/// It means nothing once the list has ended, or has begun anew.
public struct PageMark: Sendable, Hashable, CustomStringConvertible {
  /// The mark as the endpoint wrote it.
  public let text: String

  /// A mark of this text.
  public init(_ text: String) {
    self.text = text
  }

  /// The mark as the endpoint wrote it.
  public var description: String { text }
}
