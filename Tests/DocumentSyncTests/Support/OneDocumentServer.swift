@testable import DocumentSync

/// A server with one document, which it gives and takes as servers with preconditions do.
struct OneDocumentServer {
  private(set) var value: DocumentValue?
  private(set) var version = 0

  enum Precondition {
    case absent
    case version(DocumentVersion)
  }

  var copy: ServerCopy? {
    value.map {
      ServerCopy(value: $0, version: DocumentVersion("\(version)"), time: Int64(version) * 10)
    }
  }

  /// What is told to who has seen everything up to a version.
  func changes(since seen: Int) -> DocumentState? { version <= seen ? nil : state }

  /// What a refused send is told, and who asks for the document.
  var state: DocumentState { copy.map { .present($0) } ?? .deleted(nil) }

  /// Takes a document, or a deletion; whether it did.
  mutating func take(_ new: DocumentValue?, if precondition: Precondition) -> Bool {
    switch precondition {
    case .absent where value == nil: break
    case .version(let known) where value != nil && known.text == "\(version)": break
    case .absent, .version: return false
    }
    version += 1
    value = new
    return true
  }
}
