private import SyncText

/// One sync, as it's remembered.
public struct SyncRun: Sendable, Hashable {
  /// How many documents there were of what.
  public struct Counts: Sendable, Hashable {
    /// Changes that the server took.
    public var sent = 0
    /// Changes that came from the server.
    public var received = 0
    /// Documents that both sides had changed.
    public var conflicts = 0
    /// Documents that couldn't be sent or stored.
    public var failures = 0
    /// Changes that gave way.
    public var lost = 0

    /// None of anything.
    public init() {}
  }

  /// When it began, in milliseconds since 1970.
  public var began: Int64
  /// When it ended, likewise.
  public var ended: Int64
  /// What it was made for: at launch, after an edit, by hand.
  public var reason: String
  /// How many there were of what.
  public var counts: Counts
  /// Why it failed; `nil` if it didn't.
  public var problem: String?

  /// A sync.
  public init(
    began: Int64, ended: Int64, reason: String, counts: Counts = Counts(), problem: String? = nil
  ) {
    (self.began, self.ended, self.reason) = (began, ended, reason)
    (self.counts, self.problem) = (counts, problem)
  }
}

extension SyncRun.Counts {
  private static let names: [(String, any WritableKeyPath<SyncRun.Counts, Int> & Sendable)] = [
    ("sent", \.sent), ("received", \.received), ("conflicts", \.conflicts),
    ("failures", \.failures), ("lost", \.lost),
  ]

  /// The counts as an object; what there was none of is left out.
  var value: DocumentValue {
    let members = Self.names.filter { self[keyPath: $0.1] != 0 }
    return DocumentValue(
      joining: members.map {
        ObjectMember(name: .init($0.0), value: DocumentValue(self[keyPath: $0.1]))
      })
  }

  /// What ``value`` gave.
  init(_ value: DocumentValue) {
    for (name, path) in Self.names {
      self[keyPath: path] = Int(clamping: value[name]?.integer ?? 0)
    }
  }
}
