(* Opened before the checks and the driver: sums, differences, products and shifts of int raise where
   int, which has 32 bits in JavaScript, does not hold them.

   A count of the proofs is a natural number, and an int of the program: here it is one, or there is
   no verdict. *)

exception Beyond_int

module Guarded = struct
  let ( + ) a b =
    let sum = Stdlib.( + ) a b in
    if (a < 0) = (b < 0) && (sum < 0) <> (a < 0) then raise Beyond_int;
    sum

  let ( - ) a b =
    let difference = Stdlib.( - ) a b in
    if (a < 0) <> (b < 0) && (difference < 0) <> (a < 0) then raise Beyond_int;
    difference

  let ( * ) a b =
    let product = Stdlib.( * ) a b in
    if a <> 0 && (product / a <> b || (a = -1 && b = min_int)) then raise Beyond_int;
    product

  let ( lsl ) a places =
    let shifted = Stdlib.( lsl ) a places in
    if places < 0 || places >= Sys.int_size || Stdlib.( asr ) shifted places <> a then
      raise Beyond_int;
    shifted

  let succ a = a + 1
  let pred a = a - 1
end

module Stdlib = struct
  include Stdlib
  include Guarded

  module Int = struct
    include Int

    let add = Guarded.( + )
    let sub = Guarded.( - )
    let mul = Guarded.( * )
    let succ = Guarded.succ
    let pred = Guarded.pred
  end
end

include Guarded
module Int = Stdlib.Int
