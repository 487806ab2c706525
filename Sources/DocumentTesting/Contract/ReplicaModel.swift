import DocumentSync

/// What somebody knows of a collection who follows its lists.
struct ReplicaModel {
  private(set) var documents: [DocumentID: ServerCopy] = [:]
  /// Whatever a list said last of a document.
  private(set) var told: [DocumentID: DocumentState] = [:]
  /// Where the next list begins; `nil` for one of everything.
  private(set) var checkpoint: String?
  /// What could not be read in the last list.
  private(set) var unreadable: [UnreadableEntry] = []
  /// How many pages the last list had.
  private(set) var pages = 0
  /// What the list at hand has named so far.
  private var named: Set<DocumentID> = []

  mutating func begin() {
    named = []
    unreadable = []
    told = [:]
    pages = 0
  }

  mutating func apply(_ page: ChangePage) {
    pages += 1
    for change in page.documents {
      named.insert(change.id)
      told[change.id] = change.state
      documents[change.id] = change.state.copy
    }
    unreadable += page.unreadable
    if let next = page.checkpoint { checkpoint = next }
    guard page.next == nil, page.extent == .everything else { return }
    // What can't be read is there all the same; if nobody can say whose it is, nothing is removed.
    let kept = named.union(page.unreadable.isEmpty ? [] : unreadable.compactMap(\.id))
    if !unreadable.contains(where: { $0.id == nil }) {
      documents = documents.filter { kept.contains($0.key) }
    }
  }
}

extension EndpointReply<PushEnd> {
  var isSuccess: Bool {
    end.answer.map { (200...299).contains($0.status) } ?? false
  }

  /// Whether it says that the document isn't there.
  var tellsAbsence: Bool {
    guard let answer = end.answer else { return false }
    if [404, 410].contains(answer.status) { return answer.subject == .document }
    if case .deleted = answer.shown { return [200, 409, 412].contains(answer.status) }
    return false
  }
}

extension PushEnd {
  var answer: PushAnswer? {
    guard case .answered(let answer) = self else { return nil }
    return answer
  }

  /// What the server said for people.
  var words: String { answer?.words ?? "" }

  /// The end, for a sentence.
  var summary: String {
    switch self {
    case .answered(let answer):
      "\(answer.status)" + (answer.words.isEmpty ? "" : " (\(answer.words))")
        + (answer.version.map { ", version \($0)" } ?? "")
    case .unreadable: "what can't be understood"
    case .lost: "no answer"
    case .unreachable: "no server that was reached"
    case .impossible: "no request"
    }
  }
}
