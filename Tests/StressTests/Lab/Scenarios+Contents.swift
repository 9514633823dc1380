import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let contents: [Scenario] = [
    Scenario(
      "a single-page application", 1, "F041",
      broken
        + #"the start page of a web application is served instead of the file: it begins with "<!DOCTYPE html><html><body><div id="root…""#
    ) {
      try $0.origin(
        .answer(
          type: "text/html", #"<!DOCTYPE html><html><body><div id="root"></div></body></html>"#))
    },
    Scenario(
      "a login page", 1, "F041",
      broken
        + #"a login page is served instead of the file: it begins with "<html><form><input type="password"></for…""#
    ) {
      try $0.origin(
        .answer(type: "text/html", #"<html><form><input type="password"></form></html>"#))
    },
    Scenario(
      "a page that says not found", 1, "F041",
      broken
        + #"a page that says "not found", with status 200, is served instead of the file: it begins with "<html><title>404</title></html>""#
    ) {
      try $0.origin(.answer(type: "text/html", "<html><title>404</title></html>"))
    },
    Scenario(
      "the default page of nginx", 1, "F041",
      broken
        + #"the web server's own default page is served instead of the file: it begins with "<html><title>Welcome to nginx!</title></…""#
    ) {
      try $0.origin(.answer(type: "text/html", "<html><title>Welcome to nginx!</title></html>"))
    },
    Scenario(
      "a bot protection with status 200", 1, "F041",
      broken
        + #"a bot protection challenge is served instead of the file: it begins with "<html><script src="/cdn-cgi/challenge-pl…""#
    ) {
      try $0.origin(
        .answer(
          type: "text/html",
          #"<html><script src="/cdn-cgi/challenge-platform/x.js"></script></html>"#))
    },
    Scenario(
      "XML in place of the file", 1, "F041",
      broken
        + #"XML is served instead of the file: it begins with "<?xml version="1.0"?><Error><Code>NoSuch…""#
    ) {
      try $0.origin(
        .answer(
          type: "application/xml", "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code></Error>"))
    },
    Scenario(
      "text in place of the file", 1, "F041",
      broken + #"text is served instead of the file: "Not Found""#
    ) {
      try $0.origin(.answer(type: "text/plain", "Not Found"))
    },
    Scenario("nothing", 1, "F042", broken + "the answer is empty") {
      try $0.origin(.answer(""))
    },
    Scenario(
      "white space", 1, "J0",
      broken + "the file is not valid JSON: the file contains only white space"
    ) {
      try $0.origin(.answer(" \n \n"))
    },
    Scenario(
      "an empty object", 1, "A010",
      broken + "the file names no service: applinks, webcredentials, appclips, "
        + "activitycontinuation, authsrv, messagefilter, classificationreport"
    ) {
      try $0.origin(.answer("{}"))
    },
    Scenario(
      "an error of an API", 1, "A010",
      broken + "the file names no service: applinks, webcredentials, appclips, "
        + "activitycontinuation, authsrv, messagefilter, classificationreport"
    ) {
      try $0.origin(.answer(#"{"message":"Not Found","code":404}"#))
    },
    Scenario(
      "Firebase's empty file", 1, "A007",
      broken + "this is the empty file that Firebase Hosting generates"
    ) {
      try $0.origin(.answer(#"{"applinks":{"apps":[],"details":[]}}"#))
    },
    Scenario(
      "a placeholder for the team", 1, "A032",
      broken
        + "this file lets no app open a link, offer a password or run as an App Clip: no app has the identifier `TEAMID.com.example.app`"
    ) {
      try $0.origin(
        .answer(
          #"{"applinks":{"details":[{"appIDs":["TEAMID.com.example.app"],"components":[{"/":"/*"}]}]}}"#
        ))
    },
    Scenario(
      "a bundle identifier without its prefix", 1, "A03",
      broken
        + "this file lets no app open a link, offer a password or run as an App Clip: no app has the identifier `com.example.app`"
    ) {
      try $0.origin(
        .answer(
          #"{"applinks":{"details":[{"appIDs":["com.example.app"],"components":[{"/":"/*"}]}]}}"#))
    },
    Scenario(
      "an exclusion that blocks everything", 1, "A084",
      broken
        + "this file lets no app open a link, offer a password or run as an App Clip, because of A084 in line 1"
    ) {
      try $0.origin(.answer(shopFile(components: #"[{"/":"*","exclude":true},{"/":"/buy/*"}]"#)))
    },
    Scenario(
      "a list", 1, "A002",
      broken + "the file's top level is not a JSON object"
    ) {
      try $0.origin(.answer("[]"))
    },
    Scenario(
      "a string", 1, "A002",
      broken + "the file's top level is not a JSON object"
    ) {
      try $0.origin(.answer(#""no""#))
    },
    Scenario(
      "null", 1, "A002",
      broken + "the file's top level is not a JSON object"
    ) {
      try $0.origin(.answer("null"))
    },
    Scenario(
      "a trailing comma", 1, "J0",
      broken + "the file is not valid JSON: a comma follows the last member of the object"
    ) {
      try $0.origin(.answer(String(Lab.good.dropLast()) + ",}"))
    },
    Scenario(
      "a remark", 1, "J0", broken + "the file is not valid JSON: JSON has no comments"
    ) {
      try $0.origin(.answer("// our file\n" + Lab.good))
    },
    Scenario(
      "curly quotation marks", 1, "J0",
      broken
        + #"the file is not valid JSON: `“` is a typographic quote; JSON needs the straight quote `"`"#
    ) {
      try $0.origin(.answer(Lab.good.replacing("\"", with: "\u{201C}")))
    },
    Scenario(
      "a file that is cut off", 1, "J0",
      broken
        + "the file is not valid JSON: this string has no closing quote: the file ends within it"
    ) {
      try $0.origin(.answer(String(Lab.good.dropLast(9))))
    },
    Scenario(
      "two objects", 1, "J0",
      broken
        + #"the file is not valid JSON: something follows the end of the JSON text: `{"applinks":{"details":[{"appIDs":["K27…`"#
    ) {
      try $0.origin(.answer(Lab.good + Lab.good))
    },
    Scenario(
      "a zero byte at the end", 1, "J0",
      broken
        + "the file is not valid JSON: there is an invisible character (U+0000) between the values"
    ) {
      try $0.origin(.answer(Lab.good + "\0"))
    },
    Scenario("a byte order mark", 0, "J003", served + ", with 1 warning") {
      try $0.origin(.answer("\u{FEFF}" + Lab.good))
    },
    Scenario(
      "UTF-16", 1, "J0",
      broken + "the file is not valid JSON: the file is written in UTF-16 or UTF-32, not in UTF-8"
    ) {
      try $0.origin(
        .answer(body: Array(Lab.good.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
    },
    Scenario(
      "Latin-1", 1, "J0",
      broken + "the file is not valid JSON: these bytes are not UTF-8"
    ) {
      try $0.origin(.answer(body: Array(#"{"comment":""#.utf8) + [0xE9] + Array(#""}"#.utf8)))
    },
    Scenario(
      "bytes without meaning", 1, "",
      broken + "the file is not valid JSON: these bytes are not UTF-8"
    ) {
      try $0.origin(.answer(body: (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 128) }))
    },
    Scenario(
      "a property list", 1, "F041",
      broken
        + #"XML is served instead of the file: it begins with "<?xml version="1.0"?><plist version="1.0…""#
    ) {
      try $0.origin(.answer("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>"))
    },
    Scenario(
      "Android's file", 1, "A0",
      broken + "this is Android's assetlinks.json, not an association file"
    ) {
      try $0.origin(.answer(#"[{"relation":[],"target":{}}]"#))
    },
    Scenario("131,072 bytes", 0, "fine:", served) {
      try $0.origin(
        .answer(Lab.good + String(repeating: " ", count: 131_072 - Lab.good.utf8.count)))
    },
    Scenario(
      "131,073 bytes", 1, "A001",
      broken + "the file is larger than Apple's limit of 131072 bytes"
    ) {
      try $0.origin(
        .answer(Lab.good + String(repeating: " ", count: 131_073 - Lab.good.utf8.count)))
    },
    Scenario("the old form", 0, "fine:", served) {
      try $0.origin(.answer(shopFile(paths: #"["/buy/*"]"#)))
    },
    Scenario("passkeys alone", 0, "fine:", served) {
      try $0.origin(.answer(#"{"webcredentials":{"apps":["\#(shop)"]}}"#))
    },
    Scenario("an App Clip alone", 0, "fine:", served) {
      try $0.origin(.answer(#"{"appclips":{"apps":["\#(shop).Clip"]}}"#))
    },
    Scenario("a harmless redundancy", 0, "fine:", served) {
      try $0.origin(.answer(shopFile(components: #"[{"/":"/a/*"},{"/":"/a/b"}]"#)))
    },
    Scenario("a key twice", 0, "A0", served + ", with 1 warning") {
      try $0.origin(
        .answer(#"{"webcredentials":{"apps":[]},"webcredentials":{"apps":["\#(shop)"]}}"#))
    },
    Scenario("the type of bytes", 0, "F040", served + ", with 1 warning") {
      try $0.origin(.answer(type: "application/octet-stream", Lab.good))
    },
    Scenario("the type of pages", 0, "F040", served + ", with 1 warning") {
      try $0.origin(.answer(type: "text/html; charset=utf-8", Lab.good))
    },
    Scenario("no type", 0, "F040", served + ", with 1 warning") {
      try $0.origin(.answer(type: nil, Lab.good))
    },
    Scenario("a type with a character set", 0, "fine:", served) {
      try $0.origin(.answer(type: "application/json; charset=utf-8", Lab.good))
    },
    Scenario("the type of signed files", 0, "fine:", served) {
      try $0.origin(.answer(type: "application/pkcs7-mime", Lab.good))
    },
    Scenario("a signed file", 0, "", served + ", with 1 warning") {
      try $0.origin(.answer(type: "application/pkcs7-mime", body: LabIdentity.signed))
    },
  ]
}
