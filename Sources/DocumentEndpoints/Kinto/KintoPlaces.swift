import DocumentSync
import SyncText
import SyncTransport

/// Where a Kinto server keeps what: the addresses of one bucket.
struct KintoPlaces: Sendable {
  /// The server, with the version of its protocol and without a closing slash.
  let root: WebAddress
  let bucket: String

  /// The places of a bucket.
  ///
  /// - Parameter server: With or without the version, with or without a closing slash.
  /// - Throws: ``ServiceProblem``.
  init(server: String, bucket: String) throws(ServiceProblem) {
    let web = try ServiceAddress.read(server)
    let steps = web.path.split(separator: "/")
    guard !steps.contains("buckets") else { throw .inside(web.redacted) }
    let isWhole = steps.last.map(String.init) == Self.version
    let text = steps.isEmpty ? "\(web.origin)" : web.text
    guard let root = try? WebAddress(isWhole ? text : "\(text)/\(Self.version)") else {
      throw .badAddress(web.redacted)
    }
    guard KintoNames.isName(bucket) else { throw .badName(bucket) }
    self.root = root
    self.bucket = bucket
  }

  private static let version = "v1"

  var greeting: String { "/" }
  /// Where many requests are sent in one.
  var batch: String { "/batch" }
  var bucketPath: String { "/buckets/\(bucket)" }

  func path(of collection: String) -> String { "\(bucketPath)/collections/\(collection)" }

  func records(of collection: String) -> String { "\(path(of: collection))/records" }

  func record(_ id: DocumentID, of collection: String) -> String {
    "\(records(of: collection))/\(id.text)"
  }

  /// The whole address of a path of this server. The names in it hold nothing that has to be
  /// encoded, see ``KintoNames``.
  func address(_ path: String) throws(EndpointError) -> WebAddress { try root.below(path) }

  /// The query of a list's next page, which is to be at this server and of the same collection. The
  /// bucket may go by another name there: that of an account has its own, besides `default`.
  ///
  /// - Parameter text: the address, as the server gave it.
  func queryOfNextPage(_ text: String, of collection: String) -> String? {
    guard let next = try? root.resolving(text), next.origin == root.origin,
      next.path.hasPrefix(root.path + "/buckets/"),
      next.path.hasSuffix("/collections/\(collection)/records")
    else { return nil }
    return next.query
  }
}

/// What things at a Kinto server may be called.
enum KintoNames {
  /// Letters and digits of ASCII, `-` and `_`, of which the last two don't begin one.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, isAlphanumeric(first) else { return false }
    return text.utf8.allSatisfy {
      isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
