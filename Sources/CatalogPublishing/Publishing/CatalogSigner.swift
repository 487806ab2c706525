import CatalogMirror
package import SyncText

/// Signs the headers of catalogs, and says until when they may be taken.
package struct CatalogSigner: Sendable {
  /// Each once.
  private let keys: [Ed25519PrivateKey]
  /// How long a state may be taken, in seconds; `nil` is for ever.
  private let lifetime: Int64?

  /// Signs with each of the keys; `nil` where there is none.
  ///
  /// - Parameter lifetime: How long a state may be taken, a second at least; `nil` is for ever.
  package init?(keys: [Ed25519PrivateKey], lifetime: Duration? = nil) {
    guard !keys.isEmpty else { return nil }
    var ids: Set<String> = []
    self.keys = keys.filter { ids.insert($0.publicKey.id).inserted }
    self.lifetime = lifetime.map { max($0.components.seconds, 1) }
  }

  /// What the keys are known by.
  var ids: [String] { keys.map(\.publicKey.id) }

  /// The dates of a state that is published at this time, in seconds since 1970.
  func dates(publishedAt seconds: Int64) -> PublishedDates {
    PublishedDates(
      published: seconds,
      expires: lifetime.map { min(seconds.addingSaturated($0), Self.lastSecond) })
  }

  /// What comes after it has no RFC 3339 form.
  private static let lastSecond: Int64 = 253_402_300_799

  /// Whether a state with these dates is published anew though nothing else has changed: when less
  /// than half of its time is left, or by a clock that was ahead.
  func renews(_ dates: PublishedDates, at now: Int64) -> Bool {
    now < dates.published || renewal(of: dates).map { $0 <= now } ?? false
  }

  /// From when on a state with these dates is published anew, in seconds since 1970.
  func renewal(of dates: PublishedDates) -> Int64? {
    guard lifetime != nil, let end = dates.expires else { return nil }
    // Of the time that it has: a date may be cut to the last one that can be written.
    return end - (end - dates.published + 1) / 2 + 1
  }

  /// A header with its line feed: these members, and the last two, over the lines of this digest.
  func sign(
    _ members: (inout JSONWriter.Members) -> Void, body: SHA256Digest
  ) -> [UInt8] {
    let start = Self.start(members, body: body)
    let message = SignedHeader.message(of: start)
    let signatures = JSONWriter.array { list in
      for key in keys {
        list.object { one in
          one.add("key", key.publicKey.id)
          one.add("ed25519", Base64.text(of: key.signature(of: message)))
        }
      }
    }
    return start + SignedHeader.mark + signatures + Array("}\n".utf8)
  }

  /// Whether a catalog begins with such a header, whatever bytes its signature has; where it ends.
  func end(
    of members: (inout JSONWriter.Members) -> Void, body: SHA256Digest, in catalog: [UInt8]
  ) -> Int? {
    guard catalog.starts(with: Self.start(members, body: body) + SignedHeader.mark),
      let end = catalog.firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    // One that another key has signed, too, names that one to mirrors still.
    let others = CatalogText.header(of: catalog)?["signature"]?.elements ?? []
    guard Set(others.map { $0["key"]?.string ?? "" }) == Set(ids) else { return nil }
    // As a mirror looks at it; what date it is, is asked elsewhere.
    let signed = try? SignedCatalog(header: Array(catalog[..<end]), by: keys.map(\.publicKey))
    return signed.flatMap { Set($0.keys) == Set(ids) ? end + 1 : nil }
  }

  /// The bytes that are signed.
  private static func start(
    _ members: (inout JSONWriter.Members) -> Void, body: SHA256Digest
  ) -> [UInt8] {
    let header = JSONWriter.object { header in
      members(&header)
      header.add("body", "\(body)")
    }
    return Array(header.dropLast())
  }
}

/// When a state was published, and until when it may be taken, in seconds since 1970.
struct PublishedDates: Sendable {
  var published: Int64
  /// `nil` is for ever.
  var expires: Int64?

  func add(to header: inout JSONWriter.Members) {
    header.add("published", Self.text(published))
    if let expires { header.add("expires", Self.text(expires)) }
  }

  private static func text(_ seconds: Int64) -> String {
    CivilTime.rfc3339(secondsSince1970: Int(clamping: seconds))
  }
}
