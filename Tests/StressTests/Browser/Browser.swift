import Foundation
import Testing

@testable import EndToEnd

/// Chromium without a window, with a profile of its own, as a person would use it.
final class Browser {
  private let driver: WebDriver
  private let process: ChildProcess
  private let profile: Workspace

  fileprivate init() throws {
    guard let program = Tool.chromedriver.path, let chromium = Tool.chromium.path else {
      throw Failure("chromium or chromedriver is not installed")
    }
    profile = try Workspace()
    let port: Int
    (process, port) = try Self.startDriver(program, home: profile.root)
    var driver = WebDriver(port: port)
    var arguments = [
      "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-extensions", "--no-proxy-server",
      "--user-data-dir=\(profile.path("profile"))", "--window-size=1200,900",
    ]
    // Its sandbox does not work for root, which runs tests in containers.
    if geteuid() == 0 { arguments.append("--no-sandbox") }
    let capabilities: [String: Any] = [
      "browserName": "chrome", "goog:loggingPrefs": ["browser": "ALL"],
      "timeouts": ["script": 40_000, "pageLoad": 40_000],
      "goog:chromeOptions": ["binary": chromium, "args": arguments],
    ]
    do {
      let answer = try driver.ask(
        "POST", "/session", ["capabilities": ["alwaysMatch": capabilities]])
      guard let identifier = (answer as? [String: Any])?["sessionId"] as? String else {
        throw Failure("the driver begins no session: \(answer ?? "nothing")")
      }
      driver.session = "/session/" + identifier
    } catch {
      process.signal(SIGKILL)
      throw error
    }
    self.driver = driver
  }

  /// Starts the driver, which takes a free port and says which.
  ///
  /// It takes the port that IPv6 gives it, and exits if a program uses the same port of IPv4. Then it
  /// is started again.
  private static func startDriver(
    _ program: String, home: String
  ) throws -> (process: ChildProcess, port: Int) {
    while true {
      let process = try ChildProcess(
        program, ["--port=0", "--log-level=SEVERE"], environment: ["HOME": home])
      let port = eventually { () -> Int? in
        let output = String(decoding: process.now.output, as: UTF8.self)
        let rest = output.split(separator: "successfully on port ").dropFirst().first
        if let rest, rest.contains(".") { return Int(rest.prefix { $0.isNumber }) }
        return process.isRunning ? nil : 0
      }
      if let port, port > 0 { return (process, port) }
      process.signal(SIGKILL)
      let output = String(decoding: process.now.output, as: UTF8.self)
      if !output.contains("IPv4 port not available") {
        throw Failure("chromedriver does not listen: \(output)")
      }
    }
  }

  /// The driver ends the browser with the session.
  fileprivate func end() {
    _ = try? driver.ask("DELETE", "")
    process.signal(SIGTERM)
    _ = try? process.waitForExit()
  }

  // MARK: Looking

  func open(_ url: String) throws { try driver.ask("POST", "/url", ["url": url]) }

  /// The result of a script in the page.
  func value<Value>(_ script: String, as: Value.Type = Value.self) throws -> Value {
    let value = try driver.ask("POST", "/execute/sync", ["script": script, "args": [Any]()])
    guard let typed = value as? Value else {
      throw Failure("\(script) gives \(value ?? "nothing"), no \(Value.self)")
    }
    return typed
  }

  func run(_ script: String) throws {
    try driver.ask("POST", "/execute/sync", ["script": script, "args": [Any]()])
  }

  /// The readable text of an element, by `innerText`; empty if it is hidden.
  func text(_ selector: String) throws -> String {
    try value(
      """
      const element = document.querySelector(\(quoted(selector)));
      return element?.checkVisibility() ? element.innerText : "";
      """)
  }

  /// Waits until an element can be read and has this in it.
  func expect(
    _ selector: String, has part: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let isThere = try wait { try text(selector).contains(part) }
    if !isThere {
      let found = try text(selector)
      let content = try value("return document.body.innerText", as: String.self)
      Issue.record(
        "\(selector) has no “\(part)” but “\(found)”; the page: \(content); log: \(try log())",
        sourceLocation: location)
    }
  }

  /// Waits until a script gives true.
  func expect(_ script: String, at location: SourceLocation = #_sourceLocation) throws {
    let holds = try wait { try value("return Boolean(\(script))", as: Bool.self) }
    if !holds { Issue.record("never so: \(script)", sourceLocation: location) }
  }

  private func wait(_ holds: () throws -> Bool) throws -> Bool {
    try eventually {
      if try holds() { return true }
      // The page is to have the processor, not the asking.
      poll(nil, 0, 20)
      return false
    }
  }

  /// The console's messages since the last call: errors of scripts, violations of the policy.
  func log() throws -> [String] {
    let entries = try driver.ask("POST", "/se/log", ["type": "browser"]) as? [[String: Any]]
    return (entries ?? []).compactMap { $0["message"] as? String }
  }

  /// The elements for assistive technology: role and name, as Chromium computes them.
  func names(of selector: String) throws -> [(role: String, name: String)] {
    try elements(selector).map { element in
      let role = try driver.ask("GET", "/element/\(element)/computedrole") as? String
      let name = try driver.ask("GET", "/element/\(element)/computedlabel") as? String
      return (role ?? "", name ?? "")
    }
  }

  /// A picture of the window, as PNG. It is kept only in the folder that AASA_SCREENSHOTS names.
  ///
  /// - Returns: its size, and its width in pixels; 0 if it is not a PNG.
  func screenshot(_ name: String) throws -> (bytes: Int, width: Int) {
    let text = try driver.ask("GET", "/screenshot") as? String
    guard let picture = text.flatMap({ Data(base64Encoded: $0) }) else {
      throw Failure("the driver gives no picture")
    }
    if let folder = ProcessInfo.processInfo.environment["AASA_SCREENSHOTS"] {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try picture.write(to: URL(filePath: folder).appending(path: name + ".png"))
    }
    let bytes = Array(picture)
    // A signature of eight bytes; the first part begins with eight more, and then its width.
    guard bytes.count > 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
      return (bytes.count, 0)
    }
    return (bytes.count, bytes[16..<20].reduce(0) { $0 << 8 | Int($1) })
  }

  // MARK: Doing

  func click(_ selector: String) throws {
    guard let element = try elements(selector).first else { throw Failure("no \(selector)") }
    try driver.ask("POST", "/element/\(element)/click", [:])
  }

  /// Keys as WebDriver names them (section "Keyboard actions").
  enum Key: String {
    case tab = "\u{E004}"
    case enter = "\u{E007}"
    case escape = "\u{E00C}"
    case space = " "
    case end = "\u{E010}"
    case home = "\u{E011}"
    case up = "\u{E013}"
    case down = "\u{E015}"
  }

  func press(_ keys: Key...) throws { try type(keys.map(\.rawValue).joined()) }

  /// One key after the other, to whatever has the focus.
  func type(_ text: String) throws {
    let actions = text.flatMap { key in
      ["keyDown", "keyUp"].map { ["type": $0, "value": String(key)] }
    }
    let keyboard: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
    try driver.ask("POST", "/actions", ["actions": [keyboard]])
  }

  /// Replaces the text of a field.
  func fill(_ selector: String, _ text: String) throws {
    try run(
      "const field = document.querySelector(\(quoted(selector))); field.focus(); field.select()")
    try type(text)
  }

  // MARK: Setting

  enum Theme: String, CaseIterable { case light, dark }

  func set(width: Int, height: Int = 900) throws {
    try devTools(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
  }

  func set(_ theme: Theme) throws {
    let features = [
      ["name": "prefers-color-scheme", "value": theme.rawValue],
      ["name": "prefers-reduced-motion", "value": "reduce"],
    ]
    try devTools("Emulation.setEmulatedMedia", ["features": features])
  }

  private func devTools(_ command: String, _ parameters: [String: Any]) throws {
    try driver.ask("POST", "/goog/cdp/execute", ["cmd": command, "params": parameters])
  }

  /// Those that are shown.
  private func elements(_ selector: String) throws -> [String] {
    let script = """
      return [...document.querySelectorAll(\(quoted(selector)))].filter((one) => one.checkVisibility())
      """
    let found = try driver.ask("POST", "/execute/sync", ["script": script, "args": [Any]()])
    return (found as? [[String: String]] ?? []).compactMap { $0.values.first }
  }

  private func quoted(_ text: String) -> String {
    let data = try? JSONSerialization.data(withJSONObject: [text])
    return String(decoding: data ?? Data(), as: UTF8.self) + "[0]"
  }
}

/// Opens a browser for `body`, and ends it.
func withBrowser<Result>(_ body: (Browser) throws -> Result) throws -> Result {
  let browser = try Browser()
  defer { browser.end() }
  return try body(browser)
}
