(* What mechanisms are for a group of g (SPEC, section 7.22): g epsilon with the deltas of the step,
   g mu, and g^2 rho; merged and sorted again. *)

open Certificate

let scaled factor (m : scaled) = { m with parameter = Q.mul factor m.parameter }

let texts (m : mechanism) = (Numbers.write m.epsilon, Numbers.rational_text m.delta)

let rec merged = function
  | (a : mechanism) :: b :: rest when texts a = texts b ->
      merged ({ a with count = Z.add a.count b.count } :: rest)
  | a :: rest -> a :: merged rest
  | [] -> []

let by_text factor entries =
  let text (m : scaled) = Numbers.rational_text m.parameter in
  List.sort (fun a b -> compare (text a) (text b)) (List.map (scaled factor) entries)

let of_groups subject step =
  if List.compare_lengths step.deltas subject.mechanisms <> 0 then
    reject "not as many deltas as mechanisms";
  let group = Q.of_bigint step.bound.group in
  let pair (m : mechanism) delta = { m with epsilon = Numbers.scale group m.epsilon; delta } in
  let pairs = List.map2 pair subject.mechanisms step.deltas in
  {
    subject with
    mechanisms = merged (List.stable_sort (fun a b -> compare (texts a) (texts b)) pairs);
    gaussian = by_text group subject.gaussian;
    concentrated = by_text (Q.mul group group) subject.concentrated;
  }
