-- Questions put to the table of admissions; the noise of each is calibrated to its epsilon.

-- epsilon: 0.5, label: children
SELECT COUNT(*) FROM admissions WHERE age < 18;

-- epsilon: 0.5, label: adults
SELECT COUNT(*) FROM admissions WHERE age BETWEEN 18 AND 64;

-- epsilon: 0.5, label: the old
SELECT COUNT(*) FROM admissions WHERE age >= 65;

-- epsilon: 0.25, label: admissions by ward and year
SELECT ward, year, COUNT(*) FROM admissions GROUP BY ward, year;

-- epsilon: 0.2, label: births last year
SELECT COUNT(*) FROM admissions WHERE ward = 'maternity' AND year = 2026 AND age IN (0, 1);

-- epsilon: 0.2, label: surgery last year
SELECT COUNT(*) FROM admissions WHERE ward = 'surgery' AND year = 2026;

-- epsilon: 0.2, label: hearts last year
SELECT COUNT(*) FROM admissions WHERE ward = 'cardiology' AND year = 2026;
