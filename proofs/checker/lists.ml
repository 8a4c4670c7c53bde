(* Lists that are longer than the stack is deep: what the standard library does by recursion. *)

module List = struct
  include Stdlib.List

  let map f list = rev (rev_map f list)
  let map2 f xs ys = rev (rev_map2 f xs ys)
  let mapi f list = snd (fold_left_map (fun i x -> (i + 1, f i x)) 0 list)
  let append xs ys = rev_append (rev xs) ys
  let combine xs ys = map2 (fun x y -> (x, y)) xs ys
  let sum add zero of_one list = fold_left (fun total one -> add total (of_one one)) zero list
end
