import DocumentSync
import SyncText

/// A record as a Kinto server tells it.
struct KintoRecord: Sendable {
  let id: DocumentID
  /// When it was changed last, which is its version, too.
  let changed: Int64
  /// What the server has of it; `nil` where that can't be a document, for this reason.
  let state: Result<DocumentState, DocumentProblem>

  /// - Parameter json: the record.
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
