/// Which file at a server is meant. Each document has its files for itself: two that have the same
/// one have it twice, so that removing one takes nothing from the other.
public struct FilePlace: Sendable, Hashable {
  /// The collection of the document.
  public let collection: String
  /// The document.
  public let document: DocumentID
  /// The SHA-256 digest of the content, in hexadecimal digits.
  public let digest: String
  /// The member that has the file's address once it's there; `nil` where members name files
  /// themselves (``DocumentEndpoint/keepsFilesAtAddresses``).
  public let member: String?
  /// That address, as far as it's known.
  public let address: String?
  /// What a request is told from all others by, those that store the same file another time among
  /// them; one that is made again after its answer was lost has the same. `nil` where it stores
  /// none.
  package var idempotencyKey: String?

  package init(
    collection: String, document: DocumentID, digest: String, member: String? = nil,
    address: String? = nil
  ) {
    (self.collection, self.document, self.digest) = (collection, document, digest)
    (self.member, self.address) = (member, address)
  }
}

/// A file as a server has it.
public struct ServerFile: Sendable, Hashable {
  /// Where its content can be read: in the server's own words.
  public let location: String
  /// The SHA-256 digest of its content, as the server says; in hexadecimal digits.
  package let digest: String
  /// How many bytes it has, as the server says.
  public let size: Int64
  package let otherServer: String?

  /// A file at a server.
  ///
  /// - Parameters:
  ///   - location: where its content can be read: in the server's own words.
  ///   - digest: the SHA-256 digest of its content, as the server says; in hexadecimal digits.
  ///   - size: how many bytes it has, as the server says.
  ///   - otherServer: the server that its content is read from, if it's another one than the
  ///     documents' own. What that asks for, and whether it's reached, concerns nothing else.
  public init(location: String, digest: String, size: Int64, otherServer: String? = nil) {
    (self.location, self.digest, self.size) = (location, digest, size)
    self.otherServer = otherServer
  }
}

/// What an endpoint is to ask of a server for one file.
public enum FileRequest: Sendable, Hashable {
  /// Stores a file; in the place of what is there, which can only be the same.
  case store(FilePlace, FileFacts, FileContent)
  /// Says whether the file is there, and where.
  case find(FilePlace)
  /// Reads at most so many bytes of a file's content from an offset on.
  case read(ServerFile, from: Int64, count: Int)
  /// Removes a file.
  case remove(FilePlace)

  /// The server that it goes to, if it's another one than the documents' own.
  var otherServer: String? {
    guard case .read(let file, _, _) = self else { return nil }
    return file.otherServer
  }
}

/// What came of a request for a file.
public enum FileEnd: Sendable, Hashable {
  /// It's there, as the server has it now.
  case there(ServerFile)
  /// Bytes of its content from an offset on, which may be another one than was asked for where
  /// the server gives only the whole.
  case bytes([UInt8], from: Int64)
  /// It isn't there (any more).
  case missing
  /// The server will never do it, in its own words.
  case refused(status: Int, words: String)
  /// What it gives is of no use, for this reason; that concerns this file alone.
  case unusable(String)
}
