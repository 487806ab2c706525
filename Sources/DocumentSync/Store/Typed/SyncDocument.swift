/// A document as a program's own type.
///
/// ```swift
/// struct Note: SyncDocument {
///   static let documentType = "note"
///   let id: DocumentID
///   var title: String
///   var due: Date?
/// }
/// ```
///
/// Documents say more than any one version of a program knows: members that the type doesn't have
/// stay as they are when a document is saved, and what it didn't change stays as it was written.
public protocol SyncDocument: Codable, Sendable {
  /// The type's name, as other programs know it.
  static var documentType: String { get }
  /// The member that holds the type's name. By default `docType`.
  static var typeMember: String { get }
  /// The member as which the id is written, if it's among the coding keys. By default `id`. The
  /// store has ids apart from contents, and adds this one when a document is read.
  static var idMember: String { get }
  /// What the document is called. A new one may have ``DocumentID/uuid7()``.
  var id: DocumentID { get }
  /// The id that a new document has by what it says, so that two devices which make the same make
  /// one document; see ``DocumentID/named(_:ofType:ignoringCase:)``. By default `nil`: it has its
  /// own. Documents that are known keep their id, whatever they come to say.
  static func documentID(for content: Self) -> DocumentID?
}

extension SyncDocument {
  /// `docType`.
  public static var typeMember: String { "docType" }
  /// `id`.
  public static var idMember: String { "id" }
  /// None: each document has an id of its own.
  public static func documentID(for content: Self) -> DocumentID? { nil }
}
