import SyncText

/// The list of a bucket of S3 and of what speaks like it, by its second version (Amazon S3 API
/// Reference, "ListObjectsV2").
///
/// Keys are those below the prefix that was asked for, which stands for a directory. They are asked
/// for in percent-encoding, as XML can't carry all of them. An object of no bytes whose key ends in
/// a slash says that a directory is there; it is passed over, and counted. The entity tag is
/// opaque: for some objects it is a digest, for others nothing that could be checked. Whole when
/// the chain of pages came to its end; a server that fails midway answers 200 all the same, so a
/// page without all that belongs to one is an error.
struct S3Format: CatalogFormat {
  let name = CatalogFormatName.s3
  let noun = "a bucket's list of objects"

  func firstRequest(to catalog: URLReference) -> CatalogRequest {
    BucketListAddress(catalog: catalog).request()
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    guard let asked = URLReference(body.request.url) else {
      throw body.unreadable(expected: .format(name), found: .noURL)
    }
    let list = try BucketList(body.xml(expected: name), of: body, limits)
    return try list.page(BucketListAddress(request: asked), of: body)
  }
}

/// A page as it stands there.
private struct BucketList {
  struct Object {
    var key: String?
    var etag: String?
    var size: String?
    var modified: String?
    /// Whether nothing is said of it twice.
    var isClear = true
  }

  struct Members {
    private var names: Set<String> = []
    private(set) var hasTwins = false

    mutating func take(_ element: MarkupElement, of single: Set<String>) {
      guard single.contains(element.name) else { return }
      if !names.insert(element.name).inserted { hasTwins = true }
    }
  }

  var objects: [Object] = []
  var isTruncated: Bool?
  var token: String?
  var count: String?
  var isEncoded = false
  var prefix: String?
  var bucket: String?
  private var members = Members()
  private static let single: Set<String> = [
    "Name", "Prefix", "IsTruncated", "NextContinuationToken", "ContinuationToken", "KeyCount",
    "MaxKeys", "EncodingType", "Delimiter", "StartAfter",
  ]

  init(
    _ document: MarkupDocument, of body: CatalogBody, _ limits: CatalogLimits
  ) throws(CatalogError) {
    if document.root.name == "Error" { throw try Self.refusal(document, of: body) }
    guard document.root.name == "ListBucketResult" else {
      throw body.unreadable(expected: .format(.s3), found: .xml)
    }
    try document.forEach { child throws(CatalogError) in
      members.take(child, of: Self.single)
      switch child.name {
      case "Name": bucket = child.text
      case "Contents": objects.append(Object(child))
      case "IsTruncated":
        isTruncated = child.text == "true" ? true : child.text == "false" ? false : nil
      case "NextContinuationToken": token = child.text
      case "KeyCount": count = child.text
      case "EncodingType": isEncoded = child.text == "url"
      case "Prefix": prefix = child.content
      // Keys that a server has put together, though nobody asked for that, are missing.
      case "CommonPrefixes": throw body.unreadable(expected: .format(.s3), found: .cutPage)
      default: break
      }
      try body.checkCount(objects.count, limits)
    }
  }

  private static func refusal(
    _ document: MarkupDocument, of body: CatalogBody
  ) throws(CatalogError) -> CatalogError {
    var code = ""
    try document.forEach { child throws(CatalogError) in
      if code.isEmpty, child.name == "Code" { code = child.text }
    }
    return body.unreadable(expected: .format(.s3), found: .refusal(shown(code)))
  }

  func page(
    _ address: BucketListAddress, of body: CatalogBody
  ) throws(CatalogError) -> CatalogPage {
    var page = CatalogPage(format: .s3, claim: .whole)
    guard let isTruncated, isTruncated == (token.map { !$0.isEmpty } ?? false),
      count.map({ $0 == String(objects.count) }) ?? true,
      prefix.map({ says($0, address.prefix) }) ?? true, bucket != "",
      !members.hasTwins, objects.allSatisfy(\.isClear)
    else { throw body.unreadable(expected: .format(.s3), found: .cutPage) }
    if let bucket, let asked = address.name, !Self.isSame(bucket, asked) {
      throw body.unreadable(
        expected: .format(.s3), found: .otherBucket(Self.shown(bucket), asked: Self.shown(asked)))
    }
    if isTruncated { page.next = address.request(after: token) }
    for object in objects {
      guard let key = object.key.flatMap(bytes), key.starts(with: address.prefix) else {
        throw body.unreadable(expected: .format(.s3), found: .cutPage)
      }
      if key.isEmpty || key.last == UInt8(ascii: "/"), object.size == "0" {
        page.notes.markers += 1
        continue
      }
      page.entries.append(object.entry(key, address, of: body, at: page.entries.count + 1))
    }
    return page
  }

  /// Whether a list of this bucket is what was asked for. Some servers have tenants, who stand
  /// before the name in the address, with a colon, and not in the list.
  private static func isSame(_ bucket: String, _ asked: String) -> Bool {
    bucket == asked || asked.hasSuffix(":" + bucket)
  }

  private static func shown(_ word: String) -> String {
    String(ByteString.escape(word.utf8).prefix(60))
  }

  /// Whether the list is said to be of the prefix; some servers never encode it.
  private func says(_ text: String, _ prefix: [UInt8]) -> Bool {
    Array(text.utf8) == prefix || bytes(text) == prefix
  }

  /// What a key or a prefix stands for: percent-encoded as in a form, where the page says so.
  private func bytes(_ text: String) -> [UInt8]? {
    isEncoded ? PercentEncoding.decode(text.replacing("+", with: "%20")) : Array(text.utf8)
  }
}

extension BucketList.Object {
  fileprivate init(_ contents: MarkupElement) {
    var met = BucketList.Members()
    for child in contents.children {
      met.take(child, of: ["Key", "ETag", "Size", "LastModified", "StorageClass", "Owner"])
      switch child.name {
      case "Key": key = child.content
      case "ETag": etag = child.text
      case "Size": size = child.text
      case "LastModified": modified = child.text
      default: break
      }
    }
    isClear = !met.hasTwins
  }

  fileprivate func entry(
    _ key: [UInt8], _ address: BucketListAddress, of body: CatalogBody, at position: Int
  ) -> ListedEntry {
    let name = CatalogKey(bytes: Array(key.dropFirst(address.prefix.count)))
    let locator = address.locator(of: key)
    func unusable(_ problem: EntryProblem) -> ListedEntry {
      .unusable(UnusableEntry(position: position, key: name, problem: problem))
    }
    guard let size = size.flatMap({ Int64($0) }), size >= 0 else {
      return unusable(.field(name: "Size", expected: "a whole number of bytes"))
    }
    let rules = LocatorRules(catalog: body.url)
    if let problem = URLReference(locator).map({ rules.problem(with: $0) }) ?? .notAURL {
      return unusable(.locator(problem))
    }
    let tag = etag.flatMap { $0.isEmpty || $0.hasPrefix("W/") ? nil : $0 }
    var entry = CatalogEntry(
      key: name, locators: [locator],
      version: tag.map { .strongETag($0) } ?? .dateAndSize(date: modified, size: size))
    entry.size = size
    let seconds = modified.flatMap { Timestamp($0) }.map { Double($0.milliseconds) / 1_000 }
    entry.modified = seconds
    let date = seconds.map { ListingDate(utc: $0) }
    let isSettled = tag != nil || date?.isSettled(listedAt: body.date) ?? false
    return .entry(entry, settled: isSettled)
  }
}

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
