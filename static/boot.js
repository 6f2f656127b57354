/*
 * Loads the page: the generated script, the wasm and the scenario that the address names, all at once, and says so when
 * that fails. Later it loads for the page what is wanted: other scenarios, and the chooser's index.
 *
 * A classic script on purpose. In a frame sandboxed with `allow-scripts` alone, on a server without CORS headers, module
 * scripts never run and `fetch` fails, while classic scripts run. There, and in a file opened from disk, the wasm comes as a
 * classic script too (NAME.wasm.js, bytes in base64, written by xtask). Everywhere else it streams.
 *
 * A scenario is a classic script for the same reason (scenarios/NAME.js, written by xtask). It calls `lockstep.file`; the
 * page calls `lockstep.load`.
 *
 * Text is set as text only. `<html data-lockstep>` says "running" or "failed". The page may dispatch "lockstep:panic" on
 * `window`, a CustomEvent with the message as `detail`; a trap that nobody reports is caught here as well.
 */
(function () {
  "use strict";

  var TEXTS = {
    en: {
      loading: "Loading Lockstep…",
      wasm: "This browser cannot run WebAssembly. Lockstep needs a browser from 2022 or later.",
      download: "A part of Lockstep could not be downloaded. Check the connection, then load the page again.",
      policy: "A security policy of this site, or an extension, forbids WebAssembly. Allow it (script-src 'wasm-unsafe-eval') or open Lockstep from another address.",
      start: "Lockstep could not start. Load the page again; if that does not help, please report the text below.",
      panic: "Lockstep stopped because of a bug in it. Load the page again to go on; please report the text below.",
      reload: "Load again"
    },
    ko: {
      loading: "Lockstep을 불러오는 중…",
      wasm: "이 브라우저는 WebAssembly를 실행할 수 없습니다. 2022년 이후의 브라우저가 필요합니다.",
      download: "Lockstep의 일부를 내려받지 못했습니다. 연결을 확인한 뒤 페이지를 다시 불러오세요.",
      policy: "이 사이트의 보안 정책이나 확장 프로그램이 WebAssembly를 막고 있습니다. 허용하거나(script-src 'wasm-unsafe-eval') 다른 주소에서 Lockstep을 여세요.",
      start: "Lockstep을 시작하지 못했습니다. 페이지를 다시 불러오세요. 그래도 안 되면 아래 내용을 알려 주세요.",
      panic: "Lockstep이 내부 오류로 멈췄습니다. 계속하려면 페이지를 다시 불러오세요. 아래 내용을 알려 주시면 고치겠습니다.",
      reload: "다시 불러오기"
    }
  };

  var RETRY_MS = 5000;

  var asked = new URLSearchParams(location.search).get("lang") || navigator.language || "en";
  var languages = asked.slice(0, 2) === "ko" ? ["ko", "en"] : ["en", "ko"];
  var failed = false;

  function element(tag, className, text, lang) {
    var made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    if (lang) made.lang = lang;
    return made;
  }

  /* Shows what went wrong above whatever the page shows, in both languages, the visitor's first. Only the first failure is shown. */
  function fail(kind, detail) {
    if (failed) return;
    failed = true;
    document.documentElement.dataset.lockstep = "failed";
    var note = document.getElementById("boot");
    if (note) note.remove();
    var box = element("div", "boot boot-failed", "");
    box.setAttribute("role", "alert");
    box.dataset.failure = kind;
    languages.forEach(function (lang) {
      box.append(element("p", "", TEXTS[lang][kind], lang));
    });
    if (detail) box.append(element("pre", "", String(detail)));
    var reload = element("button", "", TEXTS[languages[0]].reload, languages[0]);
    reload.type = "button";
    reload.addEventListener("click", function () { location.reload(); });
    box.append(reload);
    document.body.prepend(box);
  }

  /* A failure with the kind of text that explains it. */
  function failure(kind, detail) {
    return { kind: kind, detail: detail };
  }

  function script(url) {
    return new Promise(function (resolve, reject) {
      var tag = document.createElement("script");
      tag.src = url;
      tag.onload = function () { tag.remove(); resolve(); };
      tag.onerror = function () { tag.remove(); reject(failure("download", url)); };
      document.head.append(tag);
    });
  }

  /* Names the reason: refused by a policy, broken, or broken off on its way (then it is not a CompileError). */
  function compiled(promise) {
    return promise.catch(function (error) {
      if (!(error instanceof WebAssembly.CompileError)) throw failure("download", error);
      throw failure(/Content.Security.Policy|CSP|unsafe-eval/i.test(error.message) ? "policy" : "start", error);
    });
  }

  /* Streams where the server says that it is wasm; browsers refuse to stream anything else. */
  function fetched(url) {
    return fetch(url).then(function (response) {
      if (!response.ok) throw failure("download", url + ": " + response.status);
      var type = response.headers.get("Content-Type") || "";
      if (type.indexOf("application/wasm") === 0 && WebAssembly.compileStreaming) {
        return compiled(WebAssembly.compileStreaming(response));
      }
      return response.arrayBuffer().then(function (bytes) { return compiled(WebAssembly.compile(bytes)); });
    });
  }

  /* The low bytes of a text's characters. */
  function bytesOf(text) {
    return Uint8Array.from(text, function (one) { return one.charCodeAt(0); });
  }

  function fromScript(url) {
    return script(url + ".js").then(function () {
      var bytes = bytesOf(atob(self.lockstepWasm));
      delete self.lockstepWasm;
      return compiled(WebAssembly.compile(bytes));
    });
  }

  var fetches = self.origin !== "null";

  function wasm(url) {
    if (!fetches) return fromScript(url);
    return fetched(url).catch(function (error) {
      if (error.kind === "policy" || error.kind === "start") throw error;
      fetches = false;
      return fromScript(url);
    });
  }

  var parts = document.querySelector("meta[name=lockstep]").dataset;
  var texts = Object.create(null);
  var coming = Object.create(null);

  /* The text of a scenario or of the index. What could not be had is asked for anew the next time. */
  function file(name) {
    if (!coming[name]) {
      var url = parts.scenarios.replace("*", name);
      coming[name] = script(url).then(function () {
        /* Some servers answer for what they do not have with a page. */
        if (!(name in texts)) throw failure("download", url);
        return texts[name];
      });
      coming[name].catch(function () { delete coming[name]; });
    }
    return coming[name];
  }

  /* The scenario that the address names; if there is none such, the one of a first visit, and the page says the rest. */
  function firstFile() {
    var id = location.hash.slice(1).split(":")[0];
    if (id === parts.first || !/^[a-z0-9-]+$/.test(id)) return file(parts.first);
    return file(id).catch(function () { return file(parts.first); });
  }

  self.lockstep = {
    file: function (name, text) { texts[name] = text; },
    load: function (name, done) {
      file(name).then(done, function () { done(); });
    },
    /* Calls back once nothing has to be waited for. */
    whole: function (done) { wholeness.then(done); }
  };

  /*
   * The rest of the wasm: functions that the first view does not run (xtask/src/split.rs). It comes when the first view stands.
   * Whoever needs one of them earlier waits for it: the wasm calls lockstepRest in the middle of its work, so that has to load
   * at once. Where nothing can be fetched, the page starts with both parts.
   */
  var rest = parts.wasm.replace("_bg.wasm", "_rest.wasm");
  var exports;
  var styled = false;
  var joined = false;
  var becomeWhole;
  var wholeness = new Promise(function (resolve) { becomeWhole = resolve; });

  /* What the rest draws has a style sheet of its own. */
  function style() {
    if (styled) return;
    styled = true;
    var link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = parts.styles;
    document.head.append(link);
  }

  function join(module) {
    if (joined) return;
    style();
    new WebAssembly.Instance(module, { first: exports });
    joined = true;
    becomeWhole();
  }

  function now(url) {
    var request = new XMLHttpRequest();
    request.open("GET", url, false);
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status !== 200) throw failure("download", url + ": " + request.status);
    return bytesOf(request.responseText);
  }

  self.lockstepRest = function () {
    if (joined) return;
    try {
      /* An address of its own: a request for one that is still on its way would wait for it, and it for this script. */
      join(new WebAssembly.Module(now(rest + "?now")));
    } catch (error) {
      fail("download", error.detail || error);
      throw error;
    }
  };

  function later() {
    return new Promise(function (resolve) {
      requestAnimationFrame(function () { setTimeout(resolve); });
    });
  }

  function isTrap(error) {
    return typeof WebAssembly === "object" && error instanceof WebAssembly.RuntimeError;
  }

  /* Listeners first: the page runs from the moment it is instantiated. */
  addEventListener("lockstep:panic", function (event) { fail("panic", event.detail); });
  addEventListener("error", function (event) { if (isTrap(event.error)) fail("panic", event.error.stack); });
  addEventListener("unhandledrejection", function (event) { if (isTrap(event.reason)) fail("panic", event.reason.stack); });

  var note = document.getElementById("boot");
  if (note) {
    note.textContent = TEXTS[languages[0]].loading;
    note.lang = languages[0];
  }

  if (typeof WebAssembly !== "object") {
    fail("wasm");
    return;
  }
  Promise.all([wasm(parts.wasm), firstFile(), script(parts.js)])
    .then(function (loaded) {
      self.lockstep.first = loaded[1];
      return wasm_bindgen({ module_or_path: loaded[0] });
    })
    .then(function (made) {
      exports = made;
      return fetches ? null : wasm(rest).then(join);
    })
    .then(function () {
      wasm_bindgen.run();
      if (!failed) document.documentElement.dataset.lockstep = "running";
      /* If this fails, the first who needs the rest tries again, and says so; at the latest that is the page itself. */
      if (!joined) later().then(function () { style(); return fetched(rest); }).then(join).catch(function () { setTimeout(becomeWhole, RETRY_MS); });
    })
    .catch(function (error) {
      if (error && error.kind) fail(error.kind, error.detail);
      else if (isTrap(error)) fail("panic", error.stack);
      else fail("start", (error && error.stack) || error);
    });
})();
