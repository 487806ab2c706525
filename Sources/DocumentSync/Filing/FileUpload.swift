/// Brings a file to the server.
struct FileUpload: Sendable {
  let context: FileContext

  /// Brings it there, unless it's there already.
  func run(_ file: KeptFile) async throws {
    guard let content = try await context.store.files.content(of: file.facts.digest),
      content.size == file.facts.size
    else { return try await miss(file) }
    var isDoubtful = file.isTried
    guard try await context.change({ try $0.tries(file) }) else { return }
    for _ in 0..<TryBudget().tries {
      // An answer may have been lost.
      if isDoubtful, try await context.presence(of: file) != .missing {
        return try await context.set(.checking, file)
      }
      let request = FileRequest.store(file.place, file.facts, content)
      if let reply = try await context.askOnce(request, file) {
        return try await ended(reply.end, isDoubtful: isDoubtful, file)
      }
      isDoubtful = true
    }
    // Whether it's there was answered each time: it's trouble of this file.
    try await context.delayed(
      "it couldn't be sent this time; a later sync tries it again", file, isWaiting: true)
  }

  private func ended(
    _ reply: FileEnd, isDoubtful: Bool, _ file: KeptFile
  ) async throws {
    switch reply {
    // An earlier upload of it may still be on its way, and take this one's content along.
    case .there:
      try await context.set(isDoubtful ? .checking : .settled, file)
      context.tally.note { $0.filesSent += 1 }
    case .refused(let status, let words):
      let refusal = Refusal(status: status, words: words)
      try await context.refused(.refused, refusal.sentence, file)
    case .missing, .bytes: try await context.delayed("the server has no place for it", file)
    case .unusable(let why): try await context.delayed(why, file)
    }
  }

  /// What was to go up isn't here. If it was sent before, the server may have it; else it's
  /// dropped.
  private func miss(_ file: KeptFile) async throws {
    guard !file.isTried else { return try await context.set(.down, file) }
    try await context.change { try $0.forget(file) }
    context.fail(file, "its content isn't here any more, and it isn't sent; attach it again")
  }

  /// Asks once more for a file of which it isn't certain that the server has it.
  func check(_ file: KeptFile) async throws {
    switch try await context.presence(of: file) {
    case .there: return try await context.set(.settled, file)
    case .unknown: return
    case .missing: break
    }
    let size = try await context.store.files.size(of: file.facts.digest)
    // It may have been sent before, however long that is ago.
    try await context.change { table in
      try table.tries(file)
      try table.set(size == file.facts.size ? .up : .down, file)
    }
  }
}
