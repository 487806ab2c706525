/// What a contender has to reach in a scenario.
struct Bar {
  var contender: String
  var measure: Measure
  var limit: Limit

  /// The figure that counts; its median, but for ``requests`` the most.
  enum Measure {
    case wall
    case peak
    case requests
    /// One that only this scenario has.
    case extra(String)
    /// One that only this scenario has, and that is counted and not timed.
    case counted(String)

    /// Whether small data show it as well.
    var isCounted: Bool {
      switch self {
      case .requests, .counted: true
      case .wall, .peak, .extra: false
      }
    }
  }

  enum Limit {
    case atMost(Double)
    /// So many times the least wall time of the named contenders, of those whose copies were right.
    case times(Double, fastestOf: [String])
  }

  init(_ contender: String, _ measure: Measure, _ limit: Limit) {
    (self.contender, self.measure, self.limit) = (contender, measure, limit)
  }
}
