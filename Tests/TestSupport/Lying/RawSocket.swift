import Foundation

/// Sockets of the operating system, as a ``RawServer`` needs them. No child process inherits them:
/// one that did would keep a connection open that the server has closed.
package enum RawSocket {
  package struct Failure: Error {
    package let call: String
    package let number: CInt
  }

  /// A socket that listens at an address of this machine, IPv4 or IPv6; at a free port where none
  /// is named.
  package static func listen(
    at address: String = "127.0.0.1", port: UInt16 = 0
  ) throws -> CInt {
    let isSix = address.contains(":")
    let listener = socket(isSix ? AF_INET6 : AF_INET, stream, 0)
    closeOnExec(listener)
    var one: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, size)
    let isBound = isSix ? bindSix(listener, address, port) : bindFour(listener, address, port)
    guard isBound, Foundation.listen(listener, 1024) == 0 else {
      let failure = Failure(call: "bind and listen at \(address):\(port)", number: errno)
      close(listener)
      throw failure
    }
    return listener
  }

  /// A socket that receives datagrams at an IPv4 address of this machine.
  package static func receive(at address: String, port: UInt16) throws -> CInt {
    #if canImport(Glibc)
      let kind = CInt(SOCK_DGRAM.rawValue)
    #else
      let kind = SOCK_DGRAM
    #endif
    let receiver = socket(AF_INET, kind, 0)
    closeOnExec(receiver)
    guard bindFour(receiver, address, port) else {
      throw Failure(call: "bind at \(address):\(port)", number: errno)
    }
    return receiver
  }

  /// The port of a socket that listens.
  package static func port(of listener: CInt) -> UInt16 {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(listener, $0, &size)
      }
      // The port stands at the same place in both families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt16(bigEndian: $0.pointee.sin_port)
      }
    }
  }

  /// Calls a port of 127.0.0.1 without waiting for anybody to answer.
  package static func connect(to port: UInt16) -> CInt {
    let caller = socket(AF_INET, stream, 0)
    closeOnExec(caller)
    _ = fcntl(caller, F_SETFL, O_NONBLOCK)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(caller, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return caller
  }

  static func closeOnExec(_ descriptor: CInt) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  private static var stream: CInt {
    #if canImport(Glibc)
      CInt(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  private static func bindFour(_ listener: CInt, _ text: String, _ port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return false }
    return bind(listener, to: &address)
  }

  private static func bindSix(_ listener: CInt, _ text: String, _ port: UInt16) -> Bool {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    guard inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { return false }
    return bind(listener, to: &address)
  }

  private static func bind<Address>(_ listener: CInt, to address: inout Address) -> Bool {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.bind(listener, $0, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
  }
}
