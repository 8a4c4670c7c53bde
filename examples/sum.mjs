// A verifier of the rule `sum` for rational ε and δ, from certs/SPEC.md alone: node sum.mjs CERTIFICATE…
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const need = (holds, why) => { if (!holds) throw new Error(why); };
const among = (value, ...choices) => need(choices.includes(value), `not one of ${choices}`);

// Section 1: bytes. What is not the canonical form of what it holds is malformed.
function canonical(value, depth = 0) {
  if (typeof value === "string") {
    need(value.isWellFormed(), "a lone surrogate");
    return JSON.stringify(value);
  }
  need(value !== null && typeof value === "object" && depth < 16, "not an object, array or string");
  const text = (part) => canonical(part, depth + 1);
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  return `{${Object.keys(value).sort().map((key) => `${text(key)}:${text(value[key])}`).join(",")}}`;
}
function members(value, ...keys) {
  need(typeof value === "object" && !Array.isArray(value), "not an object");
  need(Object.keys(value).sort().join() === keys.sort().join(), `keys are not ${keys}`);
  return value;
}

// Section 2: numbers. Those with logarithms are left undecided, and so rejected.
const gcd = (a, b) => (b ? gcd(b, a % b) : a);
function rational(text) {
  need(typeof text === "string" && text.length < 50000, "not a number");
  const found = /^(0|[1-9]\d*)(?:\/([1-9]\d*))?$/.exec(text);
  need(found, "not a rational of at least 0 in canonical text");
  const [n, d] = [BigInt(found[1]), BigInt(found[2] ?? "1")];
  need(found[2] === undefined || (d > 1n && gcd(n, d) === 1n), "not in lowest terms");
  need(n >> 65536n === 0n && d >> 65536n === 0n, "too large a number");
  return { n, d };
}
function integer(text, least, most) {
  const { n, d } = rational(text);
  need(d === 1n && least <= n && n <= most, "not an integer of its range");
  return n;
}
const atMost = (one, other) => one.n * other.d <= other.n * one.d;
const plus = (one, other) => ({ n: one.n * other.d + other.n * one.d, d: one.d * other.d });
const rest = ({ n, d }) => ({ n: d - n, d });
const ONE = { n: 1n, d: 1n };

// Sections 3 and 7.1: mechanisms and statement.
function mechanism(entry) {
  need(typeof entry === "object", "not an object");
  const zero = ["mu", "rho"].find((key) => key in entry);
  const parts = members(entry, "count", ...(zero ? [zero] : ["delta", "epsilon"]));
  const { count, ...shape } = parts;
  if (zero) need(parts[zero] === "0", `the rule is not about ${zero}`);
  const [epsilon, delta] = zero ? ["0", "0"] : [parts.epsilon, parts.delta];
  const read = { epsilon: rational(epsilon), delta: rational(delta), count: integer(count, 1n, 10n ** 18n) };
  need(read.delta.n < read.delta.d, "a delta of 1 or more");
  return { ...read, bytes: Buffer.from(canonical(shape)) };
}
function theorems(kind, interaction, mechanisms) {
  if (kind === "lower" || interaction === "adaptive") return ["murtagh-vadhan-2018-theorem-1.5"];
  const pure = mechanisms.every(({ delta }) => delta.n === 0n);
  return ["lyu-2022-approximate-dp", "vadhan-zhang-2023-f-dp", ...(pure ? ["vadhan-wang-2021-theorem-5.4"] : [])];
}

function verify(bytes) {
  need(bytes.length <= 2 ** 24, "more than 16 MiB");
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const value = JSON.parse(text);
  need(canonical(value) === text, "not in canonical form");
  const { format, statement, derivation, digest } = members(value, "format", "statement", "derivation", "digest");
  among(format, "exactdp-certificate/1");
  need(digest === createHash("sha256").update(canonical(statement)).digest("hex"), "another digest");
  members(statement, "kind", "subject", "epsilon", "delta", "neighbouring", "interaction", "group", "theorem");
  const { kind, subject, neighbouring, interaction, group, theorem } = statement;
  among(kind, "upper", "lower");
  among(neighbouring, "add-remove-one", "replace-one", "unspecified");
  among(interaction, "adaptive", "concurrent");
  among(group, "1");
  among(members(subject, "mechanisms", "type").type, "mechanisms");
  need(Array.isArray(subject.mechanisms), "not an array");
  const mechanisms = subject.mechanisms.map(mechanism);
  mechanisms.slice(1).forEach(({ bytes }, i) => need(Buffer.compare(mechanisms[i].bytes, bytes) < 0, "not sorted"));
  among(theorem, ...theorems(kind, interaction, mechanisms));

  // Section 4: one step, without premises, that concludes what is stated.
  need(Array.isArray(derivation) && derivation.length === 1, "not one step");
  const { parameters, premises, rule } = members(derivation[0], "parameters", "premises", "rule");
  among(rule, "sum");
  need(Array.isArray(premises) && premises.length === 0, "the rule takes no premises here");
  const { bound, epsilon, delta } = members(parameters, "bound", "epsilon", "delta");
  need(bound === kind && epsilon === statement.epsilon && delta === statement.delta, "concludes another");

  // Section 7, `sum`.
  const [most, failing] = [rational(epsilon), rational(delta)];
  need(atMost(failing, ONE), "a delta above 1");
  let [sum, safe] = [{ n: 0n, d: 1n }, ONE];
  for (const each of mechanisms) {
    sum = plus(sum, { n: each.count * each.epsilon.n, d: each.epsilon.d });
    if (each.delta.n === 0n) continue;
    need(each.count * BigInt(each.delta.d.toString(2).length) < 1000000n, "too long a product");
    const { n, d } = rest(each.delta);
    safe = { n: safe.n * n ** each.count, d: safe.d * d ** each.count };
  }
  if (kind === "upper") need(atMost(sum, most) && atMost(rest(failing), safe), "not proved");
  else need(!atMost(sum, most) && atMost(safe, rest(failing)), "not proved");
}

let code = 0;
for (const file of process.argv.slice(2)) {
  try {
    verify(readFileSync(file));
    console.log(`ACCEPTED ${file}`);
  } catch (error) {
    console.log(`REJECTED ${file} ${error.message}`);
    code = 1;
  }
}
process.exitCode = code;
