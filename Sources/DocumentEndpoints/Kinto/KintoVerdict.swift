import DocumentSync

/// What a Kinto server's answer to a request for a document means.
enum KintoVerdict: Sendable, Equatable {
  case ended(PushEnd)
  /// Nobody has said yet whether it's the document that may not be touched, or its collection.
  case forbidden(PushAnswer)
  /// The collection isn't there, or its bucket.
  case homeless(PushAnswer)
  /// The document isn't there, and nobody has said yet whether it was deleted or never was.
  case absent(PushAnswer)

  /// - Parameters:
  ///   - status: of the answer.
  ///   - saying: its body.
  ///   - request: what was asked.
  init(_ status: Int, _ saying: KintoSaying, to request: PushRequest) {
    switch status {
    case 200...299: self = .ended(Self.success(status, saying, to: request))
    case 403: self = .forbidden(Self.refusal(status, saying, .collection))
    // Only a Kinto server's own word tells that a record isn't there: a page that isn't found may
    // be anybody's.
    case 404, 410:
      self = Self.absence(status, saying, to: request)
    // A server that is read-only at present.
    case 405: self = .ended(.answered(Self.refusal(403, saying, .collection)))
    // Two requests at once, of which one is to come again.
    case 409: self = .ended(.answered(Self.refusal(503, saying, .collection)))
    case 412: self = Self.conflict(saying, to: request)
    default: self = .ended(.answered(Self.refusal(status, saying, .document)))
    }
  }

  private static func success(
    _ status: Int, _ saying: KintoSaying, to request: PushRequest
  ) -> PushEnd {
    guard let record = saying.record(of: request.id) else { return .unreadable }
    switch request.kind {
    case .create, .update:
      guard record.isThere else { return .unreadable }
      // Numbers may have become others.
      let isAsSent = record.shown?.copy?.value == request.body
      return .answered(
        PushAnswer(
          status: status, version: record.version, shown: isAsSent ? nil : record.shown))
    case .delete:
      guard !record.isThere else { return .unreadable }
      return .answered(PushAnswer(status: status, version: record.version))
    case .look:
      guard let shown = record.shown else { return .unreadable }
      return .answered(PushAnswer(status: status, version: record.version, shown: shown))
    }
  }

  private static func absence(
    _ status: Int, _ saying: KintoSaying, to request: PushRequest
  ) -> KintoVerdict {
    switch saying.kind {
    case .noSuchObject:
      let answer = refusal(status, saying, .document)
      return request.kind == .look ? .absent(answer) : .ended(.answered(answer))
    case .nothingToHoldIt: return .homeless(refusal(status, saying, .collection))
    case .badParameters, nil: return .ended(.answered(refusal(status, saying, .collection)))
    }
  }

  private static func conflict(_ saying: KintoSaying, to request: PushRequest) -> KintoVerdict {
    var answer = refusal(412, saying, .document)
    guard saying.isRefusal else { return .ended(.answered(answer)) }
    guard saying.existing != nil else { return .absent(answer) }
    answer.shown = saying.existing(of: request.id)?.shown?.recognising(request.body)
    return .ended(.answered(answer))
  }

  private static func refusal(
    _ status: Int, _ saying: KintoSaying, _ subject: RefusalSubject
  ) -> PushAnswer {
    PushAnswer(status: status, words: saying.words, subject: subject)
  }
}
