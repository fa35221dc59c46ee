-- The list of loans is counted from tallies, by day and status.
INSERT INTO tallies (noun, day, kind, status, slot, rows, cents, interest)
SELECT 'loans', each.day, '', status, 0, count(*), 0, 0
FROM loans CROSS JOIN LATERAL (VALUES ((created_at AT TIME ZONE 'UTC')::date), ('-infinity'::date)) AS each (day)
GROUP BY each.day, status;
