(* How a certificate fails (SPEC, section 9). *)

exception Malformed of string
exception Rejected of string
exception Refused of string

let fail what = raise (Malformed what)
let reject what = raise (Rejected what)
let refuse what = raise (Refused what)
