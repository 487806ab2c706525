import Console

/// What comes on standard input.
enum StandardInput {
  static func document() throws -> [UInt8] {
    let limit = 64 << 20
    let input = try bytes(limit: limit + 1)
    guard input.bytes.count <= limit else {
      throw UsageError("more than 64 MB came on standard input; no document is so long")
    }
    guard !input.bytes.isEmpty else {
      throw UsageError(
        "nothing came on standard input, where a document was expected: {\"text\": \"Milk\"}, say;"
          + " nothing was stored")
    }
    return input.bytes
  }

  /// All of it, of many documents: a file however long it is; what another program says has to be
  /// in memory, and may never end.
  static func documents() throws -> [UInt8] {
    let limit = 128 << 20
    let start = try bytes(limit: limit + 1)
    guard start.bytes.count > limit else { return start.bytes }
    guard start.isRegular else {
      throw UsageError(
        "more than 128 MB came on standard input from a program; nothing was stored."
          + " Write it to a file, and read that: 'documents import STORE < FILE'")
    }
    return try start.bytes + bytes().bytes
  }

  private static func bytes(limit: Int = .max) throws -> FileBytes {
    guard let input = FileBytes(ofOpen: 0, limit: limit) else {
      throw ProgramProblem.unreadable("standard input")
    }
    return input
  }
}
