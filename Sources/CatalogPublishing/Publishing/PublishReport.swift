public import SyncFolder
import SyncFiles

/// What publishing did.
public struct PublishReport: Hashable, Sendable {
  /// Entries in the catalog.
  public var entries: Int
  /// Entries that have a preview.
  public var previews: Int
  /// Bytes of all entries, without previews.
  public var bytes: Int64
  /// Files that were hashed, as they are new or may have changed since the last catalog.
  public var hashed: Int
  /// Whether the catalog was written; false when it was the same already.
  public var wasReplaced: Bool
  /// What URLs in the catalog start from, where it says so.
  public var base: String?
  /// The ids of the keys that have signed the catalog; none for one that isn't signed.
  public var signedBy: [String] = []
  /// Until when mirrors may take the catalog, in seconds since 1970; `nil` is for ever.
  public var expires: Int64?
  /// When it is to be published anew though nothing has changed, in seconds since 1970.
  var renewal: Int64?
  /// Why it couldn't be remembered what was hashed, in the system's words: then everything is
  /// hashed again next time. `nil` where it is remembered.
  public var unremembered: String?
  /// Keys of entries that are catalogs which were published here before; escaped.
  public var formerCatalogs: [String] = []
  /// What was left out, by name.
  public var skipped: [Skipped]
  /// The packs beside the catalog; `nil` where it has none and none was removed.
  public var packs: Packs?

  init(
    _ entries: [PublishedEntry], hashed: Int, wasReplaced: Bool, skipped: [Skipped]
  ) {
    self.entries = entries.count
    previews = entries.count { $0.preview != nil }
    bytes = entries.reduce(0) { $0 + $1.file.size }
    (self.hashed, self.wasReplaced) = (hashed, wasReplaced)
    self.skipped = skipped.sorted { $0.name < $1.name }
  }

  /// Packs: files that hold the bytes of many small files.
  public struct Packs: Hashable, Sendable {
    /// The name of their directory, escaped as keys are.
    public var directory: String
    /// How many the catalog names.
    public var named = 0
    /// How many small files and previews lie in them.
    public var files = 0
    /// How many small files and previews don't, as too few have gathered for another pack, or the
    /// catalog's header has no room for it: each has only its own URL.
    public var waiting = 0
    /// How many small files and previews are in none since, by their rights or those of a directory
    /// of the folder, not everybody may read them: whoever gets a pack gets all of it.
    public var withheld = 0
    /// Whether some of those that wait do so since no id is left for another pack: one is given
    /// once only, and is below 2^32.
    public var hasNoID = false
    /// How many were written.
    public var written = 0
    /// How many bytes these have.
    public var writtenBytes: Int64 = 0
    /// How many were removed that the catalog hadn't named for long enough.
    public var removed = 0
    /// Why such packs couldn't be removed, in the system's words; `nil` where they could.
    public var unremoved: String?
  }

  /// Something in the folder that is not in the catalog.
  public struct Skipped: Hashable, Sendable {
    /// Its path below the folder, escaped as keys are.
    public var name: String
    /// Why.
    public var reason: Reason

    /// Why something is left out.
    public enum Reason: Hashable, Sendable {
      /// Its name is no key.
      case key(KeyProblem)
      /// It is a symbolic link, and what it leads to may lie anywhere.
      case symbolicLink
      /// It is a named pipe.
      case fifo
      /// It is a socket.
      case socket
      /// It is a device.
      case device
      /// It is a preview of a file that isn't there, or a second one of the same file.
      case previewOfNothing
    }
  }
}

extension PublishReport.Skipped.Reason {
  /// What is neither a file nor a directory nor a link.
  static func special(_ kind: FileStatus.Special) -> Self {
    switch kind {
    case .fifo: .fifo
    case .socket: .socket
    case .device: .device
    }
  }
}

extension PublishReport.Skipped: CustomStringConvertible {
  /// A sentence.
  public var description: String { "'\(name)' was left out: \(reason.words)." }
}

extension PublishReport.Skipped.Reason {
  fileprivate var words: String {
    switch self {
    case .key(let problem): "its name \(problem)"
    case .symbolicLink:
      "it is a symbolic link, and links aren't followed; put what it leads to in its place"
    case .fifo: "it is a named pipe, and not a file"
    case .socket: "it is a socket, and not a file"
    case .device: "it is a device, and not a file"
    case .previewOfNothing: "it is the preview of no file, or a second one"
    }
  }
}
