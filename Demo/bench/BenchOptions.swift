import Foundation

/// What may be chosen on the command line.
struct BenchOptions {
  /// The scenarios to run; all where it is empty.
  var only: Set<String> = []
  /// Measured rounds; before them one warms up.
  var rounds = 5
  /// How much of the full amount of files is used, above 0 to 1.
  var scale = 1.0
  /// Small data, one round, no warm-up; no time is judged, but traffic is asserted as ever.
  var isQuick = false
  var jsonFile: String?
  var writesPage = false
  var mirror = ".build/release/mirror"
  /// Another build of mirror, that takes the peers' place.
  var earlier: String?
  var package = "."
  var work = ".build/bench"

  static let help = """
    Demo/bench/run [OPTION…]     mirror beside its peers, scenario by scenario

      --only B1,B3       these scenarios [all]
      --rounds N         measured rounds; one more warms up [5]
      --scale F          this share of the files, for a first impression; not judged [1]
      --quick            small data and one round in under two minutes: no time is judged;
                         requests, bytes and descriptors have to be exactly right
      --json FILE        the report as JSON
      --page             writes the documentation's page "Benchmarks" and its charts, at the end of
                         the whole benchmark
      --mirror PROGRAM   another build of mirror [.build/release/mirror]
      --against PROGRAM  beside another build of mirror, an earlier one for example, and not
                         beside the peers
      --work FOLDER      where data and images of file systems are kept [.build/bench]

    It needs root, for file systems of its own, and about 12 GB in the work folder.
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--only":
        only = Set(try Self.value(of: name, &rest).split(separator: ",").map(String.init))
      case "--rounds": rounds = try Self.number(name, &rest) { Int($0) }
      case "--scale": scale = try Self.number(name, &rest) { Double($0) }
      case "--quick": isQuick = true
      case "--json": jsonFile = try Self.value(of: name, &rest)
      case "--page": writesPage = true
      case "--mirror": mirror = try Self.value(of: name, &rest)
      case "--against": earlier = try Self.value(of: name, &rest)
      case "--package": package = try Self.value(of: name, &rest)
      case "--work": work = try Self.value(of: name, &rest)
      default: throw UsageProblem(description: "no option '\(name)'; see --help")
      }
    }
    if let unknown = only.subtracting(Scenario.names).sorted().first {
      throw UsageProblem(description: "--only: no scenario '\(unknown)'")
    }
    guard !writesPage || isWhole else {
      throw UsageProblem(
        description: "--page: it shows the whole benchmark, in full and with at least 5 rounds")
    }
  }

  /// Whether so much is measured as the page tells of.
  private var isWhole: Bool {
    only.isEmpty && rounds >= 5 && scale >= 1 && !isQuick && earlier == nil
  }

  private static func value(of name: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else {
      throw UsageProblem(description: "\(name) needs a value; see --help")
    }
    return value
  }

  private static func number<Number: Comparable & ExpressibleByIntegerLiteral>(
    _ name: String, _ rest: inout ArraySlice<String>, _ read: (String) -> Number?
  ) throws -> Number {
    let text = try value(of: name, &rest)
    guard let number = read(text), number > 0 else {
      throw UsageProblem(description: "\(name): '\(text)' is no number above 0")
    }
    return number
  }
}

/// The command line can't be understood.
struct UsageProblem: Error, CustomStringConvertible {
  var description: String
}

/// The benchmark can't go on, or found something that has to be mended.
struct BenchProblem: Error, CustomStringConvertible {
  var description: String
}
