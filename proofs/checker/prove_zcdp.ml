(* The rules that go through concentrated and Rényi differential privacy: at how many bits the
   verified checks are to work. *)

open Certificate

let guard = 60

let bits_of subject step =
  let count = Z.add (Costs.sum_of (fun (m : mechanism) -> m.count) subject.mechanisms)
      (Costs.sum_of (fun (m : scaled) -> m.count) (subject.gaussian @ subject.concentrated))
  in
  Z.of_int (Planning.bits_for step.digits + guard + (2 * Z.numbits count))

let order_of alpha = { Checks.order_above = Q.num alpha; order_below = Q.den alpha }

(* The check with its bits, subject, epsilon and delta, for the first effort that shows all
   parameters to be at least 0. *)
let decide check subject step =
  let epsilon = finite step.bound in
  let problem = Planning.problem subject [ epsilon ] in
  let x = Planning.combination problem.context epsilon in
  let a, b = Prove_closed.parts step.bound in
  match List.find_opt (fun f -> Checks.subject_ok f problem.checked) problem.efforts with
  | Some f when check f (bits_of subject step) (Prove_gaussian.mixed problem subject) x a b -> ()
  | _ -> reject "not proved"

let bun_steinke subject step =
  decide
    (if step.bound.kind = Upper then Checks.check_bun_steinke
     else Checks.check_bun_steinke_underivable)
    subject step

let canonne_kamath_steinke subject step =
  let check =
    if step.bound.kind = Upper then Checks.check_canonne_kamath_steinke
    else Checks.check_canonne_kamath_steinke_underivable
  in
  decide (fun f bits about -> check f bits about (order_of step.alpha)) subject step

let renyi subject step =
  decide (fun f bits about -> Checks.check_renyi f bits about (order_of step.alpha)) subject step
