extension StoreEditor {
  @discardableResult
  package func attach(
    _ file: FileReference, to member: String, of id: DocumentID,
    stamps: (String) -> Bool = { _ in false }
  ) throws -> Bool {
    guard let document = try reader.stored(id), let body = document.body else {
      throw DocumentError.noDocument(id)
    }
    let table = FileTable(session: session)
    let home = try session.makeHome(of: document.scope)
    try table.takeNews()
    let id = document.id
    var isSentAgain = try table.add(file.content, of: id, in: home, isPreview: false)
    if let preview = file.preview {
      isSentAgain = try table.add(preview, of: id, in: home, isPreview: true) || isSentAgain
    }
    var edit = DocumentEdit(id, in: document.scope, try body.setting(member, to: file.value))
    edit.stamps = stamps(document.scope.collection)
    return try save(edit) || isSentAgain
  }

  /// A member is to have the address of a file, once the server has that.
  package func attach(_ file: FileFacts, atAddressIn member: String, of id: DocumentID) throws {
    guard let document = try reader.stored(id), document.body != nil else {
      throw DocumentError.noDocument(id)
    }
    let home = try session.makeHome(of: document.scope)
    try FileTable(session: session).add(file, to: member, of: id, in: home)
  }

  /// - Parameter isAddress: whether a member has the address of a file that isn't known here.
  @discardableResult
  package func detach(
    _ member: String, of id: DocumentID, stamps: (String) -> Bool = { _ in false },
    isAddress: (String, FilePlace) -> Bool = { _, _ in false }
  ) throws -> Bool {
    guard let document = try reader.stored(id), let body = document.body else {
      throw DocumentError.noDocument(id)
    }
    let isNamed = body[member].flatMap { FileReference($0) } != nil
    guard try isNamed || leaveAddress(in: member, of: document, isAddress) else { return false }
    let blank: DocumentValue? = isNamed || body[member] == nil ? nil : ""
    var edit = DocumentEdit(id, in: document.scope, try body.setting(member, to: blank))
    edit.stamps = stamps(document.scope.collection)
    return try save(edit) || !isNamed
  }

  /// Whether the member had a file, or was to have one.
  private func leaveAddress(
    in member: String, of document: StoredDocument, _ isAddress: (String, FilePlace) -> Bool
  ) throws -> Bool {
    let table = FileTable(session: session)
    let home = try session.makeHome(of: document.scope)
    if try table.leave(member, of: document.id, in: home.number) { return true }
    // Another device may have brought it there.
    let place = FilePlace(
      collection: document.scope.collection, document: document.id, digest: "", member: member)
    guard let address = document.body?[member]?.string, isAddress(address, place) else {
      return false
    }
    try table.leave(member, of: document.id, in: home, at: address)
    return true
  }

  /// What servers refused of files is tried again. Answers how much that is.
  @discardableResult
  package func retryFiles() throws -> Int { try FileTable(session: session).retry() }
}

/// A file that isn't where it's to be, and why.
public struct FileTrouble: Sendable, Hashable {
  /// What it's kept from.
  public enum Kind: String, Sendable, Hashable {
    /// It doesn't come here; each sync tries again.
    case fetching
    /// It doesn't get to the server; each sync tries again.
    case sending
    /// The server won't take it: it's tried again on demand.
    case refused
    /// No document names it any more, and the server won't remove it: it's tried again on demand.
    case removing
  }

  /// The document that it's of.
  public let document: DocumentID
  package let collection: String
  /// What people call it.
  public let name: String
  /// What it's kept from.
  public let kind: Kind
  /// By what, as it was told last; for a place behind a colon.
  public let words: String

  /// All of it but the document, for a place behind a colon.
  package var sentence: String { "the file \(name): \(words)" }
}
