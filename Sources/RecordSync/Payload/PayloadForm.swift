private import SyncText

/// How the elements of a payload stand in its text.
package enum PayloadForm: Sendable, Equatable {
  /// An array of elements, one object, or, where a second value follows on an object, a value
  /// behind another.
  case automatic
  /// A value behind another, whatever the first one is (NDJSON).
  case lines
  /// In one body, at the end of a path through objects: an array of elements, or one object.
  case items(PayloadPath)

  /// The form that the name of a file tells: lines for `.ndjson` and `.jsonl`.
  package init(fileName: String) {
    let name = fileName.asciiLowercased
    self = name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") ? .lines : .automatic
  }
}

/// A path through the objects of a body: `data.users`.
public struct PayloadPath: Sendable, Hashable {
  /// The names of the members, at least one, each with at least one byte.
  let names: [[UInt8]]

  /// The path of names with dots between them; `nil` where a name is empty.
  public init?(_ text: String) {
    names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map(Array.init)
    guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
  }

  /// The path up to the name of that place, that included.
  func text(through place: Int) -> String {
    names[...place].map { ByteString.escape($0) }.joined(separator: ".")
  }

  /// All of the path.
  var text: String { text(through: names.count - 1) }
}
