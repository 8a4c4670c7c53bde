
"use strict";
/* Verify here: the certificates of the page, and files that are dropped, by the checker inside.

   The checker runs in a worker, so that the page can be read, and the work be stopped, meanwhile.
   What it says is shown as it stands. Beyond that, this script compares what the page says of a
   certificate with the certificate: its digest, its statement, and the numbers drawn from it. */
(function () {
  const MOST_BYTES = 16 * 1024 * 1024;
  /* What the checker says where a certificate exceeds its own bounds, which is no verdict. */
  const BOUNDS = /(?:the scores have|there are) too many sums$/;
  const WORKER = `
    onmessage = (event) => {
      let line;
      const { bytes, ledger } = event.data;
      try { line = decodeURIComponent(escape(exactdpChecker.verdict(bytes, ledger))); }
      catch (error) { line = "REFUSED  this browser gave up: " + error; }
      let digest = exactdpChecker.sha256(event.data.bytes);
      postMessage({ id: event.data.id, line, digest });
    };
    postMessage({ ready: true });`;
  const element = (id) => document.getElementById(id);
  const run = element("run"), stop = element("stop"), drop = element("drop");
  const files = element("files"), results = element("results"), summary = element("summary");

  const beyond = results.dataset.beyond.split(" ");
  const families = results.dataset.families.split(" ");
  const ofNoise = results.dataset.ofnoise.split(" "), parameters = results.dataset.parameters.split(" ");
  let ledger = null, kept = [];
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
        if (!strange) { worker.postMessage({ id: job.id, bytes: job.bytes, ledger: job.ledger ? job.ledger.bytes : "" }); return; }
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
      else if (!job.compare) why = sentence(document_.statement, why) + about(job);
    }
    if (word === "REJECTED" && BOUNDS.test(why)) word = "REFUSED";
    if (word === "REFUSED") why += "; python -m exactdp.verifier decides";
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

  /* Why the checker cannot judge a file, if that uses one of our rules or families beyond it. */
  function unknown(bytes) {
    const document_ = parsed(bytes);
    if (!document_ || !document_.statement || !Array.isArray(document_.derivation)) return null;
    const rule = document_.derivation.map((step) => step && step.rule)
      .find((each) => beyond.includes(each)
        || (ofNoise.includes(each) && !entries(document_.statement.subject)
          .every((entry) => typeof entry !== "object"
            || Object.keys(Object(entry)).every((key) => parameters.includes(key)))));
    const family = families.find((each) => keys(document_.statement.subject).includes(each));
    const strange = rule !== undefined ? "the rule " + rule
      : family !== undefined ? "mechanisms given by " + family : null;
    if (strange === null) return null;
    return { word: "UNKNOWN", why: "this checker has no proof for " + strange
      + " yet, and says neither yes nor no; check it with python -m exactdp.verifier" };
  }

  /* The mechanisms of a subject, or those of its queries. */
  function entries(subject) {
    const list = (value) => Array.isArray(value) ? value : [];
    return list(subject && subject.mechanisms).concat(list(subject && subject.queries));
  }

  /* By what the mechanisms of a subject are given. */
  function keys(subject) {
    const nested = entries(subject).flatMap((each) => Object.values(Object(each)));
    return entries(subject).concat(nested).filter((each) => each && typeof each === "object"
      && !Array.isArray(each)).flatMap((each) => Object.keys(each));
  }

  /* What a certificate proves, in words; the numbers are those of the checker's line. */
  function sentence(statement, line) {
    const found = /^ε [≤>] (\S+) at δ = (\S+) for (.+) \((?:upper|lower)\b/.exec(line);
    if (!found || !["upper", "lower"].includes(statement.kind)) return line;
    const [, epsilon, delta, subject] = found;
    return line + (statement.kind === "upper"
      ? ". Proved: " + subject + " with these parameters " + (/^1 /.test(subject) ? "is" : "are together")
        + " (ε, δ)-differentially private with ε = " + epsilon + " and δ = " + delta
        + ", however " + (/^1 /.test(subject) ? "it is" : "they are") + " used"
      : ". Proved: for " + subject + " with these parameters, no promise of ε = " + epsilon
        + " or less holds at δ = " + delta);
  }

  function about(job) {
    return job.ledger ? "; the parameters are those of the ledger " + job.ledger.name : "";
  }

  /* A number as the page writes it, exactly; null if it is none. */
  function exact(shown) {
    const text = shown.replace(/^(?:([0-9.]+)·)?10−([0-9]+)$/, (_, factor, power) => (factor || "1") + "e-" + power)
      .replace(/^2−([0-9]+)$/, "2^-$1");
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
        for (const key of ["kind", "epsilon", "delta", "rho", "mu"])
          if (item.querySelector("." + key)?.textContent !== statement[key])
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
      ledger: null,
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
    ["DIFFERS", "not what this page says"], ["REFUSED", "refused"], ["UNKNOWN", "without a proof in this checker"]];

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
  /* Ledgers are kept aside: certificates, also those that were dropped before, are checked with the last. */
  async function receive(list) {
    const jobs = Array.from(list, dropped), certificates = [];
    for (const job of jobs) {
      const content = await job.read(), document_ = typeof content === "string" ? parsed(content) : null;
      const isLedger = document_ && !document_.statement && ("mechanisms" in Object(document_) || "queries" in Object(document_));
      if (isLedger) ledger = { name: job.name, bytes: content };
      else certificates.push({ ...job, read: async () => content });
    }
    if (certificates.length) kept = certificates;
    if (ledger && !kept.length) summary.textContent = "Now drop a certificate about " + ledger.name + ".";
    add(kept.map((job) => ({ ...job, ledger })));
  }

  files.onchange = () => { receive(Array.from(files.files)); files.value = ""; };
  for (const name of ["dragover", "drop"]) {
    document.addEventListener(name, (event) => event.preventDefault());
  }
  drop.addEventListener("dragover", () => drop.classList.add("over"));
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    drop.classList.remove("over");
    receive(Array.from(event.dataTransfer.files));
  });
  run.hidden = !document.querySelector("a.certificate");
  element("controls").hidden = false;
  element("scriptless").hidden = true;
  tell();
})();
