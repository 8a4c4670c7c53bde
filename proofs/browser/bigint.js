// Zarith's integers as JavaScript's BigInt: what z.ml asks for.
//
// js_of_ocaml 4.0 reads no BigInt literals, so that constants are made by calls. An engine that
// caps the length of a BigInt (Firefox at 2^20 bits) throws a RangeError: whatever can grow catches
// it, and says so in OCaml.

//Provides: exactdp_zero
var exactdp_zero = BigInt(0)

//Provides: exactdp_grown
//Requires: caml_raise_constant, caml_named_value
function exactdp_grown(compute) {
  try { return compute() }
  catch (error) {
    if (error instanceof globalThis.RangeError && !/call stack/i.test(error.message))
      caml_raise_constant(caml_named_value("exactdp.too-long"))
    throw error
  }
}

//Provides: exactdp_of_int
function exactdp_of_int(a) { return BigInt(a) }

//Provides: exactdp_to_int
function exactdp_to_int(a) { return Number(a) }

//Provides: exactdp_fits
function exactdp_fits(a) { return BigInt.asIntN(32, a) === a ? 1 : 0 }

//Provides: exactdp_add
//Requires: exactdp_grown
function exactdp_add(a, b) { return exactdp_grown(function () { return a + b }) }

//Provides: exactdp_sub
//Requires: exactdp_grown
function exactdp_sub(a, b) { return exactdp_grown(function () { return a - b }) }

//Provides: exactdp_mul
//Requires: exactdp_grown
function exactdp_mul(a, b) { return exactdp_grown(function () { return a * b }) }

//Provides: exactdp_neg
function exactdp_neg(a) { return -a }

//Provides: exactdp_div
function exactdp_div(a, b) { return a / b }

//Provides: exactdp_rem
function exactdp_rem(a, b) { return a % b }

//Provides: exactdp_sign
//Requires: exactdp_zero
function exactdp_sign(a) { return a < exactdp_zero ? -1 : a > exactdp_zero ? 1 : 0 }

//Provides: exactdp_compare
function exactdp_compare(a, b) { return a < b ? -1 : a > b ? 1 : 0 }

//Provides: exactdp_is_odd
//Requires: exactdp_zero
function exactdp_is_odd(a) { return BigInt.asUintN(1, a) === exactdp_zero ? 0 : 1 }

//Provides: exactdp_shift_left
//Requires: exactdp_grown
function exactdp_shift_left(a, n) { return exactdp_grown(function () { return a << BigInt(n) }) }

//Provides: exactdp_shift_right
function exactdp_shift_right(a, n) { return a >> BigInt(n) }

//Provides: exactdp_numbits
//Requires: exactdp_zero
function exactdp_numbits(a) {
  if (a === exactdp_zero) return 0
  var digits = (a < exactdp_zero ? -a : a).toString(16)
  return 4 * digits.length - Math.clz32(parseInt(digits.charAt(0), 16)) + 28
}

//Provides: exactdp_of_digits
//Requires: exactdp_grown, caml_jsbytes_of_string
function exactdp_of_digits(text) {
  return exactdp_grown(function () { return BigInt(caml_jsbytes_of_string(text)) })
}

//Provides: exactdp_to_string
//Requires: caml_string_of_jsbytes
function exactdp_to_string(a) { return caml_string_of_jsbytes(a.toString()) }

//Provides: exactdp_export
//Requires: caml_string_of_jsbytes, caml_jsbytes_of_string, caml_call_gen
function exactdp_export(rules, verdict, digest) {
  function answering(f) {
    return function () {
      var given = []
      for (var i = 0; i < arguments.length; i++) given.push(caml_string_of_jsbytes(arguments[i]))
      return caml_jsbytes_of_string(caml_call_gen(f, given))
    }
  }
  var decide = answering(verdict)
  globalThis.exactdpChecker = {
    rules: caml_jsbytes_of_string(rules).split(" "),
    sha256: answering(digest),
    verdict: function (bytes, ledger) { return decide(bytes, ledger || "") }
  }
  return 0
}
