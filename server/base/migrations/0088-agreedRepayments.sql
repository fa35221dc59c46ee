-- Two people agree on repayments, reversals and completions above the limits of one person alone
-- (docs/decisions/083).
ALTER TABLE loan_repayments ADD COLUMN agreed_id uuid REFERENCES proposals;
COMMENT ON COLUMN loan_repayments.agreed_id IS
  'The proposal of two people that it rests on. NULL where one person recorded it, and of recoveries.';
ALTER TABLE loan_reversals ADD COLUMN agreed_id uuid REFERENCES proposals;
COMMENT ON COLUMN loan_reversals.agreed_id IS
  'The proposal of two people that it rests on. NULL where one person reversed it.';

-- The use of the approval limits is read from one day.
CREATE INDEX loan_repayments_alone ON loan_repayments (created_at) WHERE agreed_id IS NULL;
CREATE INDEX loan_reversals_alone ON loan_reversals (created_at) WHERE agreed_id IS NULL;
CREATE INDEX transactions_completed_alone ON transactions (completed_at) WHERE completed_by IS NOT NULL;

CREATE TABLE repayment_files (
  proposal_id uuid PRIMARY KEY REFERENCES proposals,
  csv         text NOT NULL,
  posted_at   timestamptz
);
COMMENT ON TABLE repayment_files IS
  'Files of repayments that take two people, as they were sent. Their SHA-256 is in the proposal.';
COMMENT ON COLUMN repayment_files.posted_at IS 'The moment since which each of its lines is recorded.';
