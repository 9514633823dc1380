extension DevPages {
  /// The script for the inspector's list of requests.
  static let requestsScript =
    #"""
    // The live list of requests, newest first. Only rows in or near the visible part have elements.

    import { ask, byId, clock, copyText, count, make, visible } from "/page.js";

    /// The maximum number of requests for the association file in the list. The same limit applies
    /// separately to all other requests, so that many requests of one kind do not displace the
    /// other kind.
    const LIMIT = 1000;
    const isAssociation = (request) => request.kind === "association";
    /// The number of rows to draw above the visible part, and also below it.
    const MARGIN = 4;

    const names = {
      "apple-device": "device", "apple-cdn": "Apple’s CDN", "google": "Google", "browser": "browser",
      "validator": "validator", "monitor": "monitor", "tunnel": "tunnel", "other": "other",
    };

    /// Returns a unique key. The number alone is not unique, because a restarted server begins at
    /// 1.
    const keyOf = (request) => `${request.number} ${request.time}`;

    export class RequestList {
      #kept = [];  // all requests, oldest first
      #shown = [];  // the kept requests that pass the filter
      #known = new Set();
      #pending = [];
      #total = 0;
      #rows = new Map();  // the elements of rows, by key of the request
      #active = null;  // the key of the row that the Tab key reaches; null for the newest
      #opened = null;
      #rowHeight = 36;
      #isScheduled = false;
      #isCleared = false;
      #list = byId("rows");
      #scroller = byId("scroller");
      #only = byId("only-association");
      #filter = byId("filter");

      constructor() {
        this.#scroller.addEventListener("scroll", () => this.#schedule(), { passive: true });
        this.#list.addEventListener("keydown", (event) => this.#onKey(event));
        this.#only.addEventListener("change", () => this.#refilter());
        this.#filter.addEventListener("input", () => this.#refilter());
        byId("clear").addEventListener("click", () => this.#clear());
        byId("detail-close").addEventListener("click", () => this.#close());
        byId("detail").addEventListener("keydown", (event) => {
          if (event.key === "Escape") this.#close();
        });
        new ResizeObserver(() => this.#schedule()).observe(this.#scroller);
      }

      /// Called whenever the server sends its state. `total` is the number of all requests so far.
      begin(total) {
        this.#total = total ?? 0;
        this.#schedule();
      }

      /// Adds a request. All requests that arrive before the next animation frame are drawn at the
      /// same time.
      add(request) {
        const key = keyOf(request);
        if (this.#known.has(key)) return;
        this.#known.add(key);
        this.#pending.push({ ...request, key });
        this.#total = Math.max(this.#total, request.number);
        // Limit the number of requests that wait to be drawn, because a page in the background gets
        // no animation frames.
        if (this.#pending.length > 2 * LIMIT) this.#takePending();
        this.#schedule();
      }

      #schedule() {
        if (this.#isScheduled) return;
        this.#isScheduled = true;
        requestAnimationFrame(() => {
          this.#isScheduled = false;
          this.#takePending();
          this.#draw();
        });
      }

      #passes(request) {
        if (this.#only.checked && !isAssociation(request)) return false;
        const wanted = this.#filter.value.trim().toLowerCase();
        if (wanted === "") return true;
        return [request.method, request.path, request.status, names[request.class], request.agent, request.version, request.fault]
          .some((text) => String(text ?? "").toLowerCase().includes(wanted));
      }

      /// Clears only this list. The server keeps the requests, and still exports them.
      #clear() {
        this.#takePending();
        this.#kept = [];
        this.#isCleared = true;
        this.#opened = null;
        byId("detail").hidden = true;
        this.#refilter();
      }

      #takePending() {
        if (this.#pending.length === 0) return;
        const added = this.#pending.filter((request) => this.#passes(request));
        this.#kept.push(...this.#pending);
        this.#shown.push(...added);
        this.#pending = [];
        const dropped = new Set([true, false].flatMap((kind) => {
          const same = this.#kept.filter((request) => isAssociation(request) === kind);
          return same.slice(0, Math.max(0, same.length - LIMIT));
        }));
        if (dropped.size > 0) {
          this.#kept = this.#kept.filter((request) => !dropped.has(request));
          for (const request of dropped) this.#known.delete(request.key);
          this.#shown = this.#shown.filter((request) => !dropped.has(request));
        }
        // If the user has scrolled to older requests, keep the same requests in view.
        if (this.#scroller.scrollTop > 0) this.#scroller.scrollTop += added.length * this.#rowHeight;
      }

      #refilter() {
        this.#takePending();
        this.#shown = this.#kept.filter((request) => this.#passes(request));
        this.#active = null;
        this.#scroller.scrollTop = 0;
        this.#draw();
      }

      // MARK: Drawing

      /// Returns the request in a row. Row 0 is the newest request.
      #at(index) {
        return this.#shown[this.#shown.length - 1 - index];
      }

      #indexOf(key) {
        const place = this.#shown.findLastIndex((request) => request.key === key);
        return place < 0 ? -1 : this.#shown.length - 1 - place;
      }

      #draw() {
        const length = this.#shown.length;
        byId("count").textContent = this.#summary();
        byId("no-requests").hidden = length > 0;
        byId("no-requests").textContent = this.#kept.length > 0
          ? "None of them passes the filter."
          : this.#isCleared ? "No requests since the list was cleared."
          : "No requests yet. Run the app on the phone, or open a test link.";
        this.#scroller.hidden = length === 0;
        this.#list.style.height = `${length * this.#rowHeight}px`;
        // Removing the row with the focus would lose the focus, so move the focus to the last row.
        const isLost = this.#list.contains(document.activeElement) && this.#indexOf(this.#active) < 0;
        const indices = this.#drawnIndices(length);
        const wanted = new Set(indices.map((index) => this.#at(index).key));
        for (const [key, row] of this.#rows) {
          if (wanted.has(key)) continue;
          row.remove();
          this.#rows.delete(key);
        }
        const active = this.#activeIndex();
        let next = this.#list.firstElementChild;
        for (const index of indices) {
          const row = this.#row(this.#at(index));
          // Do not move an existing row, because a moved row loses the focus.
          if (row === next) next = next.nextElementSibling;
          else this.#list.insertBefore(row, next);
          row.style.transform = `translateY(${index * this.#rowHeight}px)`;
          row.setAttribute("aria-posinset", index + 1);
          row.setAttribute("aria-setsize", length);
          row.firstElementChild.tabIndex = index === active ? 0 : -1;
        }
        this.#measure();
        if (isLost && length > 0) this.#focus(length - 1);
      }

      #summary() {
        if (this.#total === 0 && this.#kept.length === 0) return "none yet";
        const all = count(this.#total, "request", "requests");
        if (this.#only.checked || this.#filter.value.trim() !== "") return `${all}, ${this.#shown.length.toLocaleString("en")} shown`;
        return this.#total > this.#kept.length ? `${all}, the last ${this.#kept.length.toLocaleString("en")} shown` : all;
      }

      /// Returns the visible rows, a few rows above and below, and the row with the focus.
      #drawnIndices(length) {
        const top = this.#scroller.scrollTop;
        const height = this.#scroller.clientHeight || 400;
        const first = Math.max(0, Math.floor(top / this.#rowHeight) - MARGIN);
        const end = Math.min(length, Math.ceil((top + height) / this.#rowHeight) + MARGIN);
        const indices = [];
        for (let index = first; index < end; index += 1) indices.push(index);
        const focused = this.#list.contains(document.activeElement) ? this.#indexOf(this.#active) : -1;
        if (focused >= 0 && focused < first) indices.unshift(focused);
        if (focused >= end) indices.push(focused);
        return indices;
      }

      #measure() {
        const height = this.#list.firstElementChild?.offsetHeight ?? 0;
        if (height === 0 || height === this.#rowHeight) return;
        this.#scroller.scrollTop *= height / this.#rowHeight;
        this.#rowHeight = height;
        this.#draw();
      }

      #row(request) {
        const known = this.#rows.get(request.key);
        if (known) return known;
        const cell = (name, text) => make("span", { class: name }, text);
        const button = make(
          "button",
          {
            type: "button", "aria-expanded": String(this.#opened === request.key), "aria-controls": "detail",
            click: () => this.#open(request),
            focus: () => { this.#active = request.key; },
          },
          cell("time", clock(request.time)), " ",
          cell("who", names[request.class] ?? "other"), " ",
          cell("method", visible(request.method)), " ",
          make("span", { class: "what", title: visible(request.path) }, visible(request.path)), " ",
          cell("status", `${request.status}`), " ",
          cell("bytes", `${request.bytes.toLocaleString("en")} B`), " ",
          cell("version", visible(request.version)));
        const row = make("li", { "data-class": request.class, "data-kind": request.kind, "data-status": `${request.status}`[0] }, button);
        this.#rows.set(request.key, row);
        return row;
      }

      // MARK: Keyboard

      #activeIndex() {
        return Math.max(0, this.#indexOf(this.#active));
      }

      #onKey(event) {
        const page = Math.max(1, Math.floor(this.#scroller.clientHeight / this.#rowHeight) - 1);
        const last = this.#shown.length - 1;
        const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
        if (!(event.key in steps) || last < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        this.#focus(Math.min(last, Math.max(0, this.#activeIndex() + steps[event.key])));
      }

      #focus(index) {
        const top = index * this.#rowHeight;
        const height = this.#scroller.clientHeight;
        if (top < this.#scroller.scrollTop) this.#scroller.scrollTop = top;
        else if (top + this.#rowHeight > this.#scroller.scrollTop + height) {
          this.#scroller.scrollTop = top + this.#rowHeight - height;
        }
        this.#active = this.#at(index).key;
        this.#draw();
        this.#rows.get(this.#active)?.firstElementChild.focus({ preventScroll: true });
      }

      // MARK: Details

      async #open(request) {
        this.#mark(this.#opened, false);
        this.#opened = request.key;
        this.#mark(request.key, true);
        byId("detail-title").textContent = `Request ${request.number}`;
        const body = byId("detail-body");
        body.replaceChildren(make("p", { class: "quiet" }, "Loading the request from aasa dev…"));
        byId("detail").hidden = false;
        byId("detail-title").focus({ preventScroll: true });
        let content;
        try {
          const detail = await ask(`/requests/${request.number}`);
          if (keyOf(detail) !== request.key) throw new Error("aasa dev was restarted: the heads of this request are gone");
          content = describe(detail);
        } catch (error) {
          content = [make("p", { class: "problem", role: "alert" }, visible(error.message)), facts(request)];
        }
        // Discard the content if the user has opened another request in the meantime.
        if (this.#opened !== request.key) return;
        body.replaceChildren(...content);
        byId("detail").scrollIntoView({ block: "nearest" });
      }

      #close() {
        const key = this.#opened;
        this.#opened = null;
        byId("detail").hidden = true;
        this.#mark(key, false);
        const index = this.#indexOf(key);
        if (index >= 0) this.#focus(index);
        else byId("requests-title").focus();
      }

      #mark(key, isOpened) {
        this.#rows.get(key)?.firstElementChild.setAttribute("aria-expanded", String(isOpened));
      }
    }

    /// Returns a shell command that sends the same request with curl.
    function curlOf(detail) {
      const [first, ...fields] = (detail.requestHead ?? "").replaceAll("\r\n", "\n").trimEnd().split("\n");
      const target = first.split(" ")[1] ?? detail.path;
      const host = fields.find((field) => /^host:/i.test(field))?.slice(5).trim() ?? "localhost";
      const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
      // Omit lines that are not header fields: for -H "@.env", curl would read the file .env.
      const rest = fields.filter((field) => /^[!#$%&'*+.^_`|~0-9a-z-]+:/i.test(field) && !/^(host|content-length|connection):/i.test(field));
      const method = detail.method === "HEAD" ? ["--head"] : detail.method === "GET" ? [] : ["-X", quoted(detail.method)];
      return ["curl", "--globoff", ...method, ...rest.map((field) => `-H ${quoted(field)}`), quoted(`https://${host}${target}`)].join(" ");
    }

    function facts(request) {
      const pairs = [
        ["Time", `${clock(request.time)} (${visible(request.time)})`],
        ["Who", names[request.class] ?? "other"],
        ["Agent", visible(request.agent) || "not given"],
        ["Client", visible(request.client) || "not known"],
        ["Asked for", `${visible(request.method)} ${visible(request.path)}`],
        ["Answer", `${request.status}, ${count(request.bytes, "byte", "bytes")}`],
        request.fault ? ["Refused because", visible(request.fault)] : ["Version", visible(request.version) || "none: not the association file"],
      ];
      return make("dl", { class: "facts" }, pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    }

    function describe(detail) {
      const head = (title, text) => [
        make("h4", {}, title),
        make("pre", { tabindex: "0", role: "region", "aria-label": title }, visible(text?.replaceAll("\r\n", "\n").trimEnd())),
      ];
      const command = make("code", {}, visible(curlOf(detail)));
      const status = make("span", { class: "quiet", role: "status" });
      const copy = make("button", { type: "button", click: () => copyText(curlOf(detail), command, status) }, "Copy as curl");
      return [facts(detail), make("div", { class: "copy" }, command, copy, status), ...head("Request head", detail.requestHead), ...head("Response head", detail.responseHead)];
    }

    """#
}
