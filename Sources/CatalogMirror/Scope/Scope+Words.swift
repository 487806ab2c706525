import SyncText

extension Scope {
  private static let mostNamed = 100

  /// What is said here, for people; nothing for everything.
  var words: [String] {
    var words = rules.prefix(Self.mostNamed).map { rule in
      switch rule {
      case .include(let pattern): "include '\(pattern)'"
      case .exclude(let pattern): "exclude '\(pattern)'"
      }
    }
    let more = rules.count - Self.mostNamed
    if more > 0 { words.append("\(more) more patterns") }
    if let names { words.append("only \(names.keys.count + names.directories.count) names") }
    if let minimumSize { words.append("no smaller than \(ByteAmount.text(minimumSize))") }
    if let maximumSize { words.append("no larger than \(ByteAmount.text(maximumSize))") }
    if let maximumAge { words.append("no older than \(Self.text(maximumAge))") }
    return words
  }

  private static func text(_ age: Duration) -> String {
    let seconds = age.components.seconds
    for (unit, word) in [(86_400, "day"), (3_600, "hour"), (60, "minute")] as [(Int64, String)]
    where seconds >= unit && seconds.isMultiple(of: unit) {
      return "\(seconds / unit) \(word)\(seconds == unit ? "" : "s")"
    }
    return "\(seconds) s"
  }
}
