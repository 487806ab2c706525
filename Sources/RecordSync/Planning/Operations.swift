/// What a sync may do. The first three govern the table that is synced, the others everything
/// nested in its objects, at every depth.
public struct Operations: OptionSet, Sendable, Hashable {
  /// The sum of the bits.
  public let rawValue: Int

  /// Those of the bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Rows of the table whose keys are new.
  public static let insert = Operations(rawValue: 1)
  /// Rows of the table that are there.
  public static let update = Operations(rawValue: 2)
  /// Rows of the table that the payload doesn't name.
  public static let delete = Operations(rawValue: 4)
  /// New nested rows, and links to them.
  public static let insertRelations = Operations(rawValue: 8)
  /// Nested rows that are there, and links that lead elsewhere than before.
  public static let updateRelations = Operations(rawValue: 16)
  /// Links and children that aren't named any more.
  public static let deleteRelations = Operations(rawValue: 32)

  /// Everything: the default.
  public static let all: Operations = [
    .insert, .update, .delete, .insertRelations, .updateRelations, .deleteRelations,
  ]
  var deletes: Bool { !isDisjoint(with: [.delete, .deleteRelations]) }

  /// Add and change, relations too; delete and unlink nothing.
  public static let keep: Operations = [.insert, .update, .insertRelations, .updateRelations]
}
