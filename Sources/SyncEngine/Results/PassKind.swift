/// What a pass is for.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PassKind: Sendable, Hashable {
  /// It makes the local side equal to the remote one.
  case sync
  /// It only finds out what a sync would do, see ``Synchronizer/plan()``: it ends after
  /// `prepareDownload`.
  case plan
}
