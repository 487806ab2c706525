/// Brings a file from the server.
struct FileDownload: Sendable {
  /// How far it came.
  private enum End {
    case whole
    /// The server has no content where it said.
    case gone
    case cut(String)
  }

  /// So often it's asked where a content is that isn't where the server said.
  private static let mostLocations = 3

  let context: FileContext

  /// Brings it here, unless it's here already.
  ///
  /// Where its content isn't where the server said, the server is asked once more where it is: a
  /// second upload takes the first one's content away.
  func run(_ file: KeptFile) async throws {
    do {
      try await bring(file)
    } catch let error as EndpointError {
      guard case .unreadable(let words) = error.reason else { throw error }
      try await context.delayed(words, file)
    }
  }

  private func bring(_ file: KeptFile) async throws {
    let size = try await context.store.files.size(of: file.facts.digest)
    if size == file.facts.size { return try await context.set(.settled, file) }
    var last: ServerFile?
    for _ in 0..<Self.mostLocations {
      // Where the server doesn't have it yet, whoever attached it hasn't sent it yet.
      guard case .there(let there) = try await context.ask(.find(file.place), file).end else {
        return
      }
      guard there.digest == file.facts.digest, there.size == file.facts.size else {
        return try await context.delayed("the server has another content under its name", file)
      }
      if there == last { break }
      switch try await fetch(there, file) {
      case .whole: return try await finish(file)
      case .cut(let words): return try await context.delayed(words, file)
      case .gone: last = there
      }
    }
    try await context.delayed(
      "the server has lost its content; try the document again where it was attached", file)
  }

  private func finish(_ file: KeptFile) async throws {
    if try await context.store.files.finish(file.facts.digest) {
      try await context.set(.settled, file)
      context.tally.note { $0.filesReceived += 1 }
    } else {
      try await context.delayed("what came isn't what its digest says; it's fetched again", file)
    }
  }

  /// Brings what is missing.
  private func fetch(_ there: ServerFile, _ file: KeptFile) async throws -> End {
    let (shelf, digest) = (context.store.files, file.facts.digest)
    var held = try await shelf.beginning(of: digest)
    if held > there.size {
      try await shelf.discardBeginning(of: digest)
      held = 0
    }
    for _ in 0..<Self.mostPieces(of: there.size) {
      if held == there.size { return .whole }
      let reply = try await context.ask(.read(there, from: held, count: FileRun.piece), file)
      guard case .bytes(let bytes, let offset) = reply.end, !bytes.isEmpty else {
        return Self.end(of: reply.end)
      }
      let count = Int64(bytes.count)
      // Whoever gives another part than was asked for must give the whole, or it would never end.
      guard offset == held ? count <= there.size - held : offset == 0 && count == there.size else {
        try await shelf.discardBeginning(of: digest)
        return .cut("the server gives other bytes than it was asked for")
      }
      if offset != held { try await shelf.discardBeginning(of: digest) }
      try await shelf.append(bytes, to: digest)
      held = offset + count
    }
    if held == there.size { return .whole }
    return .cut("the server gives it in very small pieces; the next sync goes on with it")
  }

  /// So many pieces of a file are asked for in one sync: a server may give smaller ones, but not
  /// each byte by itself.
  private static func mostPieces(of size: Int64) -> Int64 {
    2 * (size / Int64(FileRun.piece)) + 16
  }

  private static func end(of reply: FileEnd) -> End {
    switch reply {
    case .missing: .gone
    case .refused(let status, let words):
      .cut(
        "the server doesn't give its content: "
          + Refusal(status: status, words: words).sentence)
    case .unusable(let why): .cut(why)
    case .there, .bytes: .cut("the server doesn't give its content")
    }
  }
}
