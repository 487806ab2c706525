package import DocumentSync

/// What is asked of a server.
package enum ServerRequest: Sendable, Hashable {
  /// What it can do.
  case capabilities
  /// What changed in a collection.
  case changes(in: String, from: ChangesPlace)
  /// To do something with a document.
  case push(DocumentSend)
  /// To do something with many.
  case batch([DocumentSend])

  /// Whether it changes nothing.
  var isQuestion: Bool {
    switch self {
    case .capabilities, .changes: true
    case .push(let send): send.kind == .look
    case .batch(let sends): sends.allSatisfy { $0.kind == .look }
    }
  }
}

/// What comes back.
package enum ServerReply: Sendable, Hashable {
  /// What it can do.
  case capabilities(EndpointCapabilities)
  /// What changed.
  case changes(ChangesAnswer)
  /// What it did.
  case push(PushAnswer)
  /// What it did with each of many.
  case batch([PushAnswer])
  /// It did nothing, or broke.
  case refused(PushAnswer)
  /// A success that is no JSON.
  case garbled
  /// Nothing.
  case lost
  /// Nothing, and nothing was sent.
  case unreachable
}

/// What comes back, and what the server said beside it.
package struct ServerExchange: Sendable, Hashable {
  /// What comes back.
  package var reply: ServerReply
  /// What the server asks for.
  package var wishes = ServerWishes()
  /// What the server's clock shows; `nil` where nothing came from it.
  package var date: Int64?
}

/// A call of a ``ReferenceServer`` that was made.
public struct ServerCall: Sendable, Hashable {
  /// What is asked for with a call.
  public enum Kind: Sendable, Hashable {
    /// What the server can do.
    case capabilities
    /// What changed.
    case changes
    /// One document.
    case push
    /// Many of them.
    case batch(Int)
  }

  /// Who made it.
  public let caller: String
  /// What was asked.
  public let kind: Kind
  /// What went wrong with it.
  public let fault: ServerFault?
}

extension ServerRequest {
  /// What is asked for.
  var kind: ServerCall.Kind {
    switch self {
    case .capabilities: .capabilities
    case .changes: .changes
    case .push: .push
    case .batch(let sends): .batch(sends.count)
    }
  }
}
