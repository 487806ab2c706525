/// Files of documents: their contents are kept beside the store, and never change.
extension DocumentReplica {
  /// Gives a member of a document a file, in place of what the member was, and has both sent. The
  /// content is copied.
  ///
  /// Where the server keeps no files, but has addresses for them
  /// (``DocumentEndpoint/keepsFilesAtAddresses``), the member stays as it is until the file is at
  /// its address, and then has that; there are no previews.
  ///
  /// - Parameters:
  ///   - bytes: the content.
  ///   - name: what people call it; its ending says what type it is of.
  ///   - preview: the same in a low quality, which travels first; by default none.
  ///   - member: the member's name.
  ///   - id: the document, which must be there.
  /// - Returns: the file, as the member names it.
  /// - Throws: ``DocumentError``; ``DocumentError/noFiles`` where the server is known to keep none.
  @discardableResult
  public func attach(
    _ bytes: [UInt8], named name: String, preview: [UInt8]? = nil, to member: String,
    of id: DocumentID
  ) async throws -> FileReference {
    try await attach(to: member, of: id) { files in
      let content = try await files.keep(bytes, named: name)
      guard let preview else { return FileReference(content) }
      return FileReference(content, preview: try await files.keep(preview, named: name))
    }
  }

  /// The same with the content of a file of the user's own, and with its name. It's copied a piece
  /// at a time, so that it needn't fit into memory.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - preview: the file with the same in a low quality; by default none.
  ///   - member: the member's name.
  ///   - id: the document, which must be there.
  @discardableResult
  public func attach(
    fileAt path: String, preview: String? = nil, to member: String, of id: DocumentID
  ) async throws -> FileReference {
    try await attach(to: member, of: id) { files in
      let content = try await files.keep(path: path)
      guard let preview else { return FileReference(content) }
      return FileReference(content, preview: try await files.keep(path: preview))
    }
  }

  private func attach(
    to member: String, of id: DocumentID, _ keep: (FileContents) async throws -> FileReference
  ) async throws -> FileReference {
    let (endpoint, server) = (endpoint, options.server)
    guard try await store.read({ try $0.keepsFiles(endpoint, at: server) }) ?? true else {
      throw DocumentError.noFiles
    }
    let file = try await keep(store.files)
    if endpoint.keepsFilesAtAddresses {
      guard file.preview == nil else {
        throw DocumentError.cannotTravel(id, "its server has no place for previews")
      }
      try await store.edit { try $0.attach(file.content, atAddressIn: member, of: id) }
      edited(true)
      return file
    }
    let hasChanged = try await store.edit { [self] in
      try $0.attach(file, to: member, of: id, stamps: stamps(in:))
    }
    edited(hasChanged)
    return file
  }

  /// Takes a member with a file out of a document; one with a file's address is blank then. Once
  /// the server knows, the file is removed there; here its content is kept for 30 days. Answers
  /// whether there was one.
  @discardableResult
  public func detach(_ member: String, of id: DocumentID) async throws -> Bool {
    let hasChanged = try await store.edit { [self] in
      try $0.detach(
        member, of: id, stamps: stamps(in:), isAddress: endpoint.isAddress(_:ofFileAt:))
    }
    edited(hasChanged)
    return hasChanged
  }

  /// The file that a member has, or is to have the address of; `nil` where nothing is known here of
  /// such a file.
  public func file(_ member: String, of id: DocumentID) async throws -> FileReference? {
    try await store.read { reader in
      guard let document = try reader.stored(id), let body = document.body, !document.isHidden,
        let scope = try reader.session.number(of: document.scope)
      else { return nil }
      if let named = body[member].flatMap({ FileReference($0) }) { return named }
      return try FileTable(session: reader.session).file(member, of: id, in: scope)
        .map { FileReference($0) }
    }
  }

  /// The content of a file; `nil` as long as it isn't here.
  public func content(of file: FileFacts) async throws -> [UInt8]? {
    try await store.files.bytes(of: file.digest)
  }

  /// Hands the content of a file to `body`, a piece at a time, on a thread of its own. Answers
  /// whether it's here.
  public func content(
    of file: FileFacts, _ body: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Bool {
    try await store.files.read(file.digest, body)
  }
}
