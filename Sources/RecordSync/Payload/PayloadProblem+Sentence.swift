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
      "The payload isn't JSON: there is \(reason), \(place). Check what made it."
    case .cut(let place):
      "The payload ends in the middle, \(place): it was cut off. Get it once more, as a whole."
    case .scalar(let scalar):
      "The payload is \(scalar), where an array of objects, or one object, was expected. Check what"
        + " made it."
    case .items(let path, let fault):
      "The payload has no elements at \(path): \(fault). Check the path."
    case .elementTooLong(let place, let limit):
      "The payload holds more than \(limit) bytes in one value, \(place). Check whether the path to"
        + " its elements is right."
    case .unreadable(let reason):
      "The payload can't be read: \(reason). Check that it is there and may be read."
    case .noRoom(let reason):
      "What comes can't be kept until it is written: \(reason). Make room for temporary files."
    case .withoutKeys, .errorBody, .strangeObject, .likeError, .errorElements, .likeErrors,
      .errorAtEnd, .shorterThanDeclared, .pageTwice:
      wholeBodySentence
    case .page(let address, let problem): "\(address): \(problem)"
    case .source(let address, let fault): "\(address): \(fault) Nothing was written."
    }
  }

  /// What can only be said of a body once it is there.
  private var wholeBodySentence: String {
    switch self {
    case .withoutKeys(let table, let names, let elements, let first):
      (elements == 1 ? "The only element" : "None of the \(elements) elements")
        + " of the payload has \(elements == 1 ? "no " : "a ")key of the table \(table)"
        + " (\(names.joined(separator: ", ")))."
        + (first.map { " This is \($0)." } ?? "")
        + " Check that it is the right payload, and the path to its elements."
    case .errorBody(let member, let first):
      "The payload is one object and no list, and its member \(member) tells of an error. This is"
        + " \(first). Check what sent it; if it is a row, put it by itself."
    case .strangeObject(let table, let first):
      "The payload is one object and no list, and the table \(table) knows none of its members but"
        + " the key. This is \(first). Check that it is the right payload; if it is, put it by"
        + " itself."
    case .likeError(let first):
      "The payload is one object and no list, and looks like an error of a service: a sentence"
        + " stands beside the status or code of an error, and no row of its key is there. This is"
        + " \(first). Check what sent it; if it is a row, put it by itself."
    case .errorElements(let member, let first):
      "Each element of the payload tells of an error under \(member), and has nothing else that"
        + " the table knows but the key. This is \(first). Check what sent it."
    case .likeErrors(let table, let first):
      "Each element of the payload looks like an error of a service, the table \(table) has none of"
        + " them, and others that it has would be deleted. This is \(first). Check what sent it; if"
        + " they are rows, sync them once without deletions."
    case .errorAtEnd(let table, let last):
      "The payload ends with what looks like an error of a service and has no key, and rows of the"
        + " table \(table) that didn't come before it would be deleted. This is \(last). Check what"
        + " sent it, or sync it without deletions."
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

extension PayloadProblem.SourceFault: CustomStringConvertible {
  /// What happened, and what to do, after the address.
  public var description: String {
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

extension PayloadProblem.Place: CustomStringConvertible {
  /// `at byte 120, in element 3`
  public var description: String {
    "at byte \(offset)" + (element.map { ", in element \($0)" } ?? "")
  }
}

extension PayloadProblem.Scalar: CustomStringConvertible {
  /// `a number`
  public var description: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a string"
    }
  }
}

extension PayloadProblem.ItemsFault: CustomStringConvertible {
  /// The end of a sentence that named the path.
  public var description: String {
    switch self {
    case .absent(let part): "there is no \(part)"
    case .bodyIsNoObject: "the payload is no object"
    case .noObject(let part): "\(part) is no object"
    case .scalar(let scalar): "it is \(scalar), and neither an array nor an object"
    }
  }
}
