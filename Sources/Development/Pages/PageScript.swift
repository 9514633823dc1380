extension DevPages {
  /// Helpers of the inspector's other scripts.
  static let pageScript =
    #"""
    // The functions that the inspector's scripts share: for elements, texts, times, and requests to
    // the server.

    export const byId = (id) => document.getElementById(id);

    /// Makes an element. Texts become text nodes and never markup, because nearly all texts come
    /// from other people. Attributes whose values are null or false are omitted.
    export function make(name, attributes, ...children) {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") element.addEventListener(key, value);
        else element.setAttribute(key, value === true ? "" : value);
      }
      element.append(...children.flat().filter((child) => child !== null && child !== undefined));
      return element;
    }

    /// Replaces each character that is invisible or changes the direction of text by one visible
    /// character. The number of characters stays the same, so that columns stay correct.
    export function visible(text) {
      return String(text ?? "").replace(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
        (character) => {
          const code = character.codePointAt(0);
          if (code < 0x20) return String.fromCharCode(0x2400 + code);
          return code === 0x7f ? "\u2421" : "\ufffd";
        });
    }

    /// Shows a text in an element. If there is no text, hides the element.
    export function show(element, text) {
      const shown = visible(text);
      if (element.textContent !== shown) element.textContent = shown;
      element.hidden = shown === "";
    }

    const two = (number) => String(number).padStart(2, "0");

    /// Converts a time from the server to the time of day in the browser's time zone.
    export function clock(time) {
      const date = new Date(time);
      if (Number.isNaN(date.getTime())) return "";
      return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
    }

    export const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

    /// Returns what a URL does on Android, in words; null if there is no assetlinks.json.
    export function onAndroid(apps) {
      if (!apps) return null;
      return `Android: ${apps.length > 0 ? `opens ${apps.map(visible).join(", ")}` : "stays in the browser"}`;
    }

    export function span(seconds) {
      if (seconds < 120) return count(Math.round(seconds), "second", "seconds");
      if (seconds < 7200) return count(Math.round(seconds / 60), "minute", "minutes");
      return count(Math.round(seconds / 3600), "hour", "hours");
    }

    /// Whether an address has the scheme http or https. Only such an address becomes a link.
    export const isWebAddress = (text) => /^https?:\/\//i.test(text ?? "");

    /// Copies a text. If the browser does not allow this, selects the element with the text, so
    /// that the user can copy it with one key.
    export async function copyText(text, element, status) {
      try {
        await navigator.clipboard.writeText(text);
        status.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(element);
        status.textContent = "selected: press Ctrl+C or ⌘C";
      }
    }

    /// Sends a request to the server. Throws an error whose message is a sentence for the user.
    export async function ask(path, options = {}) {
      let answer;
      try {
        answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(30000), ...options });
      } catch (error) {
        throw new Error(
          error.name === "TimeoutError"
            ? "aasa dev has not answered for 30 seconds"
            : "aasa dev does not answer: check that it still runs");
      }
      const text = await answer.text().catch(() => "");
      let value = null;
      try {
        value = JSON.parse(text);
      } catch {
        if (answer.ok) throw new Error("aasa dev answered with something other than JSON");
      }
      if (!answer.ok) throw new Error(value?.error ?? `aasa dev answered ${answer.status}`);
      return value;
    }

    """#
}
