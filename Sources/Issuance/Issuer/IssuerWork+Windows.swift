internal import Posix

/// When the CA itself wants certificates to be renewed.
extension IssuerWork {
  /// Asks the CA for the window of the present certificate when it is time to. A CA that has none, or
  /// does not answer, changes nothing.
  func askForWindow(_ host: String, _ client: AuthorityClient) {
    let now = Clock.monotonicMilliseconds()
    guard let state = hosts[host], state.nextWindow <= now, let certificate = state.certificate,
      certificate.authority == client.authority.url,
      let identifier = certificate.renewalIdentifier
    else { return }
    var pause = Limits.windowPause
    defer { hosts[host]?.nextWindow = now + pause * 1_000 }
    do throws(CallFault) {
      guard let base = try client.directory().renewalInfo else { return }
      let answer = try client.get(base + "/" + identifier)
      if let window = RenewalWindow(try answer.json(), serial: certificate.serial) {
        hosts[host]?.window = window
      }
      if let wanted = answer.retryAfter { pause = min(max(wanted, 60), 86_400) }
    } catch {
      pause = Limits.windowRetry
    }
  }
}
