/// What may be done for an item that somebody waits for, see ``Synchronizer/ensure(_:policy:)``.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum EnsurePolicy: Sendable, Hashable {
  /// A whole pass, of which the item comes first.
  case current
  /// The list and this one item: no other is downloaded, and none is removed. Where a pass is under
  /// way, the item comes first in that. A pass of its own is of the kind ``PassKind/item``; like a
  /// plan it takes its turn with runs, is none, and observers aren't told of it.
  case alone
  /// As ``current``; but where the list can't be had and the item is held, that will do.
  case heldWillDo
}

/// What ``Synchronizer/ensure(_:policy:)`` found out of an item that is held.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum EnsuredItem: Sendable, Hashable {
  /// It is held as the source has it.
  case current
  /// It is held; whether the source has another by now, nobody knows. Only with
  /// ``EnsurePolicy/heldWillDo``.
  case notChecked
}
