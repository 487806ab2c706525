extension MirrorPlan {
  /// Why an item would be fetched, or asked about.
  public enum Reason: String, Sendable, CaseIterable {
    /// It isn't held.
    case new
    /// The catalog has another version.
    case changed
    /// Its file was edited here.
    case damaged
    /// Its file was deleted here.
    case deleted
    /// The catalog gives neither a version nor a digest nor a date that would change with it.
    case unversioned
    /// It had changed so shortly before it was listed that a later change could bear the same date.
    case recent
    /// When it was fetched, nothing told its version.
    case unproven
  }
}

extension MirrorPlan.Reason: CustomStringConvertible {
  /// The reason in a few words.
  public var description: String {
    switch self {
    case .new: "new"
    case .changed: "changed"
    case .damaged: "damaged here"
    case .deleted: "deleted here"
    case .unversioned: "the catalog says nothing that would tell a change"
    case .recent: "it was so young when it was listed that its date proves nothing"
    case .unproven: "nothing told its version when it was fetched"
    }
  }
}
