import SyncText

/// The address of a page of a bucket's list, taken apart and put together: the bucket, and what the
/// keys that are asked for begin with.
struct BucketListAddress: Equatable {
  /// The bucket, with a slash at its end.
  let bucket: URLReference
  /// What the keys begin with: nothing, or a name with a slash at its end.
  let prefix: [UInt8]

  /// The bucket and the prefix that a catalog's address means. The bucket is the first part of the
  /// path. Amazon's hosts that have its name in theirs, and any address without a path, are the
  /// bucket themselves, and all of the path is the prefix.
  init(catalog: URLReference) {
    var parts = catalog.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var bucket = catalog.withoutQuery
    bucket.setPath("/")
    if !Self.isBucket(host: catalog.authority ?? ""), let name = parts.popFirst(), !name.isEmpty {
      bucket.setPath("/\(name)/")
    }
    if parts.last?.isEmpty ?? false { parts.removeLast() }
    let directory = parts.joined(separator: "/")
    self.bucket = bucket
    prefix = directory.isEmpty ? [] : PercentEncoding.decode(directory + "/") ?? []
  }

  /// The same of a request that ``request(after:)`` made.
  init(request: URLReference) {
    var bucket = request.withoutQuery
    if !bucket.path.hasSuffix("/") { bucket.setPath(bucket.path + "/") }
    self.bucket = bucket
    let parameter = (request.query ?? "").split(separator: "&").first { $0.hasPrefix("prefix=") }
    prefix = parameter.flatMap { PercentEncoding.decode($0.dropFirst(7)) } ?? []
  }

  /// The bucket's name, as its address has it; `nil` where a host of one's own stands for it, or
  /// something else than the bucket itself, such as an access point.
  var name: String? {
    let path = bucket.path.dropFirst().dropLast()
    guard path.isEmpty else {
      return PercentEncoding.decode(path).map { String(decoding: $0, as: UTF8.self) }
    }
    guard let host = bucket.authority?.lowercased(), Self.isBucket(host: host),
      let service = (host.ranges(of: ".s3.") + host.ranges(of: ".s3-")).map(\.lowerBound).max(),
      !Self.otherServices.contains(where: { host[service...].hasPrefix(".s3-" + $0) })
    else { return nil }
    let name = String(host[..<service])
    return name.hasSuffix("-s3alias") ? nil : name
  }

  /// What a host is of beside buckets.
  private static let otherServices = ["accesspoint", "object-lambda", "outposts"]

  /// What to ask for a page: the first, or the one after which the server gave this token.
  func request(after token: String? = nil) -> CatalogRequest {
    var url = bucket
    let continuation = token.map { "continuation-token=" + Self.encode(Array($0.utf8)) + "&" } ?? ""
    url.setQuery(continuation + "encoding-type=url&list-type=2&prefix=" + Self.encode(prefix))
    return CatalogRequest(url.text)
  }

  func locator(of key: [UInt8]) -> String {
    var url = bucket
    url.setPath(url.path + PercentEncoding.encode(path: key))
    return url.text
  }

  private static func isBucket(host: String) -> Bool {
    let host = host.lowercased()
    guard host.hasSuffix(".amazonaws.com") || host.hasSuffix(".amazonaws.com.cn") else {
      return false
    }
    return !host.hasPrefix("s3.") && !host.hasPrefix("s3-")
  }

  private static func encode(_ bytes: [UInt8]) -> String {
    PercentEncoding.encode(path: bytes).replacing("/", with: "%2F")
  }
}
