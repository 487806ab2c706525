import Console
import RecordSync

struct RowRequest: Sendable, Equatable {
  var table = ""
  /// The row, but for `put`, where the object says it.
  var key: String?
  /// JSON, `@` and a file of it, or `-` for standard input; none for `delete`.
  var object = ""

  var file: String? { object.hasPrefix("@") ? String(object.dropFirst()) : nil }

  var source: RecordPayload {
    if object == "-" { return .standardInput }
    return file.map { RecordPayload.file($0) } ?? .text(object)
  }
}
