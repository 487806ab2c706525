/// What documents must be like to be found.
///
/// A condition speaks of the value at a path. Where a document has none, only ``missing(_:)``
/// holds, and ``not(_:_:)`` doesn't.
///
/// Only values of the same type compare: `"1"` is neither equal to `1` nor less than `2`. Numbers
/// compare by value, all their digits counted, however they are written; strings by their bytes in
/// UTF-8, which is the order of Unicode's code points; of truth values, false is less. `null`,
/// arrays and objects are equal where they mean the same, and none is less than another.
public indirect enum DocumentCondition: Sendable, Hashable {
  /// It's equal to a value.
  case equal(DocumentPath, DocumentValue)
  /// It's there, and not equal to a value; one of another type isn't.
  case not(DocumentPath, DocumentValue)
  /// It's less than a value.
  case less(DocumentPath, DocumentValue)
  /// It's less than a value, or equal.
  case lessOrEqual(DocumentPath, DocumentValue)
  /// It's greater than a value.
  case greater(DocumentPath, DocumentValue)
  /// It's greater than a value, or equal.
  case greaterOrEqual(DocumentPath, DocumentValue)
  /// It's equal to one of these values.
  case among(DocumentPath, [DocumentValue])
  /// It's a string of this pattern, in which `%` stands for any characters or none, and `_` for any
  /// one (a code point of Unicode). Behind a `\`, each character stands for itself. Case counts.
  case like(DocumentPath, String)
  /// It's there, and `null`.
  case null(DocumentPath)
  /// It's there, be it `null`.
  case exists(DocumentPath)
  /// It isn't there.
  case missing(DocumentPath)
  /// All of these hold; of none, they do.
  case and([DocumentCondition])
  /// One of these holds at least; of none, none does.
  case or([DocumentCondition])
}
