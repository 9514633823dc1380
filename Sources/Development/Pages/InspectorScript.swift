extension DevPages {
  /// The script that starts the inspector and receives news from the server.
  static let inspectorScript =
    #"""
    // The entry point: keeps the connection to the server, and passes events to the parts of the page.

    import { byId, clock, count, show, visible } from "/page.js";
    import { RequestList } from "/requests.js";
    import { FileView } from "/file.js";
    import { Links } from "/links.js";
    import { Trials } from "/trials.js";

    const requests = new RequestList();
    const file = new FileView();
    const links = new Links();
    const trials = new Trials();

    let state = null;

    function onState(next) {
      const before = state;
      state = next;
      showState();
      requests.begin(next.total);
      file.show(next);
      links.show(next);
      trials.show(next, before?.version !== next.version || before?.file?.text !== next.file?.text || before?.android !== next.android);
    }

    // MARK: The state at the top of the page

    const marks = { waiting: "○", current: "✓", older: "!", broken: "✗" };

    function showState() {
      const fetch = state.fetch ?? {};
      const [headline, ...rest] = inLocalTime(fetch.sentence, fetch.device).split(": ");
      show(byId("state"), headline);
      byId("band").dataset.state = fetch.state;
      document.title = `${marks[fetch.state] ?? ""} ${visible(headline)} · aasa dev`;
      showMore(rest.join(": "));

      const tunnel = state.public ?? {};
      const name = tunnel.host ?? (tunnel.tunnel === "none" ? "no tunnel" : `${tunnel.tunnel}: ${tunnel.state}`);
      show(byId("public"), name);
      show(byId("public-problem"), tunnel.problem ?? (tunnel.state === "failed" ? tunnel.message : null));
    }

    /// In a sentence, replaces the server's local time by the browser's local time.
    function inLocalTime(sentence, fetch) {
      return (sentence ?? "").replace(/^\d\d:\d\d:\d\d/, (time) => fetch ? clock(fetch.time) : time);
    }

    function showMore(rest) {
      const parts = [
        state.version
          ? `serving version ${state.version} since ${clock(state.versionSince)}`
          : "nothing is served yet: the file has no valid version",
      ];
      if (rest) parts.unshift(rest);
      // If the file is broken, add a sentence about the version that a phone has. Always add the
      // sentence about the CDN's version.
      const { state: name, device, cdn } = state.fetch ?? {};
      if (name === "broken" && device) parts.push(inLocalTime(device.sentence, device));
      if (cdn) parts.push(inLocalTime(cdn.sentence, cdn));
      if (state.fetch?.state === "waiting" && state.public?.host) parts.push("run the app from Xcode to make the phone fetch the file");
      show(byId("state-more"), parts.join(" · "));
    }

    // MARK: The connection

    let source = null;
    let failures = 0;
    let isLost = false;
    let timer = null;
    let retryAt = 0;
    let lastHeard = null;

    function connect() {
      clearTimeout(timer);
      source?.close();
      source = new EventSource("/events");
      source.addEventListener("open", onOpen);
      source.addEventListener("error", onLost);
      source.addEventListener("state", (event) => onMessage(event, onState));
      source.addEventListener("request", (event) => onMessage(event, (request) => requests.add(request)));
    }

    function onMessage(event, handle) {
      lastHeard = Date.now();
      let value;
      try {
        value = JSON.parse(event.data);
      } catch {
        console.error("an event that is not JSON", event.type);
        return;
      }
      handle(value);
    }

    function onOpen() {
      failures = 0;
      lastHeard = Date.now();
      if (!isLost) return;
      isLost = false;
      byId("offline").hidden = true;
      trials.retry();
    }

    /// Makes a new connection instead of letting the browser retry. A retry would request only what
    /// follows the last known request number, but a restarted server numbers requests from 1 again.
    /// After connecting, the server sends all requests that it keeps, and the list ignores known
    /// requests.
    function onLost() {
      source.close();
      failures += 1;
      const wait = Math.min(1000 * 2 ** (failures - 1), 8000);
      retryAt = Date.now() + wait;
      if (!isLost) {
        isLost = true;
        const since = lastHeard ? ` This page shows the state at ${clock(lastHeard)}.` : "";
        byId("offline-text").textContent = `No connection to aasa dev at ${location.host}: check whether aasa dev still runs.${since}`;
        byId("offline").hidden = false;
      }
      countDown();
    }

    function countDown() {
      clearTimeout(timer);
      const left = Math.ceil((retryAt - Date.now()) / 1000);
      if (left <= 0) {
        byId("offline-countdown").textContent = "Trying…";
        connect();
        return;
      }
      byId("offline-countdown").textContent = `Trying again in ${count(left, "second", "seconds")}`;
      timer = setTimeout(countDown, 250);
    }

    byId("offline-retry").addEventListener("click", () => {
      byId("offline-countdown").textContent = "Trying…";
      connect();
    });

    connect();

    """#
}
