public import CatalogMirror

/// What stands at an address, and what a mirror of it is worth.
public struct SourceDiagnosis: Sendable, Equatable {
  /// The address that was asked for, without secrets.
  public var address: String
  /// The list that is there; `nil` where nothing reads it.
  public var list: List?
  /// Why nothing reads it; `nil` where something does.
  public var problem: MirrorReport.Failure?
  /// The path of the folder that a file URL leads to, which has to have a catalog first; `nil` for
  /// anything else.
  public var folder: String?
  /// Formats that read what is there once they are named, where none does by itself.
  public var candidates: [Candidate] = []
  /// What the answer for the list is known by.
  public var listValidator = Validation()
  /// What the server does with one item; `nil` where none could be asked for.
  public var item: Item?
  /// What it does with a pack, whose key is its SHA-256; by what that is known isn't asked, since
  /// no pack changes. `nil` where the list names none.
  public var pack: Item?

  /// A list as it was read.
  public struct List: Sendable, Equatable {
    /// The name of its format.
    public var format: String
    /// What a list of the format is, as a noun.
    public var noun: String
    /// How many pages it has, or were read.
    public var pages = 0
    /// Whether it has more pages than were read: what is counted here is counted of those.
    public var isPart = false
    /// The ids of the keys of which it says that they have signed it, as anybody may.
    public var signers: [String] = []
    /// The ids of the keys that were given to check it by and have signed it.
    public var verifiedBy: [String] = []
    /// Until when it may be taken, as it says, in seconds since 1970; `nil` is for ever. Whether
    /// anybody has signed that, ``verifiedBy`` tells.
    public var expires: Int64?
    /// Whether that time is over by the clock here.
    public var isExpired = false
    /// How many items can be used.
    public var items = 0
    /// The bytes of those whose size is known, exact or rounded.
    public var bytes: Int64 = 0
    /// How many have a size that is rounded, or a guess.
    public var rounded = 0
    /// How many have no size.
    public var unsized = 0
    /// How many have a digest that proves their bytes.
    public var digested = 0
    /// The names of the algorithms of those digests, such as "SHA-256".
    public var proofs: [String] = []
    /// How many others have a digest that refuses what differs, and proves nothing (MD5, SHA-1).
    public var refutable = 0
    /// The names of the algorithms of those.
    public var checks: [String] = []
    /// How many tell by themselves whether they have changed; the others are asked for each time.
    public var versioned = 0
    /// How many of these tell it by a date alone, which proves nothing while it is young.
    public var dated = 0
    /// What of the list a run asks for that has read it before.
    public var again = Again.everyPage
    /// How many have a preview.
    public var previewed = 0
    /// How many packs it names: files that each hold the bytes of many small ones.
    public var packs = 0
    /// All bytes of these.
    public var packBytes: Int64 = 0
    /// How many items have their content in one of them.
    public var packed = 0
    /// Entries that can't be mirrored; the first twenty.
    public var refused: [MirrorReport.Failure] = []
    /// How many entries can't be mirrored.
    public var refusedCount = 0
    /// How many more can't where names are folded, as on most disks of macOS and Windows.
    public var folded = 0
    /// Directories whose pages can't be had, and why.
    public var unreadable: [MirrorReport.Failure] = []
    /// Whether absence from the list means that an item is gone.
    public var isWhole = true
    /// Why it doesn't; empty also for a list of what is new, which says so of itself.
    public var partial: [PartialReason] = []
    /// Addresses of suites of Debian repositories in it, where it is a list of directories; the
    /// first twenty.
    public var suites: [String] = []
    /// Of a Python package index: whether it gives JSON to who asks for it, which has sizes and
    /// dates. `nil` for any other list, and where the question wasn't answered.
    public var offersJSON: Bool?
    /// What else is to be said of it, as a run says it.
    public var remarks: [ListingRemark] = []

    /// Whether it has entries, and none of them can be mirrored.
    public var isUseless: Bool { items == 0 && refusedCount > 0 }
  }

  /// What of a list is asked for again in each run.
  public enum Again: Sendable {
    /// Each of its pages.
    case everyPage
    /// The `Release` of a Debian repository: lists are read when it names others.
    case release
    /// What has changed since.
    case changes
  }

  /// A format that reads what is there once it is named.
  public struct Candidate: Sendable, Equatable {
    /// Its name.
    public var format: String
    /// What a list of it is, as a noun.
    public var noun: String
    /// How many items its first page has that can be mirrored.
    public var items: Int
    /// How many directories its first page names.
    public var directories: Int
  }

  /// By what an answer is known again.
  public struct Validation: Sendable, Equatable {
    /// What the server gives.
    public var kind = Kind.none
    /// Whether it gave the same when it was asked once more; `nil` where it wasn't.
    public var holdsStill: Bool?
    /// Whether it answers 304 to who has the newest; `nil` where it wasn't asked.
    public var confirms: Bool?

    /// What a server gives to know an answer by (RFC 9110, section 8.8).
    public enum Kind: String, Sendable {
      /// An entity tag that tells every byte.
      case strong
      /// An entity tag that only promises the same meaning.
      case weak
      /// A date of modification.
      case date
      /// A date of modification so young that a change in the same second would bear it as well.
      case youngDate
      /// Nothing.
      case none
    }
  }

  /// What the server does with one item.
  public struct Item: Sendable, Equatable {
    /// Its key.
    public var key: String
    /// By what its bytes are known.
    public var validator = Validation()
    /// What it does when it is asked for a part.
    public var ranges = Ranges.untried
    /// Whether it says how many bytes will come.
    public var hasLength = true
    /// Whether it would be noticed that not all of them came.
    public var isFramed = true
    /// Whether it sends the bytes packed though nobody asked for it.
    public var compresses = false
    /// Why it couldn't be fetched; `nil` where it could.
    public var problem: MirrorReport.Failure?
  }

  /// What a server does when it is asked for a part (RFC 9110, section 14).
  public enum Ranges: String, Sendable {
    /// It sends that very part, and the whole where the item has changed since: what was cut goes
    /// on where it was.
    case honest
    /// It sends the whole: what was cut begins anew.
    case ignored
    /// It sends a part also of what it was told has changed: parts of two states could be joined.
    /// The mirror notices by size and digest, where there are any, and else begins anew.
    case careless
    /// It sends another part than it says. The mirror begins anew.
    case wrong
    /// The item is too small, or has no strong validator to go by.
    case untried
  }
}
