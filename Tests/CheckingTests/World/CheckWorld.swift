import Diagnostics
import Foundation
import HTTP
import Rules
import Testing

@testable import Checking
@testable import Client
@testable import Posix
@testable import TLS

/// A network of recorded answers: names, addresses and servers. Nothing leaves the test.
struct CheckWorld: Sendable {
  /// 2026-06-01.
  static let now: Int64 = 1_780_272_000

  private var names: [String: [String]] = [:]
  private var faults: [String: ResolutionFault] = [:]
  private var servers: [SocketAddress: CheckServer] = [:]
  private var unroutable: Set<SocketAddress> = []
  private var aliases: [String: String] = [:]
  private var localNames: Set<String> = []
  /// The environment variables of the program.
  var variables: [String: String] = [:]

  init() {}

  /// `example.com` with one address.
  init(_ server: CheckServer) { self.init(("1.0.0.1", server)) }

  /// `example.com` with these addresses; nil means that there is no route.
  init(_ addresses: (String, CheckServer?)...) {
    names["example.com"] = addresses.map(\.0)
    for (address, server) in addresses { lead(address, to: server) }
  }

  mutating func set(_ name: String, to addresses: String...) { names[name] = addresses }

  mutating func set(_ name: String, to addresses: [String]) { names[name] = addresses }

  mutating func fail(_ name: String, with fault: ResolutionFault) { faults[name] = fault }

  mutating func setAlias(of name: String, to target: String) { aliases[name] = target }

  /// Names the host in this machine's hosts file.
  mutating func setLocally(_ name: String) { localNames.insert(name) }

  /// - Parameter server: Nil means that this machine has no route to the address.
  mutating func lead(_ address: String, port: UInt16 = 443, to server: CheckServer?) {
    guard let place = SocketAddress(literal: address, port: port) else { return }
    servers[place] = server
    if server == nil { unroutable.insert(place) }
  }

  // MARK: Requests

  var world: World {
    var world = World { request, options, _ in fetch(request, options) }
    world.now = { Self.now }
    world.alias = { aliases[$0] }
    world.hasRoute = { !unroutable.contains($0) }
    world.isInHostsFile = { localNames.contains($0) }
    return world
  }

  /// Takes the steps of `Client.fetch`.
  private func fetch(_ request: FetchRequest, _ options: FetchOptions) -> Exchange {
    var exchange = Exchange(request: request)
    do throws(FetchFault) {
      let proxy = request.scheme == .https && options.origin == nil ? options.proxy : nil
      exchange.usesProxy = proxy != nil
      if let origin = options.origin {
        exchange.addresses = [origin]
      } else {
        exchange.addresses = try addresses(
          of: proxy?.host ?? request.host, proxy?.port ?? request.port)
      }
      try connect(&exchange, options)
    } catch {
      exchange.fault = error
    }
    return exchange
  }

  private func addresses(
    of host: String, _ port: UInt16
  ) throws(FetchFault) -> [SocketAddress] {
    if let fault = faults[host] { throw .unresolved(fault) }
    let found = SocketAddress(literal: host, port: port) == nil ? names[host] : [host]
    guard let found else { throw .unresolved(.noAddress(host: host)) }
    return found.compactMap { SocketAddress(literal: $0, port: port) }
  }

  private func connect(_ exchange: inout Exchange, _ options: FetchOptions) throws(FetchFault) {
    for address in exchange.addresses {
      let code = unroutable.contains(address) ? ENETUNREACH : ECONNREFUSED
      let server = servers[address]
      exchange.attempts.append(
        ConnectionAttempt(
          address: address, error: server == nil ? SystemError("connect", code: code) : nil,
          milliseconds: 1))
      if let server { return try server.answer(&exchange, options) }
    }
    throw .unreachable(exchange.attempts)
  }

  // MARK: Checks

  /// A check as of the command line, without its options for files.
  struct Options {
    var requirements = Requirements()
    var policy = VerdictPolicy()
    var origin: String?
    /// The answers of Apple's CDN; nil if it is not asked.
    var cdn: CheckServer?
    /// In milliseconds.
    var timeout: Int64 = 10_000
    var form = OutputFormat.text
  }

  /// The port of servers that are not at HTTPS' own.
  static let port: UInt16 = 8_443

  /// The CDN's address in reports.
  static let cdn = "http://127.0.0.1:9999/a/v1"

  func settings(_ options: Options = Options()) throws -> ClientSettings {
    var world = self
    world.lead("127.0.0.1", port: 9_999, to: options.cdn)
    var fetching = FetchOptions()
    fetching.timeout = options.timeout
    fetching.userAgent = ClientIdentity.robot.userAgent
    fetching.origin = try options.origin.map {
      try #require(SocketAddress(literal: $0, port: Self.port))
    }
    return ClientSettings(options: fetching, world: world.world, variables: variables)
  }

  func context(_ options: Options = Options()) throws -> CheckContext {
    var context = CheckContext(try settings(options), options.policy)
    context.cdn = try options.cdn.map { _ in try CDNAddress(Self.cdn) }
    context.form = options.form
    return context
  }

  func run(_ subjects: [CheckSubject], _ options: Options) throws -> [CheckedSubject] {
    let run = CheckRun(subjects.merged, options.requirements, try context(options))
    return run.subjects.indices.map(run.check)
  }

  /// The report on a domain or a link, as a person reads it.
  func check(
    _ domain: String = "example.com", exitCode: Int32, _ options: Options = Options(),
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let checked = try #require(run([try CheckSubject(domain)], options).first)
    let text = checked.text
    #expect(checked.exitCode == exitCode, "\(text)", sourceLocation: location)
    return text
  }

  /// A server without TLS at `url`.
  static func http(_ script: @escaping CheckServer.Script) -> CheckWorld {
    var world = CheckWorld()
    world.lead("127.0.0.1", port: port, to: .plain(script))
    return world
  }

  static let url = "http://127.0.0.1:\(port)"

  /// The report on a server without TLS, without the finding about that.
  static func plain(
    exitCode: Int32, path: String = "", _ options: Options = Options(),
    at location: SourceLocation = #_sourceLocation, _ script: @escaping CheckServer.Script
  ) throws -> String {
    try http(script).check(url + path, exitCode: exitCode, options, at: location).replacing(
      """
      warning: the file was fetched by plain HTTP, as requested [F009]
        help: devices and Apple's CDN use HTTPS only: check the domain with https:// too
        source: Apple asks for HTTPS with a publicly trusted certificate (grade D)


      """, with: "")
  }

  /// The same with a CDN.
  func check(
    _ domain: String = "example.com", cdn: @escaping CheckServer.Script, exitCode: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    var options = Options()
    options.cdn = .plain(cdn)
    return try check(domain, exitCode: exitCode, options, at: location)
  }
}
