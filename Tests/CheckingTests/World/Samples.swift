/// The identifier of the shop's app.
let shop = "K27TX9P4QD.org.swift.shop"

/// The certificate of the shop's Android app.
let shopFingerprint =
  "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25:19:07:4D:93:0C:B1:F9:7A:2D:64:E8:B0"

/// An association file that gives the shop these components.
func shopFile(components: String) -> String {
  #"{"applinks":{"details":[{"appIDs":["\#(shop)"],"components":\#(components)}]}}"#
}

/// An `assetlinks.json` that lets an app open links, by dynamic rules if there are any.
func statements(
  _ packageName: String, fingerprint: String = shopFingerprint, rules: String? = nil
) -> String {
  let relation = "delegate_permission/common.handle_all_urls"
  let dynamic =
    rules.map {
      #", "relation_extensions": {"\#(relation)": {"dynamic_app_link_components": \#($0)}}"#
    } ?? ""
  return #"[{"relation": ["\#(relation)"], "target": {"namespace": "android_app", "#
    + #""package_name": "\#(packageName)", "#
    + #""sha256_cert_fingerprints": ["\#(fingerprint)"]}\#(dynamic)}]"#
}
