/// Which file at a server is meant. Each document has its files for itself: two that have the same
/// one have it twice, so that removing one takes nothing from the other.
public struct FilePlace: Sendable, Hashable {
  /// The collection of the document.
  public let collection: String
  /// The document.
  public let document: DocumentID
  /// The SHA-256 digest of the content, in hexadecimal digits.
  public let digest: String

  /// A file of a document.
  public init(collection: String, document: DocumentID, digest: String) {
    (self.collection, self.document, self.digest) = (collection, document, digest)
  }
}

/// A file as a server has it.
public struct ServerFile: Sendable, Hashable {
  /// Where its content can be read: in the server's own words.
  public let location: String
  /// The SHA-256 digest of its content, as the server says; in hexadecimal digits.
  public let digest: String
  /// How many bytes it has, as the server says.
  public let size: Int64

  /// A file at a server.
  public init(location: String, digest: String, size: Int64) {
    (self.location, self.digest, self.size) = (location, digest, size)
  }
}

/// What an endpoint is to ask of a server for one file.
public enum FileRequest: Sendable, Hashable {
  /// Stores a file; in the place of what is there, which can only be the same.
  case store(FilePlace, FileFacts, [UInt8])
  /// Says whether the file is there, and where.
  case find(FilePlace)
  /// Reads at most so many bytes of a file's content from an offset on.
  case read(ServerFile, from: Int64, count: Int)
  /// Removes a file.
  case remove(FilePlace)
}

/// What a server said to a request for a file.
public struct FileReply: Sendable, Hashable {
  /// What came of it.
  public enum End: Sendable, Hashable {
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

  /// What came of it.
  public var end: End
  /// What the server said beside it.
  public var notes: CallNotes

  /// What a server said.
  public init(_ end: End, notes: CallNotes = CallNotes()) {
    (self.end, self.notes) = (end, notes)
  }
}

/// Where files of documents travel to and come from.
///
/// It is a part of each ``DocumentEndpoint``; only those with the capability
/// ``EndpointCapabilities/Feature/files`` are asked. One request comes after the other, and nothing
/// is asked twice at once. A file's content never changes: one that is stored again after a lost
/// answer is the same. Nothing is tried again here. A call throws an ``EndpointError`` where no
/// answer can be used, and `CancellationError`.
public protocol FileEndpoint: Sendable {
  /// Whether the server keeps files beside documents; `nil`, the default, where only the server
  /// itself knows (``EndpointCapabilities/Feature/files``).
  var keepsFiles: Bool? { get }

  /// Has a file stored, found, read or removed.
  @concurrent func file(_ request: FileRequest) async throws -> FileReply

  /// The server that a file's content is read from, if it's another one than the documents' own.
  /// What that asks for, and whether it's reached, concerns nothing else. By default it's the
  /// documents' own.
  func otherServer(of file: ServerFile) -> String?
}

extension FileEndpoint {
  /// Only the server knows.
  public var keepsFiles: Bool? { nil }

  /// No file can be had here.
  @concurrent public func file(_ request: FileRequest) async throws -> FileReply {
    throw EndpointError(.impossible("this server keeps no files"))
  }

  /// All contents are at the documents' own server.
  public func otherServer(of file: ServerFile) -> String? { nil }

  /// The server that a request goes to, if it's another one than the documents' own.
  func otherServer(for request: FileRequest) -> String? {
    guard case .read(let file, _, _) = request else { return nil }
    return otherServer(of: file)
  }
}
