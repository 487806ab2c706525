import Console

/// A program that is made up: it bakes and tastes.
struct Order: CommandRequest, Equatable {
  enum Command: String {
    case bake
    case taste
    case secret
  }

  var command: Command
  var loaves = 1
  var isQuiet = false
  var isVerbose = false
  var flour = "wheat"
  var seeds: [String] = []
  var listed: String?
  var said: [String] = []

  init(command: Command) {
    self.command = command
  }

  /// With a list, names are all that is left to say.
  var operands: [Operand] { listed == nil ? command.operands : [Operand("NAME", .text, .any)] }

  mutating func take(_ operands: [String]) throws {
    if operands.first == "stone" { throw UsageError("nobody eats 'stone'") }
    said = operands
  }

  static let program = ProgramDescription<Order>(
    name: "baker", version: "1", purpose: "baker bakes bread.", example: "baker bake OVEN",
    table: OptionTable([
      OptionTable<Order>.Group(
        "Dough",
        [
          Option(
            "loaves", short: "n", for: [.bake], "how many", standard: "1",
            .value("N") { $0.loaves = try Value.positive($1) }),
          Option(
            "flour", for: [.bake], "which of them", standard: "wheat",
            .value("wheat|rye") { $0.flour = try Value.oneOf(["wheat", "rye"], $1) }),
          Option(
            "seed", for: [.bake], "what is strewn on it", isRepeatable: true,
            rivals: ["plain"], .value("NAME") { $0.seeds.append($1) }),
          Option("plain", for: [.bake], "without seeds", rivals: ["seed"], .flag { $0.seeds = [] }),
          Option("list", for: [.bake], "what to bake", .value("FILE") { $0.listed = $1 }),
        ]),
      OptionTable<Order>.Group(
        "Output",
        [
          Option(
            "quiet", short: "q", for: [.bake, .taste], "say little", .flag { $0.isQuiet = true }),
          Option("verbose", short: "v", for: [.bake], "say much", .flag { $0.isVerbose = true }),
          Option("slowly", for: [.taste], "take time", .flag { _ in }),
        ]),
    ]),
    statuses: [.init(0, "eaten"), .init(1, "burnt")],
    foreignOptions: ["knead": "the dough is kneaded anyway"], asker: "secret")
}

extension Order.Command: ProgramCommand {
  var operands: [Operand] {
    switch self {
    case .bake: [Operand("OVEN", .directory)]
    case .taste: [Operand("LOAF"), Operand("BESIDE", .file, .any)]
    case .secret: [Operand("WORD", .words(["salt", "pepper"]), .atMostOne, mayBeEmpty: true)]
    }
  }

  var summary: String { "\(rawValue) something" }
  var purpose: String { "Does what the word says: \(rawValue)." }
  var notes: String { self == .bake ? "The oven is hot.\n\n  so: hot" : "" }
  var examples: [String] { ["baker \(rawValue) it"] }
  var isHidden: Bool { self == .secret }
  var completesByAsking: Bool { self == .taste }
}
