-- The list of loans is counted from tallies, by day and status.
INSERT INTO tallies (noun, day, kind, status, slot, rows, cents, interest)
SELECT 'loans', each.day, '', status, 0, count(*), 0, 0
FROM loans CROSS JOIN LATERAL (VALUES ((created_at AT TIME ZONE 'UTC')::date), ('-infinity'::date)) AS each (day)
GROUP BY each.day, status;

-- An application ends before its disbursement: its borrower withdraws it, or the pool declines it.
ALTER TABLE loans
  DROP CONSTRAINT loans_status_check,
  ADD COLUMN closed_for text CHECK (closed_for <> ''),
  ADD COLUMN closed_by uuid REFERENCES users,
  ADD COLUMN closed_at timestamptz,
  ADD CONSTRAINT loans_status_check CHECK
    (status IN ('APPLIED', 'APPROVED', 'ACTIVE', 'DEFAULTED', 'WRITTEN_OFF', 'REPAID', 'WITHDRAWN', 'DECLINED')),
  ADD CONSTRAINT loans_closed CHECK
    (num_nonnulls(closed_for, closed_by, closed_at) = CASE WHEN status IN ('WITHDRAWN', 'DECLINED') THEN 3 ELSE 0 END);
COMMENT ON TABLE loans IS
  'Loans and their terms. APPLIED, APPROVED by two, ACTIVE from the disbursement, REPAID; or DEFAULTED, then REPAID or WRITTEN_OFF. An application that was closed is WITHDRAWN or DECLINED.';
COMMENT ON COLUMN loans.closed_for IS 'Why the application was withdrawn or declined.';
DROP INDEX loans_newest;
CREATE INDEX loans_by_age ON loans (created_at, id);
DROP INDEX loans_refinance_once;
CREATE UNIQUE INDEX loans_refinance_once ON loans (refinances_id)
  WHERE status NOT IN ('WITHDRAWN', 'DECLINED');

ALTER TABLE borrowers ADD COLUMN graded_at timestamptz;
COMMENT ON COLUMN borrowers.graded_at IS 'The moment of the newest grade. NULL for that of the record.';
COMMENT ON COLUMN borrowers.grade IS 'The grade of risk, A the best.';
