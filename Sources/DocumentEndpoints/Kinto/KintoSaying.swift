import DocumentSync
import SyncText

/// The body of a Kinto server's answer, as far as it is one.
struct KintoSaying: Sendable {
  /// The kinds of refusals, by the server's numbers.
  enum Kind: Int, Sendable {
    case badParameters = 107
    /// There is no such record, or collection, where it was looked for.
    case noSuchObject = 110
    /// What should hold it isn't there.
    case nothingToHoldIt = 111
  }

  /// What is told: a record, a list of them, a collection.
  let data: JSONValue?
  /// Whether it's a Kinto server that refuses, and not somebody on the way.
  let isRefusal: Bool
  let kind: Kind?
  /// The server's own words about a refusal.
  let words: String
  /// The record that stands in a request's way, if the server shows it.
  let existing: JSONValue?
  /// Which parts of a request a refusal complains about.
  let culprits: [String]

  /// - Parameters:
  ///   - body: `nil` for what is no JSON.
  ///   - hiding: takes out of the words what must be shown nowhere; by default nothing.
  init(_ body: JSONValue?, hiding: (String) -> String = { $0 }) {
    data = body?["data"]
    let number = body?["errno"]?.integer
    isRefusal = number != nil && body?["code"]?.integer != nil
    kind = number.flatMap { Kind(rawValue: Int(clamping: $0)) }
    words = hiding(isRefusal ? body?["message"]?.string ?? body?["error"]?.string ?? "" : "")
    let details = body?["details"]
    existing = details?["existing"]
    culprits = details?.elements?.compactMap { $0["name"]?.string } ?? []
  }

  init(_ answer: ServiceAnswer) { self.init(try? answer.json(), hiding: answer.hiding) }

  /// The one record that an answer tells, if it is of this document.
  func record(of id: DocumentID) -> KintoRecord? { Self.record(data, of: id) }

  /// The record that stands in the way, if it is of this document.
  func existing(of id: DocumentID) -> KintoRecord? { Self.record(existing, of: id) }

  private static func record(_ json: JSONValue?, of id: DocumentID) -> KintoRecord? {
    guard let json, let record = KintoRecord(json), record.id == id else { return nil }
    return record
  }
}

/// A record as a Kinto server tells it.
struct KintoRecord: Sendable {
  let id: DocumentID
  /// When it was changed last, which is its version, too.
  let changed: Int64
  /// What the server has of it; `nil` where that can't be a document, for this reason.
  let state: Result<DocumentState, DocumentProblem>

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.string, let changed = json["last_modified"]?.integer else {
      return nil
    }
    self.id = DocumentID(id)
    self.changed = changed
    let version = DocumentVersion(String(changed))
    if json["deleted"]?.bool == true {
      state = .success(.deleted(version))
    } else {
      state = Result { () throws(DocumentProblem) in
        let value = try DocumentValue(bytes: Array(json.written))
        return .present(
          ServerCopy(value: value.withoutServerMembers, version: version, time: changed))
      }
    }
  }

  var version: DocumentVersion { DocumentVersion(String(changed)) }

  /// What the server has of it, if that can be read.
  var shown: DocumentState? { try? state.get() }

  var isThere: Bool {
    if case .success(.deleted) = state { return false }
    return true
  }
}

extension DocumentValue {
  /// The object without what a Kinto server adds.
  fileprivate var withoutServerMembers: DocumentValue {
    DocumentValue(
      joining: objectMembers.lazy.filter { !KintoCarrying.serverMembers.contains($0.name) })
  }
}
