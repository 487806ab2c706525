/// A change that can't be made as it was recorded, valid only within the rule that it is given to.
package struct ChangeConflict: ~Copyable {
  package let reason: Reason
  package let change: RowChange

  /// Why a change can't be made.
  package enum Reason: Sendable, Equatable {
    /// The row to be updated or deleted isn't as it was: ``ChangeConflict/present(_:)`` tells.
    case rowChanged
    /// The row to be updated or deleted isn't there.
    case rowMissing
    /// A row with the key of the one to be inserted is there: ``ChangeConflict/present(_:)`` tells.
    case rowExists
    /// The row would break a constraint other than its key.
    case constraint
  }

  package enum Answer: Sendable, Equatable {
    /// Leave this change out and go on.
    case skip
    /// Make it all the same, over what is there: for ``Reason/rowChanged`` and ``Reason/rowExists``
    /// only, else an error (`.misuse`).
    case replace
  }

  /// What a column of the row that stands in the way holds, its place counted from 0.
  package func present(_ place: Int) throws -> RowChange.Part {
    switch reason {
    case .rowChanged, .rowExists: try change.present(place)
    case .rowMissing, .constraint: .absent
    }
  }
}
