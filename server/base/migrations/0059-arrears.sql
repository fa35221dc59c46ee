-- The second half of the loan book: arrears, default, write-off, recovery, new terms.
ALTER TABLE loans
  DROP CONSTRAINT loans_status_check,
  DROP CONSTRAINT loans_owe_while_active,
  ADD COLUMN written_off bigint NOT NULL DEFAULT 0 CHECK (written_off BETWEEN 0 AND principal),
  ADD COLUMN recovered bigint NOT NULL DEFAULT 0,
  ADD COLUMN refinances_id uuid REFERENCES loans,
  ADD CONSTRAINT loans_status_check
    CHECK (status IN ('APPLIED', 'APPROVED', 'ACTIVE', 'DEFAULTED', 'WRITTEN_OFF', 'REPAID')),
  ADD CONSTRAINT loans_owe_while_active
    CHECK ((status IN ('ACTIVE', 'DEFAULTED')) = (outstanding > 0)),
  ADD CONSTRAINT loans_written_off CHECK ((status = 'WRITTEN_OFF') = (written_off > 0)),
  ADD CONSTRAINT loans_recovered_within CHECK (recovered BETWEEN 0 AND written_off);
COMMENT ON TABLE loans IS
  'Loans and their terms. APPLIED, APPROVED by two, ACTIVE from the disbursement, REPAID; or DEFAULTED, then REPAID or WRITTEN_OFF.';
COMMENT ON COLUMN loans.outstanding IS
  'Cents of the principal that are disbursed, not repaid and not written off.';
COMMENT ON COLUMN loans.written_off IS 'Cents of the principal that two super admins gave up.';
COMMENT ON COLUMN loans.recovered IS 'Cents that came back of what was written off.';
COMMENT ON COLUMN loans.refinances_id IS 'The loan of the same borrower that this one replaces.';
CREATE UNIQUE INDEX loans_refinance_once ON loans (refinances_id);
CREATE INDEX loans_owing ON loans (id) WHERE status IN ('ACTIVE', 'DEFAULTED');

ALTER TABLE loan_instalments ADD COLUMN replaced boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN loan_instalments.replaced IS
  'True for a line that a restructuring ended. What is unpaid of it is owed by the new lines.';
COMMENT ON TABLE loan_instalments IS
  'The schedules of each loan from its disbursement, and what is paid. New lines go on counting.';
DROP INDEX loan_instalments_open;
CREATE INDEX loan_instalments_open ON loan_instalments (due_on, loan_id)
  WHERE (principal_paid < principal OR interest_paid < interest) AND NOT replaced;

ALTER TABLE loan_repayments
  ADD COLUMN recovered bigint NOT NULL DEFAULT 0 CHECK (recovered >= 0),
  DROP CONSTRAINT loan_repayments_check,
  ADD CONSTRAINT loan_repayments_check CHECK (principal + interest + recovered > 0),
  ADD CONSTRAINT loan_repayments_recover_alone CHECK (recovered = 0 OR principal + interest = 0);
COMMENT ON COLUMN loan_repayments.recovered IS 'Cents that came after the loan was written off.';
ALTER TABLE loan_reversals
  ADD COLUMN recovered bigint NOT NULL DEFAULT 0 CHECK (recovered >= 0);

CREATE TABLE loan_moves (
  loan_id       uuid NOT NULL REFERENCES loans,
  number        integer NOT NULL CHECK (number > 0),
  bucket        text NOT NULL CHECK (bucket IN ('current', 'late1', 'late31', 'late61', 'late91')),
  moved_on      date NOT NULL,
  days_past_due integer NOT NULL CHECK (days_past_due >= 0),
  outstanding   bigint NOT NULL CHECK (outstanding >= 0),
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (loan_id, number)
);
COMMENT ON TABLE loan_moves IS
  'Moves of loans between buckets of days past due. A loan without one is current.';
COMMENT ON COLUMN loan_moves.moved_on IS
  'The day by due dates and value dates. created_at tells when the product knew.';

CREATE TABLE loan_defaults (
  id            uuid PRIMARY KEY,
  loan_id       uuid NOT NULL UNIQUE REFERENCES loans,
  defaulted_on  date NOT NULL,
  reason        text NOT NULL CHECK (reason IN ('daysPastDue', 'unlikelyToPay')),
  days_past_due integer NOT NULL CHECK (days_past_due >= 0),
  principal     bigint NOT NULL CHECK (principal > 0),
  interest      bigint NOT NULL CHECK (interest >= 0),
  created_at    timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE loan_defaults IS
  'Defaults, by days past due or by a proposal of two people, whose id it has. They stay.';
COMMENT ON COLUMN loan_defaults.interest IS
  'Cents that were due and not paid. With the principal they are the exposure.';

CREATE TABLE loan_write_offs (
  id         uuid PRIMARY KEY REFERENCES proposals,
  loan_id    uuid NOT NULL UNIQUE REFERENCES loans,
  principal  bigint NOT NULL CHECK (principal > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE loan_write_offs IS 'Loans that two super admins gave up.';

CREATE TABLE loan_restructurings (
  id                uuid PRIMARY KEY REFERENCES proposals,
  loan_id           uuid NOT NULL REFERENCES loans,
  starts_on         date NOT NULL,
  first_number      smallint NOT NULL CHECK (first_number > 1),
  principal         bigint NOT NULL CHECK (principal > 0),
  interest          bigint NOT NULL CHECK (interest >= 0),
  distressed        boolean NOT NULL,
  rate_basis_points integer NOT NULL CHECK (rate_basis_points BETWEEN 0 AND 10000),
  schedule          text NOT NULL CHECK (schedule IN ('annuity', 'equalPrincipal', 'interestOnly')),
  period            text NOT NULL CHECK (period IN ('weekly', 'halfMonthly', 'monthly', 'quarterly')),
  day_count         text NOT NULL CHECK (day_count IN ('act365', '30e360')),
  instalments       smallint NOT NULL CHECK (instalments BETWEEN 1 AND 600),
  due_day           smallint NOT NULL CHECK (due_day BETWEEN 1 AND 31),
  first_due_on      date NOT NULL CHECK (first_due_on > starts_on),
  created_at        timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE loan_restructurings IS 'New terms of loans, each by a proposal of two people.';
COMMENT ON COLUMN loan_restructurings.first_number IS 'Its lines count from here.';
COMMENT ON COLUMN loan_restructurings.interest IS
  'Cents of interest up to that day that were not paid. Its first line owes them.';
CREATE INDEX loan_restructurings_by_loan ON loan_restructurings (loan_id, first_number DESC);
