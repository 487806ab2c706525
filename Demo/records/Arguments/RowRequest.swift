import Console
import RecordSync

/// What `put`, `update` and `delete` need to know.
struct RowRequest: Sendable, Equatable {
  var table = ""
  /// The row, but for `put`, where the object says it.
  var key: String?
  /// JSON, `@` and a file of it, or `-` for standard input; none for `delete`.
  var object = ""

  /// The file that the object is in, if it is in one.
  var file: String? { object.hasPrefix("@") ? String(object.dropFirst()) : nil }

  /// The object, read when it is asked for.
  var source: RecordPayload {
    if object == "-" { return .standardInput }
    return file.map { RecordPayload.file($0) } ?? .text(object)
  }
}
