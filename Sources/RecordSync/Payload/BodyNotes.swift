import SyncText

/// What a body says of itself beside its elements: in the objects on the way to them, and in those
/// that services put there for their pages.
package struct BodyNotes: Sendable, Equatable {
  package struct Count: Sendable, Equatable {
    package var name: String
    package var count: Int64
  }

  /// Whether a member says that there is no more.
  package private(set) var isLast = false
  /// How many elements there are in all, as far as the body says so.
  package private(set) var total: Count?
  /// How many pages there are in all, as far as the body says so.
  package private(set) var pages: Count?
  /// How many elements of arrays on the way to the elements lead to none.
  package internal(set) var lacking = 0
  private var rest: String?
  private var cursor: String?
  private var fault: String?
  /// A code that is that of an error where a sentence stands beside it; and whether one does.
  private var code: String?
  private var hasMessage = false
  /// A code that doesn't tell of success.
  private var oddCode: String?
  /// Whether it is an object of an element, in which counts and the like may be of anything: the
  /// pages of a book, the total of an order.
  private var isWithinElement = false

  /// A member that says that there is more. Some services give a cursor at the end, too.
  package var more: String? { rest ?? (isLast ? nil : cursor) }

  /// A member that tells of an error.
  package var error: String? { fault ?? (hasMessage ? code : nil) }

  /// A member that tells of an error, or may: where no element came, that is in doubt.
  package var errorInDoubt: String? { error ?? code ?? (hasMessage ? oddCode : nil) }

  package init() {}

  /// What an object in which a list of an element stands says of that list.
  init(within object: JSONTape.Node, of tape: borrowing JSONTape) {
    isWithinElement = true
    tape.forEachMember(of: object) { take($0, $1, in: tape) }
  }

  /// Takes a member; what is longer than others are is told by `nil`.
  mutating func take(_ name: [UInt8], _ value: JSONTape.Node?, in tape: borrowing JSONTape) {
    guard name.count < 40 else { return }
    let shown = ByteString.escape(name)
    if let value {
      takePaging(name, shown, value, depth: 0, in: tape)
    } else if let word = ErrorWord(name), [.error, .fault].contains(word.meaning) {
      fault = fault ?? shown
    }
  }

  private mutating func takeError(
    _ name: [UInt8], _ shown: String, _ value: JSONTape.Node, in tape: borrowing JSONTape
  ) {
    guard let word = ErrorWord(name) else { return }
    if word.isOddCode(value, in: tape) { oddCode = oddCode ?? shown }
    switch word.told(by: value, in: tape) {
    case .error, .fault, .verdict, .outcome, .status: fault = fault ?? shown
    case .code, .label: code = code ?? shown
    case .message: hasMessage = true
    case nil: break
    }
  }

  private mutating func takePaging(
    _ name: [UInt8], _ shown: String, _ value: JSONTape.Node, depth: Int,
    in tape: borrowing JSONTape
  ) {
    takeError(name, shown, value, in: tape)
    let word = PagingWord(name)
    let kind = tape.kind(of: value)
    if word.isContainer, kind == .object, depth < 3 {
      tape.forEachMember(of: value) { name, value in
        let inner = "\(shown).\(ByteString.escape(name))"
        takePaging(name, inner, value, depth: depth + 1, in: tape)
      }
    } else if word.isContainer, kind == .array {
      if tape.hasNextLink(value) { rest = rest ?? shown }
    } else if let meaning = word.meaning {
      take(meaning, shown, value, in: tape)
    }
  }

  private mutating func take(
    _ meaning: PagingWord.Meaning, _ shown: String, _ value: JSONTape.Node,
    in tape: borrowing JSONTape
  ) {
    let (flag, count) = (tape.flag(value), tape.count(value))
    if isWithinElement, meaning.isOfAnything, flag != true { return }
    switch meaning {
    case .next: if tape.leadsOn(value) { rest = rest ?? shown }
    case .cursor: if tape.leadsOn(value) { cursor = cursor ?? shown }
    case .offset:
      // A number there is where this part begins.
      if count == nil, tape.kind(of: value) == .string, tape.isAnything(value) {
        cursor = cursor ?? shown
      }
    case .isMore:
      let isPlain = ![.array, .object].contains(tape.kind(of: value))
      if isPlain, tape.isAnything(value) { rest = rest ?? shown }
      isLast = isLast || flag == false
    case .isPart: if flag == true { rest = rest ?? shown }
    case .isLast:
      if flag == false { rest = rest ?? shown }
      isLast = isLast || flag == true
    case .total:
      if let count, count > total?.count ?? -1 { total = Count(name: shown, count: count) }
    case .pages:
      if flag == false { rest = rest ?? shown }
      if let count, count > pages?.count ?? -1 { pages = Count(name: shown, count: count) }
    }
  }
}

extension JSONTape {
  /// Whether a value says anything. Null, false, 0 (as text, too) and what holds no more don't.
  func isAnything(_ node: Node) -> Bool {
    switch kind(of: node) {
    case .null, .false: return false
    case .true: return true
    case .number: return integer(node) != 0
    case .string: return !["", "0", "false", "null", "none"].contains(smallText(node))
    case .array: return contains(node) { isAnything($0) }
    case .object:
      var says = false
      forEachMember(of: node) { _, value in says = says || isAnything(value) }
      return says
    }
  }

  /// Whether a value is where a list goes on: an address, or an object that has one.
  fileprivate func leadsOn(_ node: Node) -> Bool {
    guard kind(of: node) == .object else { return isAnything(node) }
    var target: Bool?
    forEachMember(of: node) { name, value in
      guard ["href", "url", "uri", "link"].contains(String(decoding: name, as: UTF8.self)) else {
        return
      }
      target = target ?? false || isAnything(value)
    }
    return target ?? isAnything(node)
  }

  /// Whether one of several links is the one to the next page.
  fileprivate func hasNextLink(_ links: Node) -> Bool {
    contains(links) { link in
      guard kind(of: link) == .object else { return false }
      var isNext = false
      forEachMember(of: link) { name, value in
        let name = String(decoding: name, as: UTF8.self)
        isNext = isNext || ["rel", "relation"].contains(name) && smallText(value) == "next"
      }
      return isNext && leadsOn(link)
    }
  }

  /// The truth value, also as text.
  func flag(_ node: Node) -> Bool? {
    switch kind(of: node) {
    case .true: true
    case .false: false
    default: ["true": true, "false": false][smallText(node)]
    }
  }

  /// The number, also as text, or as the `value` of an object.
  func count(_ node: Node) -> Int64? {
    switch kind(of: node) {
    case .number: return integer(node)
    case .string: return Int64(smallText(node))
    case .object:
      var count: Int64?
      forEachMember(of: node) { name, value in
        guard name.elementsEqual("value".utf8), kind(of: value) != .object else { return }
        count = self.count(value)
      }
      return count
    default: return nil
    }
  }

  /// A string in small letters; empty for all else.
  func smallText(_ node: Node) -> String {
    guard kind(of: node) == .string else { return "" }
    return String(decoding: stringBytes(node) ?? [], as: UTF8.self).asciiLowercased
  }

  private func contains(_ array: Node, where fits: (Node) -> Bool) -> Bool {
    let end = end(of: array)
    var element = inside(array)
    while element != end {
      if fits(element) { return true }
      element = after(element)
    }
    return false
  }

  /// Calls for each member of an object: its name, and its value.
  func forEachMember(of object: Node, _ body: ([UInt8], Node) -> Void) {
    let end = end(of: object)
    var name = inside(object)
    while name != end {
      let value = after(name)
      body(stringBytes(name) ?? [], value)
      name = after(value)
    }
  }
}
