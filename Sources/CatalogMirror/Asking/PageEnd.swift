import SyncFetching
import SyncText
import SyncTransport

/// What asking for one page came to.
enum PageEnd: Sendable {
  /// It came and was read.
  case fetched(CatalogPage, SHA256Digest, ByteAnswer)
  case notModified(ByteAnswer)
  /// It can't be had; why, which option may help, and whether the source says that it isn't there.
  case unfetched(String, MirrorAdvice?, Absence?)
  /// It came and can't be read.
  case unreadable(CatalogError)

  /// A source's word that there is nothing.
  struct Absence: Equatable, Sendable {
    /// What happened, without what to do.
    var event: String
    /// Whether it says just that. Servers of buckets say of what isn't there that it is forbidden,
    /// to who may not list.
    var isCertain: Bool
  }

  var isFailure: Bool {
    switch self {
    case .fetched, .notModified: false
    case .unfetched, .unreadable: true
    }
  }

  /// What the source says, where it says that there is nothing.
  var absence: Absence? {
    if case .unfetched(_, _, let absence) = self { absence } else { nil }
  }

  /// The same without the validators of an answer from another address than the first, which is
  /// the one that is asked with them next time.
  var ofAnotherAddress: PageEnd {
    guard case .fetched(let page, let digest, var answer) = self else { return self }
    (answer.etag, answer.lastModified) = (nil, nil)
    return .fetched(page, digest, answer)
  }
}

extension TransportError {
  /// What a server says of whether there is anything; `nil` where it says nothing of that, as who
  /// forbids it for a while.
  var absence: PageEnd.Absence? {
    switch code {
    case .status(404), .status(410): PageEnd.Absence(event: event, isCertain: true)
    case .status(403) where !isTransient: PageEnd.Absence(event: event, isCertain: false)
    default: nil
    }
  }
}
