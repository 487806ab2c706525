/// What was learnt from reading tables as they would become: what can't be made as it was meant to
/// be.
struct Demands: Equatable {
  /// Names that can't be relations: what stands under them becomes a column of JSON.
  var refused: Set<PayloadTables.Relationship> = []
  /// Of these, the ones whose objects contradict each other, and how.
  var contradicted: [PayloadTables.Relationship: Contradiction] = [:]
  /// Names that a column can't have, or that would mean another one.
  var renamed: Set<PayloadTables.Relationship> = []
  /// Tables whose INTEGER PRIMARY KEY would be taken for SQLite's row number, in lower case.
  var plainKeys: Set<String> = []

  /// Adds others; answers whether any was new.
  mutating func add(_ other: Demands) -> Bool {
    let before = self
    refused.formUnion(other.refused)
    refused.formUnion(other.contradicted.keys)
    contradicted.merge(other.contradicted) { one, _ in one }
    renamed.formUnion(other.renamed)
    plainKeys.formUnion(other.plainKeys)
    return self != before
  }
}
