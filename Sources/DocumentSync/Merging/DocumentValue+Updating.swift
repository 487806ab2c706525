extension DocumentValue {
  /// The document as a program's own value is to change it; what the type doesn't know stays.
  ///
  /// The type is asked what it makes of this document: it is read as one, and written again. What
  /// `value` says otherwise than that was changed, and only that changes here, at any depth of
  /// objects: a member that the type knew and `value` lacks goes, and what both say alike stays as
  /// it is written here, even where the type would write it in another way, or with fewer digits.
  /// An array that was changed is taken as a whole.
  /// - Throws: What reading and writing the type throws; a document that can't be read as one isn't
  ///   changed by guess.
  public func updating<Value: Codable>(with value: Value) throws -> DocumentValue {
    let known = try DocumentValue.encode(try decode(Value.self))
    let changed = try DocumentValue.encode(value)
    return ThreeWayMerge(base: known, here: changed, there: self) { _ in .here }.value
  }
}
