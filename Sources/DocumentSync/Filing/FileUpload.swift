/// Brings a file to the server.
struct FileUpload: Sendable {
  let desk: FileDesk

  /// Brings it there, unless it's there already.
  func run(_ file: KeptFile) async throws {
    guard let bytes = try await desk.store.files.bytes(of: file.facts.digest),
      Int64(bytes.count) == file.facts.size
    else { return try await miss(file) }
    var isDoubtful = file.isTried
    guard try await desk.change({ try $0.tries(file) }) else { return }
    for _ in 0..<TryBudget().tries {
      // An answer may have been lost.
      if isDoubtful, try await desk.presence(of: file) != .missing {
        return try await desk.set(.checking, file)
      }
      let request = FileRequest.store(file.place, file.facts, bytes)
      if let reply = try await desk.askOnce(request, file) {
        return try await ended(reply.end, isDoubtful: isDoubtful, file)
      }
      isDoubtful = true
    }
    // Whether it's there was answered each time: it's trouble of this file.
    try await desk.delayed(
      "it couldn't be sent this time; the next sync tries it again", file, isWaiting: true)
  }

  private func ended(
    _ reply: FileEnd, isDoubtful: Bool, _ file: KeptFile
  ) async throws {
    switch reply {
    // An earlier upload of it may still be on its way, and take this one's content along.
    case .there:
      try await desk.set(isDoubtful ? .checking : .settled, file)
      desk.tally.note { $0.filesSent += 1 }
    case .refused(let status, let words):
      let refusal = Refusal(status: status, words: words)
      try await desk.refused(.refused, refusal.sentence, file)
    case .missing, .bytes: try await desk.delayed("the server has no place for it", file)
    case .unusable(let why): try await desk.delayed(why, file)
    }
  }

  /// What was to go up isn't here. If it was sent before, the server may have it; else it's
  /// dropped.
  private func miss(_ file: KeptFile) async throws {
    guard !file.isTried else { return try await desk.set(.down, file) }
    try await desk.change { try $0.forget(file) }
    desk.fail(file, "its content isn't here any more, and it isn't sent; attach it again")
  }

  /// Asks once more for a file of which it isn't certain that the server has it.
  func check(_ file: KeptFile) async throws {
    switch try await desk.presence(of: file) {
    case .there: return try await desk.set(.settled, file)
    case .unknown: return
    case .missing: break
    }
    let size = try await desk.store.files.size(of: file.facts.digest)
    // It may have been sent before, however long that is ago.
    try await desk.change { table in
      try table.tries(file)
      try table.set(size == file.facts.size ? .up : .down, file)
    }
  }
}
