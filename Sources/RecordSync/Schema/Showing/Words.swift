private import SyncText

extension ColumnType {
  var words: String {
    switch kind {
    case .date(.text): "date"
    case .date(.milliseconds): "date in milliseconds"
    case .date(.seconds): "date in seconds"
    case .any: "anything"
    case .blob: "bytes"
    case .uuid: "UUID"
    case .url: "URL"
    case .json: "JSON"
    default: kind.name
    }
  }
}

extension ColumnType.Kind {
  /// By the names that a schema file has for them. Dates have names of their own there.
  static let named: [(name: String, meaning: ColumnType.Kind)] = [
    ("text", .text), ("integer", .integer), ("real", .real), ("decimal", .decimal),
    ("boolean", .boolean), ("uuid", .uuid), ("url", .url), ("json", .json), ("blob", .blob),
    ("any", .any),
  ]

  var name: String { Self.named.first { $0.meaning == self }?.name ?? "date" }
}

extension String {
  /// A name for people's eyes, which can't steer a terminal.
  var shown: String { ByteString(self).description }

  /// The same in a sentence.
  var quoted: String { "“" + shown + "”" }
}
