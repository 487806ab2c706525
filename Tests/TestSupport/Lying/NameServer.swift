import Foundation
import SyncLock

/// Answers questions for IPv4 addresses (RFC 1035) with what the test says, which may be another
/// thing each time.
package final class NameServer: Sendable {
  /// The addresses of a name, asked for the `time`th time; the first is 1. None: no such name.
  package typealias Book = @Sendable (_ name: String, _ time: Int) -> [String]

  private let socket: CInt
  private let book: Book
  private let times = Locked<[String: Int]>([:])

  /// Answers what comes in at a socket, until it is shut down.
  package init(_ socket: CInt, _ book: @escaping Book) {
    (self.socket, self.book) = (socket, book)
    Thread.detachNewThread { [self] in answer() }
  }

  package func stop() { shutdown(socket, CInt(SHUT_RDWR)) }

  private func answer() {
    var packet = [UInt8](repeating: 0, count: 1_500)
    while true {
      var sender = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      withUnsafeMutablePointer(to: &sender) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
          let count = recvfrom(socket, &packet, packet.count, 0, sender, &size)
          guard count > 12 else { return size = 0 }
          let reply = reply(to: Array(packet[..<count]))
          sendto(socket, reply, reply.count, 0, sender, size)
        }
      }
      if size == 0 { break }
    }
    close(socket)
  }

  private func reply(to question: [UInt8]) -> [UInt8] {
    var labels: [String] = []
    var position = 12
    while position < question.count, question[position] > 0 {
      let end = min(position + 1 + Int(question[position]), question.count)
      labels.append(String(decoding: question[(position + 1)..<end], as: UTF8.self))
      position = end
    }
    let asked = Array(question[12..<min(position + 5, question.count)])
    let isForFour = asked.dropLast(2).suffix(2).elementsEqual([0, 1])
    let name = labels.joined(separator: ".").lowercased()
    let addresses = isForFour ? addresses(of: name) : []
    let head: [UInt8] = [0x81, 0x80, 0, 1, 0, UInt8(addresses.count), 0, 0, 0, 0]
    let records = addresses.flatMap { address in
      // The name of the question, an IPv4 address, valid for no time, of four bytes.
      [0xC0, 0x0C, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]
        + address.split(separator: ".").compactMap { UInt8($0) }
    }
    return question[..<2] + head + asked + records
  }

  private func addresses(of name: String) -> [String] {
    let time = times.withLock { times in
      times[name, default: 0] += 1
      return times[name, default: 0]
    }
    return book(name, time)
  }
}
