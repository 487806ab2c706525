import SyncDatabase
private import SyncText

/// What SQLite is told of documents. Its own functions for JSON read other numbers than were
/// written, end a string at U+0000, and don't find a member whose name is written with escapes.
enum QueryFunctions {
  private static let times = PathCode.bytes(of: [.member(MemberTimes.name)])

  /// Lets a connection's statements look into documents.
  static func install(in connection: Connection) throws {
    try connection.define(key)
    try connection.define(like)
  }

  /// `document_key(body, path)`: the ``ComparisonKey`` of the value at a path; NULL without one.
  private static let key = SQLFunction("document_key", arguments: 2) { arguments in
    guard let body = arguments.bytes(0), let path = arguments.bytes(1) else { return nil }
    return try withValue(at: path, of: body) { .blob(try ComparisonKey.key(written: $0)) }
  }

  /// `document_like(body, path, pattern)`: whether there is a string of that pattern.
  private static let like = SQLFunction("document_like", arguments: 3) { arguments in
    guard let body = arguments.bytes(0), let path = arguments.bytes(1),
      let pattern = arguments.bytes(2)
    else { return nil }
    return try withValue(at: path, of: body) { written in
      let text = ComparisonKey.stringBytes(written: written)
      return text?.withUnsafeBufferPointer {
        .integer(LikePattern.matches($0, pattern) ? 1 : 0)
      }
    }
  }

  /// Hands the text of a value to `body`, as people may see it; `nil` where there is none.
  private static func withValue(
    at path: UnsafeBufferPointer<UInt8>, of document: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> StoredValue?
  ) throws -> StoredValue? {
    if path.isEmpty {
      let seen = try DocumentValue(bytes: Array(document)).withoutTimes
      return try seen.json.written.withUnsafeBufferPointer(body)
    }
    if path.starts(with: times) { return nil }
    guard let range = try MemberScanner.range(of: PathCode(path), in: document) else { return nil }
    return try body(UnsafeBufferPointer(rebasing: document[range]))
  }
}
