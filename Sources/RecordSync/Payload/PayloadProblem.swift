public import struct SyncFetching.SourceAccess

/// Why a payload can't be taken. Nothing of it may stay written then.
public enum PayloadProblem: Error, Sendable, Equatable {
  /// No byte came.
  case empty
  /// Nothing but blanks came.
  case blank
  /// A page in HTML, or a document in XML, came.
  case markup
  /// Text in UTF-16 came.
  case utf16
  /// It isn't JSON: what is there, as a noun phrase, and where.
  case notJSON(reason: String, Place)
  /// It ends in the middle.
  case cut(Place)
  /// All of it is a value that can't be a row.
  case scalar(Scalar)
  /// What was asked for isn't in the body.
  case items(path: String, ItemsFault)
  /// An element is longer than the bytes that are held at once.
  case elementTooLong(Place, limit: Int)
  /// The system can't read it: why.
  case unreadable(reason: String)
  /// No element can be told by a key: how many there are, under which names keys were looked for,
  /// and how the first one looks.
  case withoutKeys(table: String, names: [String], elements: Int, first: PayloadExcerpt?)
  /// An object that stands alone tells of an error: the member that does, and how it looks.
  case errorBody(member: String, PayloadExcerpt)
  /// An object that stands alone has nothing that the table knows, but for a key.
  case strangeObject(table: String, PayloadExcerpt)
  /// An object that stands alone looks like an error of a service, a sentence beside a status or a
  /// code of one, and no row of its key is there.
  case likeError(PayloadExcerpt)
  /// All elements of a list tell of an error, and the table knows nothing else of them but a key:
  /// the member that does, and how the first one looks.
  case errorElements(member: String, PayloadExcerpt)
  /// All elements of a list look like errors of a service, none is a row that the table has, and
  /// rows would be deleted for them: how the first one looks.
  case likeErrors(table: String, PayloadExcerpt)
  /// The last element of a list looks like an error of a service, as one that failed on the way may
  /// write, and rows would be deleted that didn't come: how it looks.
  case errorAtEnd(table: String, PayloadExcerpt)
  /// What comes can't be kept until it is read: the system's reason.
  case noRoom(reason: String)
  /// A body ended before the length that was declared.
  case shorterThanDeclared(came: Int64, declared: Int64)
  /// A chain of pages came back to a page that was there already: its address, without secrets.
  case pageTwice(String)
  /// A page that can't be taken: its address, without secrets, and what is wrong with it.
  indirect case page(String, PayloadProblem)
  /// It can't be had from an address, given without secrets.
  case source(String, SourceFault)

  /// Why nothing can be had from an address.
  public enum SourceFault: Sendable, Equatable {
    /// It is none that HTTP reaches.
    case badAddress
    /// A file that the access names can't be read.
    case unreadableFile(SourceAccess.File, path: String)
    /// The request failed: what happened and what to do, as the end of a sentence; and the status,
    /// where the server gave one.
    case failed(reason: String, status: Int?)
    /// What names the next page is no address that is followed from here.
    case nextPage(String)
    /// At this path, where the next page's address should stand, is something else than text.
    case nextIsNoText(String)
    /// No page has this path, but a page has a member of that very name, with its dots.
    case nextHasDots(String)
    /// The chain has more than so many pages.
    case tooManyPages(Int)
    /// The server doesn't tell where the body ends, or which page comes next, so that nobody knows
    /// whether this is all.
    case unproven
    /// It was to be read before it was fetched.
    case notFetched
    /// What came can't be kept until it is written: the system's reason.
    case noRoom(reason: String)
  }

  /// Where in a payload.
  public struct Place: Sendable, Equatable {
    /// The offset of the byte.
    public var offset: Int
    /// The number of the element that it belongs to, counted from 1; `nil` outside of them.
    public var element: Int?

    /// A place.
    public init(offset: Int, element: Int? = nil) {
      self.offset = offset
      self.element = element
    }
  }

  /// What may stand in JSON where an array or an object is wanted.
  public enum Scalar: Sendable, Equatable {
    case null, boolean, number, string
  }

  /// Why a path leads to no elements.
  public enum ItemsFault: Sendable, Equatable {
    /// This part of the path isn't in the object that should hold it.
    case absent(String)
    /// The body itself is no object, so that nothing can be in it.
    case bodyIsNoObject
    /// At this part of the path is no object, so that nothing can be in it.
    case noObject(String)
    /// At the path's end is such a value.
    case scalar(Scalar)
  }
}
