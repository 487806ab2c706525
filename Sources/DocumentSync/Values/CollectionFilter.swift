/// Which documents of a server's collection a store holds: those alone that all conditions let
/// through.
///
/// The conditions are the server's own, as parameters of the addresses of its lists: with a Kinto
/// server `status=open`, `min_priority=3` or `in_status=open,waiting`.
///
/// A filter is about what comes from the server. What is made or edited here is stored and sent
/// whether or not the filter would let it through.
public struct CollectionFilter: Sendable, Hashable {
  /// A parameter of a list's address, neither of which is encoded.
  public struct Condition: Sendable, Hashable, Codable {
    /// What it's called.
    public let name: String
    /// What it's to be.
    public let value: String

    /// A condition.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The conditions, in the order in which they are asked for; at least one.
  public let conditions: [Condition]

  /// A filter.
  ///
  /// - Returns: `nil` without a condition: then all documents are held.
  public init?(_ conditions: [Condition]) {
    guard !conditions.isEmpty else { return nil }
    self.conditions = conditions
  }
}

extension CollectionFilter: CustomStringConvertible {
  /// The conditions as `status=open, min_priority=3`.
  public var description: String {
    conditions.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
  }

  /// As a store keeps it: equal filters alike.
  var written: String {
    DocumentValue(
      joining: conditions.map {
        DocumentValue(joining: [DocumentValue($0.name), DocumentValue($0.value)])
      }
    ).text
  }

  /// What ``written`` gave.
  init?(written: String) {
    let parts = (try? DocumentValue(parsing: written))?.elements ?? []
    self.init(
      parts.compactMap { part in
        guard let pair = part.elements, pair.count == 2, let name = pair[0].string,
          let value = pair[1].string
        else { return nil }
        return Condition(name, value)
      })
  }
}
