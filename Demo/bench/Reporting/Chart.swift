import Foundation

/// Bars of wall time, the least and the most marked, as an SVG.
struct Chart {
  /// For light and for dark pages.
  enum Theme: CaseIterable {
    case light, dark

    /// How DocC tells a picture's dark variant.
    var suffix: String { self == .dark ? "~dark" : "" }
    var ink: String { self == .dark ? "#f0f0f2" : "#1d1d1f" }
    var faint: String { self == .dark ? "#8e8e93" : "#86868b" }
    var ours: String { self == .dark ? "#4aa3ff" : "#0066cc" }
    var theirs: String { self == .dark ? "#636366" : "#c7c7cc" }
  }

  private let result: ScenarioResult
  private let theme: Theme
  private let rowHeight = 30
  private let labelWidth = 170
  private let barWidth = 430
  private let width = 720

  init(_ result: ScenarioResult, _ theme: Theme) {
    (self.result, self.theme) = (result, theme)
  }

  var svg: String {
    let height = result.contenders.count * rowHeight + 10
    let rows = result.contenders.enumerated().map { row($1, top: $0 * rowHeight + 5) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="system-ui, sans-serif" font-size="13">
      \(rows.joined(separator: "\n"))
      </svg>

      """
  }

  private func row(_ contender: ContenderResult, top: Int) -> String {
    let wall = contender.wall
    let (middle, end) = (top + rowHeight / 2, x(wall.median))
    let colour = contender.isOurs ? theme.ours : theme.theirs
    return """
      <text x="\(labelWidth - 10)" y="\(middle + 4)" text-anchor="end" fill="\(theme.ink)">\
      \(escaped(contender.name))</text>
      <rect x="\(labelWidth)" y="\(top + 5)" width="\(max(1, end - labelWidth))" \
      height="\(rowHeight - 10)" rx="2" fill="\(colour)"/>
      <path d="M\(x(wall.least)) \(middle)H\(x(wall.most))" stroke="\(theme.faint)" \
      stroke-width="2"/>
      <text x="\(x(wall.most) + 8)" y="\(middle + 4)" fill="\(theme.ink)">\
      \(Units.time(wall.median))</text>
      """
  }

  private func x(_ seconds: Double) -> Int {
    let longest = result.contenders.map(\.wall.most).max() ?? 1
    return labelWidth + Int((seconds / max(longest, .leastNonzeroMagnitude)) * Double(barWidth))
  }

  private func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}
