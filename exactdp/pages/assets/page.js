
"use strict";
/* Verify here: the certificates of the page, and files that are dropped, by the checker inside.

   The checker runs in a worker, so that the page can be read, and the work be stopped, meanwhile.
   What it says is shown as it stands. Beyond that, this script compares what the page says of a
   certificate with the certificate: its digest, its statement, and the numbers drawn from it. */
(function () {
  const MOST_BYTES = 16 * 1024 * 1024;
  const WORKER = `
    onmessage = (event) => {
      let line;
      try { line = decodeURIComponent(escape(exactdpChecker.verdict(event.data.bytes))); }
      catch (error) { line = "REFUSED  this browser gave up: " + error; }
      let digest = exactdpChecker.sha256(event.data.bytes);
      postMessage({ id: event.data.id, line, digest });
    };
    postMessage({ ready: true });`;
  const element = (id) => document.getElementById(id);
  const run = element("run"), stop = element("stop"), drop = element("drop");
  const files = element("files"), results = element("results"), summary = element("summary");

  const beyond = results.dataset.beyond.split(" ");
  let worker = null, ready = false, waiting = [], total = 0, done = 0, counts = {}, next = 0;

  // --- the checker ---

  function start() {
    const parts = [element("checker").textContent, WORKER];
    const place = URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
    worker = new Worker(place);
    worker.onmessage = (event) => {
      if (event.data.ready) { ready = true; URL.revokeObjectURL(place); proceed(); }
      else finish(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const job = waiting.shift();
      end();
      if (job) show(job, "REFUSED", "the checker could not run in this browser: " + event.message);
      close();
    };
  }

  function end() {
    if (worker) worker.terminate();
    worker = null;
    ready = false;
  }

  function add(jobs) {
    if (!jobs.length) return;
    if (!waiting.length) { total = done = 0; counts = {}; results.replaceChildren(); }
    total += jobs.length;
    for (const job of jobs) { job.id = next++; waiting.push(job); }
    tell();
    if (!worker) start();
    else if (waiting.length === jobs.length) proceed();
  }

  async function proceed() {
    while (ready && waiting.length) {
      const job = waiting[0];
      job.bytes = await job.read();
      if (waiting[0] !== job) return;
      if (typeof job.bytes === "string") {
        const strange = unknown(job.bytes);
        if (!strange) { worker.postMessage({ id: job.id, bytes: job.bytes }); return; }
        job.bytes = strange;
      }
      waiting.shift();
      show(job, job.bytes.word, job.bytes.why);
    }
    if (!waiting.length) close();
  }

  function finish(answer) {
    const job = waiting[0];
    if (!job || job.id !== answer.id) return;
    waiting.shift();
    const at = answer.line.indexOf("  ");
    let word = answer.line.slice(0, at), why = answer.line.slice(at + 2);
    const document_ = parsed(job.bytes);
    if (word === "ACCEPTED") {
      const difference = job.compare ? job.compare(document_.statement, answer.digest) : "";
      if (difference) { word = "DIFFERS"; why = difference; }
    }
    show(job, word, why);
    proceed();
  }

  function close() {
    stop.hidden = true;
    waiting = [];
    tell();
  }

  // --- what a certificate states ---

  function parsed(bytes) {
    try { return JSON.parse(decodeURIComponent(escape(bytes))); } catch (error) { return null; }
  }

  /* Why the checker cannot judge a file, if that uses one of our rules that are beyond it. */
  function unknown(bytes) {
    const document_ = parsed(bytes);
    if (!document_ || !document_.statement || !Array.isArray(document_.derivation)) return null;
    const strange = document_.derivation.map((step) => step && step.rule)
      .find((rule) => beyond.includes(rule));
    if (strange === undefined) return null;
    return { word: "UNKNOWN", why: "the verified checker does not know the rule " + strange
      + "; python -m exactdp.verifier does" };
  }

  /* A number as the page writes it, exactly; null if it is none. */
  function exact(text) {
    const power = /^2\^-([0-9]{1,5})$/.exec(text);
    if (power) return [1n, 2n ** BigInt(power[1])];
    const ratio = /^([0-9]+)\/([0-9]+)$/.exec(text);
    if (ratio) return [BigInt(ratio[1]), BigInt(ratio[2])];
    const match = /^([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]{1,5}))?$/.exec(text);
    if (!match) return null;
    const exponent = Number(match[3] || 0) - (match[2] || "").length;
    const digits = BigInt(match[1] + (match[2] || ""));
    return exponent < 0 ? [digits, 10n ** BigInt(-exponent)] : [digits * 10n ** BigInt(exponent), 1n];
  }

  /* Whether the page promises less than what is proved: a smaller ε or δ. */
  function isBelow(shown, stated) {
    const a = exact(shown), b = exact(stated);
    return !a || !b || a[0] * b[1] < b[0] * a[1];
  }

  // --- files ---

  function embedded(link) {
    const item = link.closest("li");
    return {
      name: link.textContent,
      read: async () => atob(link.getAttribute("href").split(",")[1]),
      compare(statement, digest) {
        if (item.querySelector(".digest").textContent !== digest)
          return "its SHA-256 is not the one that stands in this page";
        for (const key of ["kind", "epsilon", "delta"])
          if (item.querySelector("." + key).textContent !== statement[key])
            return "it states another " + key + " than this page says";
        for (const part of document.querySelectorAll("data[data-proof='" + link.id + "']"))
          if (isBelow(part.textContent, statement[part.dataset.part]))
            return "this page promises " + part.textContent + ", which it does not prove";
        return "";
      },
    };
  }

  function dropped(file) {
    return {
      name: file.name,
      read: async () => {
        if (file.size > MOST_BYTES) {
          const size = (file.size / 1048576).toFixed(1);
          return { word: "REFUSED", why: "it has " + size + " MiB; a certificate has at most 16" };
        }
        try {
          const bytes = new Uint8Array(await file.arrayBuffer());
          let text = "";
          for (let at = 0; at < bytes.length; at += 32768)
            text += String.fromCharCode.apply(null, bytes.subarray(at, at + 32768));
          return text;
        } catch (error) { return { word: "REFUSED", why: "it cannot be read: " + error.message }; }
      },
    };
  }

  // --- what is shown ---

  const CLASSES = { ACCEPTED: "proved", REJECTED: "refuted", MALFORMED: "refuted", DIFFERS: "refuted" };
  const WORDS = [["ACCEPTED", "accepted"], ["REJECTED", "rejected"], ["MALFORMED", "malformed"],
    ["DIFFERS", "not what this page says"], ["REFUSED", "refused"], ["UNKNOWN", "not for this checker"]];

  function show(job, word, why) {
    done++;
    counts[word] = (counts[word] || 0) + 1;
    const item = document.createElement("li"), name = document.createElement("bdi");
    const verdict = document.createElement("strong");
    name.textContent = job.name;
    verdict.textContent = word;
    verdict.className = CLASSES[word] || "unsettled";
    item.append(verdict, " ", name, why ? ": " + why : "");
    results.append(item);
    tell();
  }

  function tell() {
    const parts = WORDS.filter(([word]) => counts[word]).map(([word, text]) => counts[word] + " " + text);
    const open = waiting.length > 0;
    summary.textContent = (open ? "Checking " + (done + 1) + " of " + total + ". " : "")
      + (parts.length ? parts.join(", ") + (open ? " so far." : ".") : "");
    summary.className = open ? "" : counts.REJECTED || counts.MALFORMED || counts.DIFFERS ? "refuted"
      : counts.REFUSED || counts.UNKNOWN ? "unsettled" : done ? "proved" : "";
    document.documentElement.dataset.state = open ? "checking" : done ? "done" : "ready";
    stop.hidden = !open;
  }

  run.onclick = () => add(Array.from(document.querySelectorAll("a.certificate"), embedded));
  stop.onclick = () => {
    const left = waiting;
    waiting = [];
    end();
    for (const job of left) show(job, "REFUSED", "stopped before it was decided");
    close();
  };
  files.onchange = () => { add(Array.from(files.files, dropped)); files.value = ""; };
  for (const name of ["dragover", "drop"]) {
    document.addEventListener(name, (event) => event.preventDefault());
  }
  drop.addEventListener("dragover", () => drop.classList.add("over"));
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    drop.classList.remove("over");
    add(Array.from(event.dataTransfer.files, dropped));
  });
  run.hidden = !document.querySelector("a.certificate");
  element("controls").hidden = false;
  element("scriptless").hidden = true;
  tell();
})();
