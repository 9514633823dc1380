import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let contents: [Scenario] = [
    red(
      "a single-page application", "F041",
      #"the start page of a web application is served instead of the file: it begins with "<!DOCTYPE html><html><body><div id="root…""#,
      serving: .answer(
        type: "text/html", #"<!DOCTYPE html><html><body><div id="root"></div></body></html>"#)),
    red(
      "a login page", "F041",
      #"a login page is served instead of the file: it begins with "<html><form><input type="password"></for…""#,
      serving: .answer(type: "text/html", #"<html><form><input type="password"></form></html>"#)),
    red(
      "a page that says not found", "F041",
      #"a page that says "not found", with status 200, is served instead of the file: it begins with "<html><title>404</title></html>""#,
      serving: .answer(type: "text/html", "<html><title>404</title></html>")),
    red(
      "the default page of nginx", "F041",
      #"the web server's own default page is served instead of the file: it begins with "<html><title>Welcome to nginx!</title></…""#,
      serving: .answer(type: "text/html", "<html><title>Welcome to nginx!</title></html>")),
    red(
      "a bot protection with status 200", "F041",
      #"a bot protection challenge is served instead of the file: it begins with "<html><script src="/cdn-cgi/challenge-pl…""#,
      serving: .answer(
        type: "text/html", #"<html><script src="/cdn-cgi/challenge-platform/x.js"></script></html>"#
      )),
    red(
      "XML in place of the file", "F041",
      #"XML is served instead of the file: it begins with "<?xml version="1.0"?><Error><Code>NoSuch…""#,
      serving: .answer(
        type: "application/xml", "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code></Error>")),
    red(
      "text in place of the file", "F041", #"text is served instead of the file: "Not Found""#,
      serving: .answer(type: "text/plain", "Not Found")),
    red("nothing", "F042", "the answer is empty", serving: .answer("")),
    red(
      "white space", "J0", "the file is not valid JSON: the file contains only white space",
      serving: .answer(" \n \n")),
    red(
      "an empty object", "A010",
      "the file has none of the services applinks, webcredentials, appclips, "
        + "activitycontinuation, authsrv, messagefilter, classificationreport",
      serving: .answer("{}")),
    red(
      "an error of an API", "A010",
      "the file has none of the services applinks, webcredentials, appclips, "
        + "activitycontinuation, authsrv, messagefilter, classificationreport",
      serving: .answer(#"{"message":"Not Found","code":404}"#)),
    red(
      "Firebase's empty file", "A007", "this is the empty file that Firebase Hosting generates",
      serving: .answer(#"{"applinks":{"apps":[],"details":[]}}"#)),
    red(
      "a placeholder for the team", "A160",
      "this file lets no app open a link, offer a password or run as an App Clip: `TEAMID.com.example.app` still contains a placeholder",
      serving: .answer(
        #"{"applinks":{"details":[{"appIDs":["TEAMID.com.example.app"],"components":[{"/":"/*"}]}]}}"#
      )),
    red(
      "a bundle identifier without its prefix", "A160",
      "this file lets no app open a link, offer a password or run as an App Clip: `com.example.app` is a bundle identifier without its prefix",
      serving: .answer(
        #"{"applinks":{"details":[{"appIDs":["com.example.app"],"components":[{"/":"/*"}]}]}}"#)),
    red(
      "an exclusion that blocks everything", "A160",
      "this file lets no app open a link, offer a password or run as an App Clip: no link opens the app: earlier exclusions block every link that the app's rules would open",
      serving: .answer(shopFile(components: #"[{"/":"*","exclude":true},{"/":"/buy/*"}]"#))),
    red("a list", "A002", "the file's top level is not a JSON object", serving: .answer("[]")),
    red(
      "a string", "A002", "the file's top level is not a JSON object", serving: .answer(#""no""#)),
    red("null", "A002", "the file's top level is not a JSON object", serving: .answer("null")),
    red(
      "a trailing comma", "J0",
      "the file is not valid JSON: a comma follows the last member of the object",
      serving: .answer(String(Lab.good.dropLast()) + ",}")),
    red(
      "a remark", "J0", "the file is not valid JSON: JSON has no comments",
      serving: .answer("// our file\n" + Lab.good)),
    red(
      "curly quotation marks", "J0",
      #"the file is not valid JSON: `“` is a typographic quote; JSON needs the straight quote `"`"#,
      serving: .answer(Lab.good.replacing("\"", with: "\u{201C}"))),
    red(
      "a file that is cut off", "J0",
      "the file is not valid JSON: this string has no closing quote: the file ends within it",
      serving: .answer(String(Lab.good.dropLast(9)))),
    red(
      "two objects", "J0",
      #"the file is not valid JSON: something follows the end of the JSON text: `{"applinks":{"details":[{"appIDs":["K27…`"#,
      serving: .answer(Lab.good + Lab.good)),
    red(
      "a zero byte at the end", "J0",
      "the file is not valid JSON: there is an invisible character (U+0000) between the values",
      serving: .answer(Lab.good + "\0")),
    green("a byte order mark", "J003", ", with 1 warning", serving: .answer("\u{FEFF}" + Lab.good)),
    red(
      "UTF-16", "J0",
      "the file is not valid JSON: the file is written in UTF-16 or UTF-32, not in UTF-8",
      serving: .answer(body: Array(Lab.good.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })),
    red(
      "Latin-1", "J0", "the file is not valid JSON: these bytes are not UTF-8",
      serving: .answer(body: Array(#"{"comment":""#.utf8) + [0xE9] + Array(#""}"#.utf8))),
    red(
      "bytes without meaning", "", "the file is not valid JSON: these bytes are not UTF-8",
      serving: .answer(body: (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 128) })),
    red(
      "a property list", "F041",
      #"XML is served instead of the file: it begins with "<?xml version="1.0"?><plist version="1.0…""#,
      serving: .answer("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>")),
    red(
      "Android's file", "A0", "this is Android's assetlinks.json, not an association file",
      serving: .answer(#"[{"relation":[],"target":{}}]"#)),
    green(
      "131,072 bytes", "fine:",
      serving: .answer(Lab.good + String(repeating: " ", count: 131_072 - Lab.good.utf8.count))),
    red(
      "131,073 bytes", "A001", "the file is larger than Apple's limit of 131072 bytes",
      serving: .answer(Lab.good + String(repeating: " ", count: 131_073 - Lab.good.utf8.count))),
    green("the old form", "fine:", serving: .answer(shopFile(paths: #"["/buy/*"]"#))),
    green(
      "passkeys alone", "fine:", serving: .answer(#"{"webcredentials":{"apps":["\#(shop)"]}}"#)),
    green(
      "an App Clip alone", "fine:", serving: .answer(#"{"appclips":{"apps":["\#(shop).Clip"]}}"#)),
    green(
      "a harmless redundancy", "fine:",
      serving: .answer(shopFile(components: #"[{"/":"/a/*"},{"/":"/a/b"}]"#))),
    green(
      "a key twice", "A0", ", with 1 warning",
      serving: .answer(#"{"webcredentials":{"apps":[]},"webcredentials":{"apps":["\#(shop)"]}}"#)),
    green(
      "the type of bytes", "F040", ", with 1 warning",
      serving: .answer(type: "application/octet-stream", Lab.good)),
    green(
      "the type of pages", "F040", ", with 1 warning",
      serving: .answer(type: "text/html; charset=utf-8", Lab.good)),
    green("no type", "F040", ", with 1 warning", serving: .answer(type: nil, Lab.good)),
    green(
      "a type with a character set", "fine:",
      serving: .answer(type: "application/json; charset=utf-8", Lab.good)),
    green(
      "the type of signed files", "fine:",
      serving: .answer(type: "application/pkcs7-mime", Lab.good)),
    green(
      "a signed file", "", ", with 1 warning",
      serving: .answer(type: "application/pkcs7-mime", body: LabIdentity.signed)),
  ]
}
