/// What a server can do for those that sync with it.
public struct EndpointCapabilities: Sendable, Hashable {
  /// One thing that a server can do.
  public enum Feature: String, Sendable, Hashable, CaseIterable {
    /// It stores and removes on the condition that it still has a certain version, or none.
    case preconditions
    /// It's known to hold conditions of changes, and of nothing else: not that of a removal, and
    /// not that a document which is made isn't there yet.
    case conditionsOfChangesAlone
    /// It tells what has changed since a checkpoint. Else each list is of all documents.
    case changes
    /// Among the changes it tells deletions. Else a list of all documents is needed to notice them.
    case tombstones
    /// It knows a request again by its idempotency key, and answers it as before.
    case idempotencyKeys
    /// It tells a document that was made anew under the id of a deleted one from a changed one.
    case revivals
    /// It stores files beside documents.
    case files
  }

  /// What it can do.
  public var features: Set<Feature>
  /// How many documents may be pushed in one request; 1 without batches.
  public var batchEntries: Int
  /// How many bytes of content such a request may have, if there is a limit.
  public var batchBytes: Int?
  /// Whether it takes no changes at present.
  public var isReadOnly: Bool

  /// What a server can do.
  public init(
    features: Set<Feature>, batchEntries: Int = 1, batchBytes: Int? = nil, isReadOnly: Bool = false
  ) {
    self.features = features
    self.batchEntries = max(1, batchEntries)
    self.batchBytes = batchBytes
    self.isReadOnly = isReadOnly
  }

  /// Whether nothing is removed that has another version by now, and nothing made twice.
  var holdsAllConditions: Bool { has(.preconditions) && !has(.conditionsOfChangesAlone) }

  /// Whether a document that is sent once more, since no answer came, is never made twice.
  var makesOnce: Bool { holdsAllConditions || has(.idempotencyKeys) }

  /// Whether it can do this.
  public func has(_ feature: Feature) -> Bool { features.contains(feature) }
}
