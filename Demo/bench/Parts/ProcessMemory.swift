import Foundation

/// The memory of this process, as Linux tells it (proc(5)).
enum ProcessMemory {
  /// From here on the peak is counted anew.
  static func forgetPeak() {
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }

  /// Resident bytes, now or at the peak; 0 where nobody tells.
  static func bytes(peak: Bool) -> Int {
    let field = peak ? "VmHWM:" : "VmRSS:"
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field) })
    else { return 0 }
    return (Int(line.filter(\.isNumber)) ?? 0) * 1_024
  }
}
