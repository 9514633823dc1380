internal import Bytes
internal import Client
internal import HTTP

/// Returns the lines that tell who answered, and how an answer that is not the file begins.
func answererLines(_ exchange: Exchange) -> [String] {
  (openingWords(of: exchange).map { ["< \($0)"] } ?? []) + layerLines(exchange)
}

/// Returns the line that names the layers between the client and the application; none if the
/// answer does not tell.
func layerLines(_ exchange: Exchange) -> [String] {
  answerer(exchange).map { ["answered by \($0)"] } ?? []
}

/// Returns who answered, as far as the fields of the answer tell; nil if they do not.
func answerer(_ exchange: Exchange) -> String? {
  guard let head = exchange.head else { return nil }
  let server = head.value(of: "server")
  let layers =
    networks.filter { head.value(of: $0.field) != nil }.map(\.name)
    .filter { server?.lowercased().contains($0.lowercased()) != true }
    + (head.value(of: "via").map { ["a proxy (via: \($0))"] } ?? [])
  let parts = [server.map { visibleText(Array($0.utf8), limit: 60) }] + layers.prefix(1)
  let named = parts.compactMap(\.self)
  return named.isEmpty ? nil : named.joined(separator: ", through ")
}

/// Fields by which content delivery networks and hosting services can be recognized.
private let networks: [(field: String, name: String)] = [
  ("cf-ray", "Cloudflare"), ("x-amz-cf-id", "CloudFront"), ("x-served-by", "Fastly"),
  ("x-vercel-id", "Vercel"), ("x-nf-request-id", "Netlify"), ("x-azure-ref", "Azure Front Door"),
  ("fly-request-id", "Fly"), ("x-akamai-request-id", "Akamai"),
]

/// Returns the first line of an answer that is neither the file nor a page; nil if there is none.
func openingWords(of exchange: Exchange) -> String? {
  guard let body = exchange.body, body.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") else {
    return nil
  }
  let line = body.drop { $0 <= 0x20 }.prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
  return line.isEmpty ? nil : visibleText(line, limit: 120)
}
