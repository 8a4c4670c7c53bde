-- scale: 4000, label: what stays cost in the first half of the year
SELECT SUM(LEAST(GREATEST(cost, 0), 1000)) FROM stays
WHERE day BETWEEN DATE '2026-01-01' AND DATE '2026-06-30';

-- scale: 4000, label: and in the second
SELECT SUM(LEAST(GREATEST(cost, 0), 1000)) FROM stays WHERE day >= DATE '2026-07-01';

-- scale: 10, label: stays that cost nothing
SELECT COUNT(*) FROM stays WHERE cost = 0;

-- scale: 10, label: wards in use
SELECT COUNT(DISTINCT ward) FROM stays WHERE cost > 0;
