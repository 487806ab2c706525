@_exported public import struct SyncFetching.SourceAccess

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
  /// It is gzip that ends in the middle, or is damaged.
  case gzip(isCut: Bool)
  /// It is no table in text (CSV): what is wrong, and in which line.
  case csv(TableFault, line: Int)
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

  /// What is wrong with a table in text.
  public enum TableFault: Sendable, Equatable {
    /// A field in quotes has no end.
    case openQuote
    /// Something stands behind the quote that ends a field.
    case behindQuote
    /// A row has so many fields, of so many names.
    case fields(Int, named: Int)
    /// The column of this number, counted from 1, has no name.
    case noName(Int)
    /// Two columns have this name.
    case nameTwice(String)
    /// No row stands behind the names. What was cut off looks so, too; an empty array (`[]`) says
    /// that there is nothing.
    case noRows
  }

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
    /// The last element of a page has no key, by which the next page would be asked for.
    case lastHasNoKey
    /// Only what is new was asked for, and this member says that there is more of it.
    case restIsLeft(String)
    /// A page that is asked for by a number is one object, and no list.
    case noList
    /// A page is gzip itself, in which the next one isn't looked for.
    case packed
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
    var offset: Int
    /// The number of the element that it belongs to, counted from 1; `nil` outside of them.
    var element: Int?
  }

  /// What may stand in JSON where an array or an object is wanted.
  public enum Scalar: Sendable, Equatable {
    case null, boolean, number, string
  }
}

extension PayloadProblem: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .empty:
      "The payload is empty. Check what should have sent it; where there really is nothing, an"
        + " empty array says so: []."
    case .blank:
      "The payload holds nothing but blanks. Check what should have sent it; where there really is"
        + " nothing, an empty array says so: []."
    case .markup:
      "The payload is a page in HTML or XML, and no JSON: a login page, perhaps, or an error. Check"
        + " the address and the credentials."
    case .utf16:
      "The payload is text in UTF-16, and JSON is UTF-8. Convert it."
    case .notJSON(let reason, let place):
      "The payload isn't JSON: there is \(reason), \(place.words). Check what made it."
    case .cut(let place):
      "The payload ends in the middle, \(place.words): it was cut off. Get it once more, as a"
        + " whole."
    case .scalar(let scalar):
      "The payload is \(scalar.words), where an array of objects, or one object, was expected."
        + " Check what made it."
    case .items(let path, let fault):
      "The payload has no elements at \(path): \(fault.words). Check the path."
    case .elementTooLong(let place, let limit):
      "The payload holds more than \(limit) bytes in one value, \(place.words). Check whether the"
        + " path to its elements is right."
    case .unreadable(let reason):
      "The payload can't be read: \(reason). Check that it is there and may be read."
    case .gzip(let isCut):
      "The payload is gzip that \(isCut ? "was cut off" : "is damaged"). Get it once more, as a"
        + " whole."
    case .csv(let fault, let line):
      "The payload is no table in text: in line \(line), \(fault.words). Check what made it, and"
        + " what stands between its fields."
    case .noRoom(let reason):
      "What comes can't be kept until it is written: \(reason). Make room for temporary files."
    case .withoutKeys, .errorBody, .strangeObject, .likeError, .errorElements, .likeErrors,
      .errorAtEnd, .shorterThanDeclared, .pageTwice:
      wholeBodySentence
    case .page(let address, let problem): "\(address): \(problem)"
    case .source(let address, let fault): "\(address): \(fault.words) Nothing was written."
    }
  }

  private var wholeBodySentence: String {
    switch self {
    case .withoutKeys(let table, let names, let elements, let first):
      (elements == 1 ? "The only element" : "None of the \(elements) elements")
        + " of the payload has \(elements == 1 ? "no " : "a ")key of the table \(table)"
        + " (\(names.joined(separator: ", ")))."
        + (first.map { " This is \($0.words)." } ?? "")
        + " Check that it is the right payload, and the path to its elements."
    case .errorBody(let member, let first):
      "The payload is one object and no list, and its member \(member) tells of an error. This is"
        + " \(first.words). Check what sent it; if it is a row, put it by itself."
    case .strangeObject(let table, let first):
      "The payload is one object and no list, and the table \(table) knows none of its members but"
        + " the key. This is \(first.words). Check that it is the right payload; if it is, put it"
        + " by itself."
    case .likeError(let first):
      "The payload is one object and no list, and looks like an error of a service: a sentence"
        + " stands beside the status or code of an error, and no row of its key is there. This is"
        + " \(first.words). Check what sent it; if it is a row, put it by itself."
    case .errorElements(let member, let first):
      "Each element of the payload tells of an error under \(member), and has nothing else that"
        + " the table knows but the key. This is \(first.words). Check what sent it."
    case .likeErrors(let table, let first):
      "Each element of the payload looks like an error of a service, the table \(table) has none of"
        + " them, and others that it has would be deleted. This is \(first.words). Check what sent"
        + " it; if they are rows, sync them once without deletions."
    case .errorAtEnd(let table, let last):
      "The payload ends with what looks like an error of a service and has no key, and rows of the"
        + " table \(table) that didn't come before it would be deleted. This is \(last.words)."
        + " Check what sent it, or sync it without deletions."
    case .shorterThanDeclared(let came, let declared):
      "The payload has \(came) bytes, and \(declared) were declared: it was cut off. Get it once"
        + " more, as a whole."
    case .pageTwice(let address):
      "The pages of the payload go round in a circle: \(address) follows on itself. Tell whoever"
        + " runs the server."
    default: ""
    }
  }
}

extension PayloadProblem.SourceFault {
  fileprivate var words: String {
    switch self {
    case .badAddress: "This is no address that HTTP reaches. Give one that begins with https://."
    case .unreadableFile(_, let path): "The file \(path) can't be read. Check that it is there."
    case .failed(let reason, _): "It can't be fetched: \(reason)."
    case .nextPage(let text):
      "As the next page it names \(text), which isn't followed: no address of http or https, one"
        + " with a password, or one that leaves https. Tell whoever runs the server."
    case .nextIsNoText(let path):
      "At \(path), where the next page's address should stand, is no text. Check the path."
    case .nextHasDots(let name):
      "Its pages have no such path for the next page, but a member of that very name. Write the"
        + " name in quotes: \"\(name)\"."
    case .lastHasNoKey:
      "The last element of this page has no id, by which the next page would be asked for. Follow"
        + " the pages in another way."
    case .restIsLeft(let member):
      "It says under \(member) that there is more, which no sync would ask for any more: the next"
        + " one begins at the greatest value. Follow its pages."
    case .noList:
      "This page is one object, and no list. Say where in it the elements stand."
    case .packed:
      "This page is a file of gzip, in which the next page isn't looked for. Fetch the pages first,"
        + " and sync their files."
    case .tooManyPages(let most): "The chain has more than \(most) pages. Ask for longer ones."
    case .unproven:
      "The server doesn't tell where the body ends, or its Link header can't be read: there may be"
        + " more than came, and what didn't come would be deleted. Sync it without deletions."
    case .notFetched: "It hasn't been fetched. This is a fault of the program: please report it."
    case .noRoom(let reason):
      "What comes can't be kept until it is written: \(reason). Make room for temporary files."
    }
  }
}

extension PayloadProblem.Place {
  /// `at byte 120, in element 3`
  fileprivate var words: String {
    "at byte \(offset)" + (element.map { ", in element \($0)" } ?? "")
  }
}

extension PayloadProblem.Scalar {
  var words: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a string"
    }
  }
}

extension PayloadProblem.TableFault {
  fileprivate var words: String {
    switch self {
    case .openQuote: "a field in quotes has no end"
    case .behindQuote: "something stands behind the quote that ends a field"
    case .fields(let count, let names):
      "the number of fields, \(count), isn't that of the names, \(names)"
    case .noName(let place): "column \(place) has no name"
    case .noRows: "there are names, and no row behind them"
    case .nameTwice(let name): "two columns have the name \(name)"
    }
  }
}
