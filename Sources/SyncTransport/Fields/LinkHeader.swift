/// The links of `Link` headers (RFC 8288, section 3).
package struct LinkHeader: Sendable, Equatable {
  package struct Link: Sendable, Equatable {
    /// Where it leads: a reference, to be resolved against the address of the response.
    package var target: String
    /// The relation types, in lower case.
    package var relations: [String]
    /// Whether it speaks of another resource (`anchor`).
    package var isAnchored: Bool
  }

  /// The links, in order, up to the first that can't be read.
  package let links: [Link]
  /// Whether something couldn't be read.
  package let isBroken: Bool

  /// Reads the values of all `Link` headers of one response.
  package init(_ values: [String]) {
    var links: [Link] = []
    var isBroken = false
    for value in values {
      isBroken = !Self.read(value, into: &links) || isBroken
    }
    self.links = links
    self.isBroken = isBroken
  }

  /// The target of the first link with that relation which speaks of the response's own resource.
  package func target(rel: String) -> String? {
    links.first { !$0.isAnchored && $0.relations.contains(rel.lowercased()) }?.target
  }

  package var next: String? { target(rel: "next") }

  private static func read(_ value: String, into links: inout [Link]) -> Bool {
    var scanner = FieldScanner(value)
    while true {
      scanner.skipSpace()
      while scanner.take(",") { scanner.skipSpace() }
      if scanner.isAtEnd { return true }
      guard scanner.take("<"), let target = scanner.text(upTo: ">"),
        let parameters = scanner.parameters()
      else { return false }
      // Only the first `rel` counts (RFC 8288, section 3.3).
      let relations = parameters.first { $0.name == "rel" }?.value ?? ""
      links.append(
        Link(
          target: target, relations: relations.lowercased().split(separator: " ").map(String.init),
          isAnchored: parameters.contains { $0.name == "anchor" }))
      scanner.skipSpace()
      guard scanner.isAtEnd || scanner.take(",") else { return false }
    }
  }
}
