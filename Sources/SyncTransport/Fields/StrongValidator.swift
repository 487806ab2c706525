import SyncText

/// What tells bytes of one state of a resource from those of another, so that a part may be joined
/// to what is held (RFC 9110, section 8.8.1).
package enum StrongValidator: Hashable, Sendable {
  case etag(String)
  /// A modification date, as sent, of a resource without an entity tag; a second or more older
  /// than the answer that bore it (section 8.8.2.2).
  case date(String)

  /// The validator that these fields of an answer make; `nil` when it has none, or only a weak one.
  /// A date doesn't stand in for a weak tag (section 13.1.5). Whether the date is old enough to
  /// count is for the caller to know.
  package init?(etag: String?, lastModified: String?) {
    if let etag {
      guard let tag = EntityTag(etag), !tag.isWeak else { return nil }
      self = .etag(etag)
    } else if let lastModified, HTTPDate(lastModified) != nil {
      self = .date(lastModified)
    } else {
      return nil
    }
  }

  /// The validator whose ``text`` was stored; `nil` when it is none that may be sent: what was
  /// stored may have been tampered with.
  package init?(stored text: String) {
    if let tag = EntityTag(text), !tag.isWeak {
      self = .etag(text)
    } else if HTTPDate(text) != nil {
      self = .date(text)
    } else {
      return nil
    }
  }

  /// The field value of `If-Range`.
  package var text: String {
    switch self {
    case .etag(let text), .date(let text): text
    }
  }

  /// Whether an answer with these fields is of the same state. One that leaves the validator out
  /// isn't proven to be.
  package func isOfAnswer(etag other: String?, lastModified: String?) -> Bool {
    switch self {
    case .etag(let etag):
      guard let tag = EntityTag(etag), let other = other.flatMap({ EntityTag($0) }) else {
        return false
      }
      return tag.isStronglyEqual(to: other)
    case .date(let date):
      // Compared as text: an equal instant in another form comes from another server.
      return other == nil && lastModified?.utf8.elementsEqual(date.utf8) == true
    }
  }
}

/// An entity tag (RFC 9110, section 8.8.3).
package struct EntityTag: Hashable, Sendable {
  /// Whether it only promises equal meaning, not equal bytes.
  package let isWeak: Bool
  /// What stands between the quotes: bytes, since that is how tags are compared.
  package let opaque: [UInt8]

  /// Reads a header's value: a quoted text, `W/` before it when weak; `nil` for anything else.
  package init?(_ text: String) {
    let isWeak = text.utf8.starts(with: "W/".utf8)
    let quoted = Array(text.utf8.dropFirst(isWeak ? 2 : 0))
    guard quoted.count >= 2, quoted.first == 0x22, quoted.last == 0x22 else { return nil }
    opaque = Array(quoted.dropFirst().dropLast())
    guard opaque.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
    self.isWeak = isWeak
  }

  /// As sent, quotes and `W/` included.
  package var text: String {
    (isWeak ? "W/\"" : "\"") + String(decoding: opaque, as: UTF8.self) + "\""
  }

  /// Strong comparison: equal, and neither is weak.
  package func isStronglyEqual(to other: EntityTag) -> Bool {
    !isWeak && self == other
  }
}
