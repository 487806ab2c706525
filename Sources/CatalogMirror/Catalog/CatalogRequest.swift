public import SyncText

/// What a source is asked for one page of a catalog.
public struct CatalogRequest: Hashable, Sendable {
  /// The address: absolute, or as seen from the page that leads to it.
  public var url: String
  /// Further addresses of the same, tried in this order: with ``sha256``, when those before don't
  /// give it; without, when the source says that there is nothing at those before, or that nobody
  /// may read it, as buckets say of what isn't there (403, 404 or 410). Default: none.
  public var alternatives: [String] = []
  /// How it is asked. Default: `GET`.
  public var method = Method.get
  /// Further header lines, sent in this order, beside what `SourceAccess` adds.
  public var fields: [Field] = []
  /// What the request carries; its media type stands among ``fields``. Default: nothing.
  public var body: String?
  /// What the format wants to be told with the answer (``CatalogBody/request``): which step this
  /// is, in words of its own. Default: nothing.
  public var step: String?
  /// How the answer is packed, as a file that is to be unpacked before it is read. Default: not at
  /// all. What a server packs for the way only is unpacked in any case.
  public var packing: Packing?
  /// How many bytes the answer has as it is sent, before it is unpacked. One that is longer is cut
  /// there; with another size it is an error of the listing, as with another digest. Default: any.
  public var size: Int64?
  /// The digest of the answer as it is sent, before it is unpacked. With another one it is an error
  /// of the listing: the catalog changed while it was read. Default: any.
  public var sha256: SHA256Digest?

  /// A `GET` of that address.
  public init(_ url: String) {
    self.url = url
  }

  /// How a request is asked.
  public enum Method: String, Hashable, Sendable, Codable {
    /// The resource's content (RFC 9110, section 9.3.1).
    case get = "GET"
    /// Properties of the resource and of what it holds (RFC 4918, section 9.1).
    case propfind = "PROPFIND"
    /// A report about the resource, such as what changed in it (RFC 3253, section 3.6).
    case report = "REPORT"
  }

  /// How a file is packed; the raw value is the ending that such files have.
  public enum Packing: String, Hashable, Sendable, Codable {
    /// By gzip (RFC 1952).
    case gzip = "gz"
    /// By xz ("The .xz File Format"). Read on Linux.
    case xz
  }

  /// A header line.
  public struct Field: Hashable, Sendable, Codable {
    /// The field's name.
    public var name: String
    /// The field's value.
    public var value: String

    /// A header line.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What tells it from the other requests of a listing. Of a plain one, its address; else all that
  /// makes the answer another one.
  package var id: String {
    guard method != .get || body != nil || step != nil else { return url }
    return ([method.rawValue, url] + [body, step].compactMap { $0 }).joined(separator: "\n")
  }
}

// As the index keeps it: the address alone where that is all, as earlier versions wrote it.
extension CatalogRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case url, alternatives, method, fields, body, step, packing = "packed", size, sha256
  }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    if let url = try? decoder.singleValueContainer().decode(String.self) {
      self.init(url)
      return
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.decode(String.self, forKey: .url))
    alternatives = try values.decodeIfPresent([String].self, forKey: .alternatives) ?? []
    method = try values.decodeIfPresent(Method.self, forKey: .method) ?? .get
    fields = try values.decodeIfPresent([Field].self, forKey: .fields) ?? []
    body = try values.decodeIfPresent(String.self, forKey: .body)
    step = try values.decodeIfPresent(String.self, forKey: .step)
    // As long as there was gzip alone, it was said that it is packed.
    if let isPacked = try? values.decodeIfPresent(Bool.self, forKey: .packing) {
      packing = isPacked ? .gzip : nil
    } else {
      packing = try values.decodeIfPresent(Packing.self, forKey: .packing)
    }
    size = try values.decodeIfPresent(Int64.self, forKey: .size)
    let digest = try values.decodeIfPresent(String.self, forKey: .sha256)
    sha256 = digest.flatMap { SHA256Digest(hexadecimal: $0) }
  }

  /// Writes the address alone where that is all.
  public func encode(to encoder: any Encoder) throws {
    guard self != CatalogRequest(url) else {
      var value = encoder.singleValueContainer()
      return try value.encode(url)
    }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(url, forKey: .url)
    if !alternatives.isEmpty { try values.encode(alternatives, forKey: .alternatives) }
    if method != .get { try values.encode(method, forKey: .method) }
    if !fields.isEmpty { try values.encode(fields, forKey: .fields) }
    try values.encodeIfPresent(body, forKey: .body)
    try values.encodeIfPresent(step, forKey: .step)
    try values.encodeIfPresent(packing, forKey: .packing)
    try values.encodeIfPresent(size, forKey: .size)
    try values.encodeIfPresent(sha256?.description, forKey: .sha256)
  }
}

/// What a catalog calls its own state.
public enum CatalogRevision: Hashable, Sendable, CustomStringConvertible {
  /// A JSON string: equal or not, without an order.
  case opaque(String)
  /// A JSON integer: the catalog thereby says that its revisions only grow.
  case ordered(Int64)

  /// The revision, escaped as keys are.
  public var description: String {
    switch self {
    case .opaque(let text): CatalogKey.escape(text.utf8)
    case .ordered(let number): String(number)
    }
  }

  var stored: String {
    switch self {
    case .opaque(let text): "text " + text
    case .ordered(let number): "number \(number)"
    }
  }

  init?(stored: String) {
    if stored.hasPrefix("text ") {
      self = .opaque(String(stored.dropFirst(5)))
    } else if stored.hasPrefix("number "), let number = Int64(stored.dropFirst(7)) {
      self = .ordered(number)
    } else {
      return nil
    }
  }
}
