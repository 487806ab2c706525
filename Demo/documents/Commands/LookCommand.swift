import Console
import DocumentSync

/// `documents status`, `why`, `digest` and `lost`: what is seen of a store.
struct LookCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store, onlyReads: true)
    let id = invocation.words.first.map { DocumentID($0) }
    switch (invocation.command, id) {
    case (.why, let id?): return try await why(id, open)
    case (.lost, _): return try await lost(id, open)
    case (.digest, _): return try await digest(open)
    case (_, let id?): return try await status(id, open)
    case (_, nil): return try await status(open)
    }
  }

  private func status(_ open: OpenStore) async throws -> ExitStatus {
    let summary = try await open.replica.summary()
    if invocation.isJSON {
      Streams.out(StatusText.json(summary, open.setup))
    } else {
      let waiting = try await WaitingDocuments(summary, of: open.replica)
      Streams.out("goes with \(open.setup.placeAndTypes)")
      for line in StatusText.lines(summary, waiting, open.setup) { Streams.out(line) }
    }
    return .done
  }

  private func status(_ id: DocumentID, _ open: OpenStore) async throws -> ExitStatus {
    guard let status = try await open.replica.status(of: id) else { return missing(id) }
    let files = try await open.replica.fileTroubles(of: id)
    if invocation.isJSON {
      let shown = try await open.replica.shown(id, open.types)
      Streams.out(StatusText.json(id, shown?[open.types.member]?.string, status, files))
    } else {
      let reason = status.sentence.map { ": \(Declarations.asOptions($0))" } ?? ""
      Streams.out("\(id.text.escaped) is \(status.state.rawValue)\(reason)")
      for file in files { Streams.out(file.told.escaped) }
    }
    return .done
  }

  private func why(_ id: DocumentID, _ open: OpenStore) async throws -> ExitStatus {
    guard let life = try await open.replica.life(of: id) else { return missing(id) }
    let answer = invocation.showsAnswers ? try await open.replica.lastAnswer(to: id) : nil
    guard !invocation.isJSON else {
      let type = try await open.replica.shown(id, open.types)?[open.types.member]?.string
      Streams.out(
        LifeText.json(id, type, life, answer: invocation.showsAnswers ? .some(answer) : nil))
      return .done
    }
    for sentence in life.sentences { Streams.out(Declarations.asOptions(sentence)) }
    guard invocation.showsAnswers else { return .done }
    guard let answer else {
      Streams.out("no answer of the server is kept: nothing of it waits to be sent, or was asked")
      return .done
    }
    let time = answer.time.flatMap { Moments.text($0) }
    Streams.out("the server's last answer\(time.map { ", at \($0)" } ?? ""):")
    Streams.out(answer.text)
    return .done
  }

  private func digest(_ open: OpenStore) async throws -> ExitStatus {
    Streams.out(try await open.replica.digest())
    for part in try await open.replica.summary().filtered {
      let filter = part.filter.map { "\($0)".escaped } ?? "a filter"
      Streams.error(
        "documents: of \(part.collection.escaped) the digest is of what is held here: \(filter).")
    }
    if try await !open.replica.isAtRest() {
      Streams.error(
        "documents: the store isn't at rest; the digest is of what the server had last. "
          + "'documents status' tells what waits.")
    }
    return .done
  }

  private func lost(_ id: DocumentID?, _ open: OpenStore) async throws -> ExitStatus {
    let lost = try await open.replica.lost(of: id)
    if lost.isEmpty, let id, try await open.replica.life(of: id) == nil { return missing(id) }
    for change in lost {
      Streams.out(invocation.isJSON ? LostText.json(change) : LostText.line(change))
    }
    return .done
  }

  private func missing(_ id: DocumentID) -> ExitStatus {
    Streams.error("documents: nothing is known of a document '\(id.text.escaped)'.")
    return .failed
  }
}
