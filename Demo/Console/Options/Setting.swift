/// An option as it was said: on the command line, in the environment or in a file.
public struct Setting: Equatable, Sendable {
  /// The option's long name, without dashes.
  public var name: String
  /// What was said of it; `nil` where it was only said.
  public var value: String?

  /// An option as it was said.
  public init(_ name: String, _ value: String? = nil) {
    self.name = name
    self.value = value
  }
}

extension OptionTable {
  /// Does to `request` what an option does. A flag without a value is meant; with one, it says
  /// whether it is: `yes` or `no`.
  ///
  /// Throws ``UsageError``, which says what is wrong with the value and doesn't name the option:
  /// whoever read it knows best how it was written.
  public func apply(_ setting: Setting, to request: inout Request) throws {
    guard let option = option(setting.name, for: request.command) else {
      throw UsageError("'\(request.command.rawValue)' has no such option")
    }
    switch option.effect {
    case .flag(let apply):
      if try setting.value.map(Value.isYes) ?? true { try apply(&request) }
    case .value(let placeholder, let apply):
      guard let value = setting.value else { throw UsageError("\(placeholder) is missing") }
      try apply(&request, value)
    }
  }

  /// What holds when the same may be said in several places, in the order in which it is to be
  /// applied. What is said of an option in one place puts out what later places say of it and of
  /// its rivals, also where it may be repeated.
  /// - Parameter places: The strongest first, as the command line, the environment, a file.
  public func merged(_ places: [[Setting]], for command: Request.Command) -> [Setting] {
    var isSettled: Set<String> = []
    var merged: [Setting] = []
    for place in places {
      merged = place.filter { !isSettled.contains($0.name) } + merged
      for setting in place {
        isSettled.insert(setting.name)
        guard let option = option(setting.name, for: command), option.isMeant(by: setting) else {
          continue
        }
        isSettled.formUnion(option.rivals)
      }
    }
    return merged
  }
}

extension Option {
  /// Whether a setting of this option asks for it: a flag may be said not to be meant.
  fileprivate func isMeant(by setting: Setting) -> Bool {
    guard case .flag = effect, let value = setting.value else { return true }
    // What is neither yes nor no is a mistake, which is told when it's applied.
    return (try? Value.isYes(value)) ?? true
  }
}
