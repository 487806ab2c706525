/// Numbers of one kind, in the words of Prometheus's text format.
public struct MetricFamily: Equatable, Sendable {
  /// One number, and what it is of.
  public struct Sample: Equatable, Sendable {
    /// Names and values, in the order in which they are written.
    public var labels: [Label]
    public var value: Double

    public init(_ labels: [Label], _ value: Double) {
      self.labels = labels
      self.value = value
    }

    /// The value of a label.
    public subscript(label: String) -> String? { labels.first { $0.name == label }?.value }
  }

  /// A name and its value.
  public struct Label: Equatable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Letters, digits and underscores.
  public var name: String
  /// What it is, for people.
  public var help: String
  public var samples: [Sample]

  /// Numbers that go up and down: gauges.
  public init(_ name: String, _ help: String, _ samples: [Sample] = []) {
    self.name = name
    self.help = help
    self.samples = samples
  }

  /// The lines of the family; none where there is no number.
  public var text: String {
    guard !samples.isEmpty else { return "" }
    let lines = samples.map { sample in
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escape($0.value))\"" }
      let braces = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      return "\(name)\(braces) \(Self.number(sample.value))\n"
    }
    return "# HELP \(name) \(Self.escape(help, quotes: false))\n# TYPE \(name) gauge\n"
      + lines.joined()
  }

  private static func escape(_ text: String, quotes: Bool = true) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Whole numbers without a point.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
  }
}
