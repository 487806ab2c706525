internal import SyncLock
import SyncText

/// What is sent to which origin and to no other: authorization, signatures and custom headers.
/// Never printed.
package struct OriginAccess: Sendable, CustomStringConvertible, CustomReflectable {
  private var authorizations: [Origin: String] = [:]
  private var headers: [Origin: HTTPHeaders] = [:]
  private var netrcOrigins: Set<Origin> = []
  private var signatures: [Origin: SignatureV4] = [:]
  private var credentials: [Origin: Credentials] = [:]
  /// Whether an origin has asked for a proof of the password; `nil` as long as nobody knows. Shared
  /// by all copies.
  private let asksForDigest = Locked<[Origin: Bool]>([:])

  package init() {}

  package enum Authorization: Sendable {
    /// Name and password (RFC 7617).
    case basic(Credentials)
    /// A token (RFC 6750).
    case bearer(String)
  }

  /// Authorizes the requests to an origin, in place of what was set before.
  package mutating func authorize(_ origin: Origin, _ authorization: Authorization) {
    switch authorization {
    case .basic(let credentials):
      (authorizations[origin], self.credentials[origin]) = (credentials.basic, credentials)
    case .bearer(let token):
      (authorizations[origin], credentials[origin]) = ("Bearer \(token)", nil)
    }
  }

  /// Signs the requests to an origin, except those that are authorized in another way.
  package mutating func sign(_ origin: Origin, with signature: SignatureV4) {
    signatures[origin] = signature
  }

  package mutating func add(_ name: String, _ value: String, for origin: Origin) {
    headers[origin, default: HTTPHeaders()].add(name, value)
  }

  /// Lets the transport look up the password for an origin in its netrc file; for others it
  /// doesn't, whatever the file says.
  package mutating func allowNetrc(for origin: Origin) {
    netrcOrigins.insert(origin)
  }

  /// Whether the netrc file may be consulted for an origin.
  func allowsNetrc(for origin: Origin) -> Bool { netrcOrigins.contains(origin) }

  /// The headers of a request to `origin`, given the ones it was made with for `first`.
  ///
  /// To another origin than its first, a request takes only what speaks of the representation
  /// (ranges, validators, `Accept…`, `Content-…`), and its `Idempotency-Key`; everything else stays
  /// with the origin it was meant for.
  func headers(of request: HTTPRequest, to origin: Origin) -> HTTPHeaders {
    var all = request.headers
    if origin != request.address.origin {
      all = all.keeping { name in Self.travelling.contains { $0.isSameFieldName(as: name) } }
    }
    if let authorization = authorizations[origin], all["Authorization"] == nil {
      all.add("Authorization", authorization)
    }
    if let custom = headers[origin] { all.add(custom) }
    return all
  }

  /// A request as it goes out to its address at this time: signed, where its origin wants that.
  func signed(_ request: HTTPRequest, at date: HTTPDate) -> HTTPRequest {
    guard let signature = signatures[request.address.origin],
      request.headers["Authorization"] == nil
    else { return request }
    var request = request
    request.headers.add(signature.fields(for: request, at: date))
    return request
  }

  /// Whether a request would tell its origin the password as it is, and nobody knows whether the
  /// origin wants that; over https, nobody on the way reads it.
  func tellsTooMuch(_ request: HTTPRequest) -> Bool {
    request.address.scheme == "http" && hasPassword(for: request)
      && asksForDigest.withLock { $0[request.address.origin] } == nil
  }

  /// Whether the origin of a request is known to want a proof of the password.
  func wantsProof(_ request: HTTPRequest) -> Bool {
    asksForDigest.withLock { $0[request.address.origin] } == true
  }

  /// Takes note of what an origin asks for: only a refusal tells.
  ///
  /// - Returns: whether it wants a proof of the password.
  func learn(from response: HTTPResponse, to request: HTTPRequest) -> Bool {
    guard response.status == 401, hasPassword(for: request) else { return false }
    let challenges = Challenge.all(in: response.headers.all("WWW-Authenticate"))
    let wantsDigest = challenges.contains { $0.scheme == "digest" }
    asksForDigest.withLock { known in
      if wantsDigest || known[request.address.origin] == nil {
        known[request.address.origin] = wantsDigest
      }
    }
    return wantsDigest
  }

  /// The request as its origin wants it, as far as that is known: with the password, or with a
  /// proof of it.
  func proving(_ request: HTTPRequest) -> HTTPRequest {
    let origin = request.address.origin
    guard hasPassword(for: request), asksForDigest.withLock({ $0[origin] }) == true else {
      return request
    }
    var request = withoutPassword(request)
    request.usesNetrc = allowsNetrc(for: origin)
    (request.usesDigest, request.credentials) = (true, credentials[origin])
    return request
  }

  func withoutPassword(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers = request.headers.keeping { !$0.isSameFieldName(as: "Authorization") }
    request.usesNetrc = false
    return request
  }

  private func hasPassword(for request: HTTPRequest) -> Bool {
    let authorization = request.headers["Authorization"]
    return authorization.map { $0 == credentials[request.address.origin]?.basic }
      ?? request.usesNetrc
  }

  /// The region that the signatures for an origin name; `nil` where there are none.
  func signedRegion(for origin: Origin) -> String? { signatures[origin]?.region }

  private static let travelling = [
    "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    "Accept", "Accept-Language", "Cache-Control", "Pragma", "User-Agent", "Content-Type",
    "Content-Encoding", "Content-Language", "Idempotency-Key",
  ]

  /// For how many origins something is held, not what.
  package var description: String {
    let origins = Set(authorizations.keys).union(headers.keys).union(signatures.keys)
    return "(access to \(origins.count) origins)"
  }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
