import Console
import DocumentSync

/// `documents resolve STORE ID …` and `documents restore STORE NUMBER`: nothing is sent.
struct DecideCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store)
    let word = invocation.words[0]
    if let resolution = invocation.resolution {
      let id = DocumentID(word)
      guard try await open.replica.status(of: id) != nil else { throw ProgramProblem.unknown(id) }
      let here = try await open.replica.conflict(id)?.here
      let type = try await open.replica.shown(id, open.types)?[open.types.member]?.string
      try await open.replica.resolve(
        id, try resolution.stored(id, over: here, ofType: type, open.types))
    } else if let number = Int64(word) {
      let new: DocumentID? = invocation.makesNewID ? .uuid7() : nil
      Streams.out(try await open.replica.restore(number, as: new).text)
    }
    await open.replica.close()
    return .done
  }
}

extension DocumentConflict.Resolution {
  /// The decision with a document as it's stored: its id stands beside it, and so does its type
  /// where its collection tells that.
  fileprivate func stored(
    _ id: DocumentID, over here: DocumentValue?, ofType type: String?, _ types: DocumentTypes
  ) throws -> Self {
    guard case .document(let value) = self else { return self }
    if let own = value["id"], own.string != id.text {
      throw UsageError("the id is '\(id)', and in the JSON \(own); nothing was decided")
    }
    let content = try value.setting("id", to: nil)
    guard let collection = type.flatMap({ types.collection(of: $0) }) else {
      return .document(content)
    }
    return .document(types.stored(content, over: here, in: collection))
  }
}
