import Foundation
import TestSupport

/// What a program uses, looked at again and again while it runs (proc(5)).
struct ProcessUse {
  /// The most memory that it ever held, in bytes.
  private(set) var peakMemory = 0
  /// The most descriptors that it was seen to have open.
  private(set) var descriptors = 0
  /// The time that the processors worked for it, in seconds.
  private(set) var processorTime = 0.0

  /// Looks until the program has ended.
  static func watch(_ child: ChildProcess, within limit: Duration) throws -> ProcessUse {
    var use = ProcessUse()
    let deadline = ContinuousClock.now + limit
    while !child.hasEnded, ContinuousClock.now < deadline {
      use.look(at: child.identifier)
      RunMoment.pause(.milliseconds(2))
    }
    return use
  }

  private mutating func look(at process: Int32) {
    let folder = "/proc/\(process)"
    if let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd") {
      descriptors = max(descriptors, names.count)
    }
    let status = (try? readText(folder + "/status")) ?? ""
    if let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(separator: " ").dropFirst().compactMap({ Int($0) }).first
    {
      peakMemory = max(peakMemory, kilobytes << 10)
    }
    let stat = (try? readText(folder + "/stat")) ?? ""
    let fields = stat.split(separator: ")").last?.split(separator: " ").map { Double($0) } ?? []
    if fields.count > 12, let user = fields[11], let system = fields[12] {
      processorTime = max(processorTime, (user + system) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }
  }
}
