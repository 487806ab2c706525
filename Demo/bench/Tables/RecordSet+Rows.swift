extension RecordSet {
  /// The cells of the object of a number, counted from 1, without what is nested in it.
  func cells(of number: Int) -> [Cell] {
    let isChanged = edition.changes(number)
    switch shape {
    case .flat:
      return [
        .integer(number), .text(Self.name(number)), .text("person\(number)@example.org"),
        .integer(18 + number % 60 + (isChanged ? 1 : 0)),
        .real(Double(number * 7_919 % 8_000) / 8 + 0.125), .text(Self.city(number)),
        .text(Self.date(number, isLater: isChanged)),
      ]
    case .long:
      return [.integer(number), .text(Self.name(number)), .text(Self.prose(number))]
    case .family, .graph:
      return [.integer(number), .text(Self.name(number)), .text(Self.city(number))]
    case .users:
      return [
        .integer(number), .text(Self.name(number + (isChanged ? 1 : 0))),
        .text("person\(number)@example.org"), .real(Double(number % 997) / 8 + 0.125),
        .truth(number.isMultiple(of: 3)),
      ]
    }
  }

  /// How many objects aren't as in the first edition.
  var changedCount: Int { (1...count).count(where: edition.changes) }

  /// The numbers of a parent's children.
  func children(of parent: Int) -> ClosedRange<Int> {
    (parent - 1) * width + 1...parent * width
  }

  /// The cells of a child, without the link to its parent.
  func cells(ofChild number: Int) -> [Cell] {
    [.integer(number), .text(Self.name(number * 3)), .integer(number % 18)]
  }

  /// The numbers of a child's labels.
  func labels(ofChild number: Int) -> [Int] {
    let (one, other) = (number % labels, (number * 7 + 3) % labels)
    return [one + 1, (one == other ? (other + 1) % labels : other) + 1]
  }

  /// The cells of a user's orders, without the link.
  func orders(of user: Int) -> [[Cell]] {
    let state = edition.changes(user) ? "closed" : "open"
    return (user * 3 - 2...user * 3).map {
      [.integer($0), .integer($0 * 7 % 1_000), .text(state)]
    }
  }

  /// The same of a user's addresses.
  func addresses(of user: Int) -> [[Cell]] {
    (user * 4 - 3...user * 4).map {
      [.integer($0), .text(Self.city($0)), .text("\(10_000 + $0 % 89_999)")]
    }
  }

  /// The cells of a user's tags.
  func tags(of user: Int) -> [[Cell]] {
    [user * 13, user * 13 + 7].map { $0 % tagCount + 1 }.map(tag)
  }

  private func tag(_ number: Int) -> [Cell] { [.integer(number), .text("tag \(number)")] }

  /// Every row of a table.
  func forEachRow(of table: RecordTable, _ body: ([Cell]) throws -> Void) rethrows {
    switch table.name {
    case "children":
      for parent in 1...count {
        for child in children(of: parent) {
          let cells = cells(ofChild: child)
          try body([cells[0], .integer(parent)] + cells.dropFirst())
        }
      }
    case "labels":
      for number in 1...labels { try body([.integer(number), .text("label \(number)")]) }
    case "children_labels":
      for child in 1...count * width {
        for label in labels(ofChild: child) { try body([.integer(child), .integer(label)]) }
      }
    case "orders", "addresses":
      for user in 1...count {
        for cells in table.name == "orders" ? orders(of: user) : addresses(of: user) {
          try body(cells + [.integer(user)])
        }
      }
    case "tags":
      let used = Set((1...count).flatMap { [$0 * 13, $0 * 13 + 7] }.map { $0 % tagCount + 1 })
      for number in used.sorted() { try body(tag(number)) }
    case "users_tags":
      for user in 1...count {
        for tag in tags(of: user) { try body([.integer(user), tag[0]]) }
      }
    default:
      for number in 1...count { try body(cells(of: number)) }
    }
  }

  private static let firstNames = [
    "Ada", "Åsa", "Björn", "Chloé", "Dmitri", "Edith", "Farid", "Grace", "Hana", "Igor", "José",
    "Kim", "Lena", "Mika", "Noor", "Zoë",
  ]
  private static let lastNames = [
    "Abel", "Brandt", "Castillo", "Dubois", "Eriksson", "Fischer", "García", "Hopper", "Ivanova",
    "Jensen", "Kowalski", "Lovelace", "Müller", "Novák", "Okafor", "Petit", "Ōno",
  ]
  private static let cities = [
    "Aarhus", "Basel", "Córdoba", "Dakar", "Esbjerg", "Fez", "Göteborg", "Hanoi", "Izmir", "Jaipur",
    "Köln", "Łódź", "Malmö",
  ]

  private static func name(_ number: Int) -> String {
    "\(firstNames[number % firstNames.count]) \(lastNames[number % lastNames.count]) \(number)"
  }

  private static func city(_ number: Int) -> String { cities[number % cities.count] }

  private static func date(_ number: Int, isLater: Bool) -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (isLater ? "2026" : "2025") + "-\(two(number % 12 + 1))-\(two(number % 28 + 1))T"
      + "\(two(number % 24)):\(two(number % 60)):\(two(number % 59))Z"
  }

  /// Nearly a KiB of words, from another place of the same text each time.
  private static func prose(_ number: Int) -> String {
    let start = words.index(words.startIndex, offsetBy: number * 37 % 1_009)
    let end = words.index(start, offsetBy: 840)
    return "\(number) " + String(decoding: words[start..<end], as: UTF8.self)
  }

  private static let words: [UInt8] = {
    let plain = ["river", "stone", "lantern", "meadow", "harbour", "copper", "winter", "signal"]
    return (0..<400).flatMap { Array((plain[$0 * $0 % 61 % plain.count] + " ").utf8) }
  }()
}
