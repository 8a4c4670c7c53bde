(** What the checker does with the bytes of a certificate, as OCaml over Zarith's integers.

    What is trusted here: Coq's extraction, and that the functions named below are those of Coq: of
    Zarith for integers (as [Integer], checker/integer.ml), where division rounds down on both
    sides, and of OCaml for lists, which may be longer than a stack is deep. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlString.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CertificateJson PlanCertificate Questions Accepts.

Extract Inductive BinNums.positive => "Integer.t"
  [ "(fun p -> Integer.succ (Integer.shift_left p 1))" "(fun p -> Integer.shift_left p 1)" "Integer.one" ]
  "(fun f2p1 f2p f1 p -> if Integer.equal p Integer.one then f1 () else
    if Integer.is_odd p then f2p1 (Integer.shift_right p 1) else f2p (Integer.shift_right p 1))".
Extract Inductive BinNums.Z => "Integer.t" [ "Integer.zero" "" "Integer.neg" ]
  "(fun f0 fp fn z -> let s = Integer.sign z in
    if s = 0 then f0 () else if s > 0 then fp z else fn (Integer.neg z))".
Extract Constant BinInt.Z.add => "Integer.add".
Extract Constant BinInt.Z.sub => "Integer.sub".
Extract Constant BinInt.Z.mul => "Integer.mul".
Extract Constant BinInt.Z.opp => "Integer.neg".
Extract Constant BinInt.Z.max => "Integer.max".
Extract Constant BinInt.Z.min => "Integer.min".
Extract Constant BinInt.Z.gcd => "Integer.gcd".
Extract Constant BinInt.Z.abs => "Integer.abs".
Extract Constant BinInt.Z.sqrt => "(fun a -> if Integer.sign a < 0 then Integer.zero else Integer.sqrt a)".
Extract Constant BinInt.Z.shiftl => "(fun a n -> let n = Integer.to_int n in
  if n < 0 then Integer.shift_right a (- n) else Integer.shift_left a n)".
Extract Constant BinInt.Z.shiftr => "(fun a n -> let n = Integer.to_int n in
  if n < 0 then Integer.shift_left a (- n) else Integer.shift_right a n)".
Extract Constant PeanoNat.Nat.add => "(+)".
Extract Constant PeanoNat.Nat.mul => "( * )".
Extract Constant PeanoNat.Nat.sub => "(fun n m -> Stdlib.max 0 (n - m))".
Extract Constant PeanoNat.Nat.pred => "(fun n -> Stdlib.max 0 (n - 1))".
Extract Constant BinInt.Z.eqb => "Integer.equal".
Extract Constant BinInt.Z.leb => "Integer.leq".
Extract Constant BinInt.Z.ltb => "Integer.lt".
Extract Constant BinInt.Z.div => "(fun a b -> if Integer.equal b Integer.zero then Integer.zero else Integer.fdiv a b)".
Extract Constant BinInt.Z.pow =>
  "(fun a n -> if Integer.sign n < 0 then Integer.zero else Integer.pow a (Integer.to_int n))".
Extract Constant BinInt.Z.log2 => "(fun a -> if Integer.sign a <= 0 then Integer.zero else Integer.of_int (Integer.log2 a))".
Extract Constant BinInt.Z.succ => "Integer.succ".
Extract Constant BinInt.Z.pred => "Integer.pred".
Extract Constant BinInt.Z.sgn => "(fun a -> Integer.of_int (Integer.sign a))".
Extract Constant BinInt.Z.of_nat => "Integer.of_int".
Extract Constant BinInt.Z.to_nat => "(fun a -> if Integer.sign a < 0 then 0 else Integer.to_int a)".

Extract Constant seq.size => "Stdlib.List.length".
Extract Constant seq.cat => "(fun s t -> Stdlib.List.rev_append (Stdlib.List.rev s) t)".
Extract Constant seq.map => "(fun f s -> Stdlib.List.rev (Stdlib.List.rev_map f s))".
Extract Constant seq.filter => "Stdlib.List.filter".
Extract Constant seq.foldr => "(fun f r s -> Stdlib.List.fold_left (fun r x -> f x r) r (Stdlib.List.rev s))".
Extract Constant seq.take => "(fun n s -> Stdlib.List.filteri (fun i _ -> i < n) s)".
Extract Constant seq.zip => "(fun s t ->
  let rec pairs found s t = match s, t with
    | x :: s, y :: t -> pairs ((x, y) :: found) s t | _ -> Stdlib.List.rev found in pairs [] s t)".
Extract Constant seq.ncons => "(fun n x s ->
  let rec more n s = if n = 0 then s else more (n - 1) (x :: s) in more n s)".

Extract Constant path.sort => "(fun le s -> Stdlib.List.stable_sort (fun x y -> if le x y then 0 else 1) s)".

Extract Constant Ascii.nat_of_ascii => "Char.code".
Extract Constant CertificateJson.char_below => "(fun (c : char) (d : char) -> c < d)".

Extraction "extracted/checks.ml" accepts_as_asked known_rules.
