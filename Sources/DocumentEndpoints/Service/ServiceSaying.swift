import DocumentSync
import SyncText
import SyncTransport

/// What a document service's answer to a request for a document means.
struct ServiceSaying: Sendable {
  let end: PushEnd
  /// Why a success can't be understood.
  private(set) var problem: String?

  init(_ answer: ServiceAnswer, to request: PushRequest) {
    let json = try? answer.json()
    guard (200...299).contains(answer.status) else {
      end = .answered(Self.refusal(answer, json))
      return
    }
    if request.kind.isDeletion {
      let isUnderstood = answer.status == 204 || json?.isObject ?? false
      end = isUnderstood ? .answered(PushAnswer(status: answer.status)) : .unreadable
      problem = isUnderstood ? nil : "it isn't JSON"
      return
    }
    let key = Self.key(json?["data"])
    if request.kind == .create, let key, key != request.id {
      end = .answered(PushAnswer(status: answer.status, madeAs: key))
      return
    }
    guard key == request.id, let copy = Self.copy(json?["data"], answer) else {
      end = .unreadable
      problem = "it isn't the document under the name \"data\""
      return
    }
    let shown = request.isShown(by: copy.value) ? DocumentState.present(copy) : nil
    end = .answered(PushAnswer(status: answer.status, version: copy.version, shown: shown))
  }

  private static func key(_ data: JSONValue?) -> DocumentID? {
    let said = data?[Array(ServiceEndpoint.idMember.utf8)]
    return (said?.string ?? said?.integer.map { "\($0)" }).map { DocumentID($0) }
  }

  private static func copy(_ data: JSONValue?, _ answer: ServiceAnswer) -> ServerCopy? {
    guard let data, let value = try? DocumentValue(bytes: Array(data.written)) else { return nil }
    let content = value.replacing(ByteString(ServiceEndpoint.idMember), with: nil)
    let version = answer.headers["ETag"] ?? "\(SHA256Digest(of: content.json.canonicalBytes))"
    return ServerCopy(value: content, version: DocumentVersion(version))
  }

  /// That something isn't there is a document's absence only where the service itself says so: a
  /// page that isn't found may come of a wrong address.
  private static func refusal(_ answer: ServiceAnswer, _ json: JSONValue?) -> PushAnswer {
    let status = answer.status
    let words = ["message", "error"].lazy.compactMap { json?[Array($0.utf8)]?.string }.first
    let isAnybodys = [404, 410].contains(status) && !(json?.isObject ?? false)
    return PushAnswer(
      status: status, words: answer.hiding(words ?? ""),
      subject: isAnybodys ? .collection : .document)
  }
}
