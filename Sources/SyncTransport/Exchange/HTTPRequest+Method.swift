extension HTTPRequest {
  /// What is done to the resource (RFC 9110, section 9): a token, whose case counts.
  package struct Method: Hashable, Sendable {
    package let name: String

    /// The method of that name; `nil` for what isn't a token, and for `CONNECT`, which asks for a
    /// tunnel and not for a resource.
    package init?(_ name: String) {
      guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter), name != "CONNECT" else {
        return nil
      }
      self.name = name
    }

    private init(known name: String) {
      self.name = name
    }

    /// The resource's content.
    package static var get: Self { Self(known: "GET") }
    /// Only the headers that `get` would have.
    package static var head: Self { Self(known: "HEAD") }
    /// Replaces the resource by the body, or makes it.
    package static var put: Self { Self(known: "PUT") }
    /// Has the resource do with the body what it does with such ones.
    package static var post: Self { Self(known: "POST") }
    /// Changes the resource as the body says (RFC 5789).
    package static var patch: Self { Self(known: "PATCH") }
    /// Removes the resource.
    package static var delete: Self { Self(known: "DELETE") }
    /// What may be done with the resource.
    package static var options: Self { Self(known: "OPTIONS") }
    /// Properties of the resource and of what it holds (RFC 4918, section 9.1).
    package static var propfind: Self { Self(known: "PROPFIND") }
    /// A report about the resource, such as what changed in it (RFC 3253, section 3.6).
    package static var report: Self { Self(known: "REPORT") }

    /// Whether the request only asks, and changes nothing (RFC 9110, section 9.2.1). A method that
    /// isn't known here counts as one that changes something.
    package var isSafe: Bool {
      switch name {
      case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT": true
      default: false
      }
    }

    /// Whether doing it twice does no more than doing it once (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Whether a request of this method means its body, so that one without any has to say that
    /// it's empty (RFC 9110, section 8.6).
    var expectsBody: Bool { self == .post || self == .put || self == .patch }
  }
}
