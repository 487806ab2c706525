package import DocumentSync

package enum ServerRequest: Sendable, Hashable {
  case capabilities
  case changes(in: String, from: ChangesPlace, ListPart = ListPart())
  /// To do something with a document.
  case push(PushRequest)
  /// To do something with many.
  case batch([PushRequest])
  /// To do something with a file.
  case file(FileRequest)

  /// Whether an older answer to it does no harm: what is missing in it comes with a later one.
  ///
  /// An older list of everything would say that newer documents aren't there.
  var bearsOldAnswers: Bool {
    switch self {
    case .changes(_, .since, _): true
    case .changes(_, .page, let part): !part.isOfIDs
    case .changes(_, .beginning, _), .capabilities, .push, .batch, .file: false
    }
  }
}

/// What comes back.
package enum ServerReply: Sendable, Hashable {
  case capabilities(EndpointCapabilities)
  case changes(ChangesAnswer)
  case push(PushAnswer)
  case batch([PushAnswer])
  case file(FileEnd)
  /// It did nothing, or broke.
  case refused(PushAnswer)
  /// A success that is no JSON.
  case garbled
  case lost
  /// Nothing, and nothing was sent.
  case unreachable
}

/// What comes back, and what the server said beside it.
package struct ServerExchange: Sendable, Hashable {
  package var reply: ServerReply
  package var wishes = ServerWishes()
  /// What the server's clock shows; `nil` where nothing came from it.
  package var date: Int64?
}

/// A call of a ``ReferenceServer`` that was made.
package struct ServerCall: Sendable, Hashable {
  /// What is asked for with a call.
  package enum Kind: Sendable, Hashable {
    /// What the server can do.
    case capabilities
    /// What changed.
    case changes
    /// One document.
    case push
    /// Many of them.
    case batch(Int)
    /// A file.
    case file
  }

  package let caller: String
  package let kind: Kind
  package let fault: ServerFault?
}

extension ServerRequest {
  var kind: ServerCall.Kind {
    switch self {
    case .capabilities: .capabilities
    case .changes: .changes
    case .push: .push
    case .batch(let sends): .batch(sends.count)
    case .file: .file
    }
  }
}
