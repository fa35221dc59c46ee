-- The loan book: borrowers, loans with their instalments, disbursements, repayments and reversals.
-- Days are those of UTC. Amounts are cents.
ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check CHECK
    (kind IN ('available', 'held', 'invested', 'custody', 'operator', 'reserve', 'committed', 'claims', 'outgoing', 'loans', 'deployed')),
  DROP CONSTRAINT accounts_of_the_pool,
  ADD CONSTRAINT accounts_of_the_pool CHECK ((owner_id = '00000000-0000-0000-0000-000000000000')
    = (kind IN ('custody', 'operator', 'reserve', 'committed', 'claims', 'outgoing', 'loans', 'deployed'))),
  DROP CONSTRAINT accounts_guarded,
  ADD CONSTRAINT accounts_guarded CHECK
    ((balance IS NULL) = (kind IN ('custody', 'operator', 'claims', 'loans')));
COMMENT ON TABLE accounts IS
  'The accounts of the double-entry ledger: three of each investor, eight of the pool.';
INSERT INTO accounts (owner_id, kind, balance) VALUES
  ('00000000-0000-0000-0000-000000000000', 'loans', NULL),
  ('00000000-0000-0000-0000-000000000000', 'deployed', 0);

CREATE TABLE borrowers (
  id           uuid PRIMARY KEY,
  name         text NOT NULL CHECK (name <> ''),
  country      text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  kind         text NOT NULL CHECK (kind IN ('person', 'company')),
  relation     text NOT NULL CHECK (relation IN ('none', 'staff', 'operator', 'investor')),
  user_id      uuid REFERENCES users,
  grade        text NOT NULL CHECK (grade IN ('A', 'B', 'C', 'D', 'E')),
  grade_reason text NOT NULL CHECK (grade_reason <> ''),
  recorded_by  uuid NOT NULL REFERENCES users,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT borrowers_of_the_staff_are_named CHECK (relation <> 'staff' OR user_id IS NOT NULL)
);
COMMENT ON TABLE borrowers IS 'People and companies that the pool lends to.';
COMMENT ON COLUMN borrowers.relation IS 'The relation to the pool. Anything but none is a related party.';
COMMENT ON COLUMN borrowers.user_id IS 'Their own account. Its owner never decides about their loans.';
COMMENT ON COLUMN borrowers.grade IS 'The grade of risk, A the best. Given when they were recorded.';
CREATE INDEX borrowers_by_name ON borrowers (name, id);

CREATE TABLE loans (
  id                uuid PRIMARY KEY,
  borrower_id       uuid NOT NULL REFERENCES borrowers,
  purpose           text NOT NULL,
  principal         bigint NOT NULL CHECK (principal > 0),
  rate_basis_points integer NOT NULL CHECK (rate_basis_points BETWEEN 0 AND 10000),
  schedule          text NOT NULL CHECK (schedule IN ('annuity', 'equalPrincipal', 'interestOnly')),
  period            text NOT NULL CHECK (period IN ('weekly', 'halfMonthly', 'monthly', 'quarterly')),
  day_count         text NOT NULL CHECK (day_count IN ('act365', '30e360')),
  instalments       smallint NOT NULL CHECK (instalments BETWEEN 1 AND 600),
  due_day           smallint NOT NULL CHECK (due_day BETWEEN 1 AND 31),
  disburse_on       date NOT NULL,
  first_due_on      date NOT NULL CHECK (first_due_on > disburse_on),
  status            text NOT NULL DEFAULT 'APPLIED'
    CHECK (status IN ('APPLIED', 'APPROVED', 'ACTIVE', 'REPAID')),
  outstanding       bigint NOT NULL DEFAULT 0
    CONSTRAINT loans_outstanding_within CHECK (outstanding BETWEEN 0 AND principal),
  recorded_by       uuid NOT NULL REFERENCES users,
  created_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT loans_owe_while_active CHECK ((status = 'ACTIVE') = (outstanding > 0))
);
COMMENT ON TABLE loans IS
  'Loans and their terms. APPLIED, then APPROVED by two, ACTIVE from the disbursement, REPAID.';
COMMENT ON COLUMN loans.rate_basis_points IS 'The yearly rate.';
COMMENT ON COLUMN loans.due_day IS 'Day of the month of instalments. Short months have their last.';
COMMENT ON COLUMN loans.disburse_on IS 'The planned day. loan_disbursements has the real one.';
COMMENT ON COLUMN loans.outstanding IS 'Cents of the principal that are disbursed and not repaid.';
CREATE INDEX loans_newest ON loans ((status IN ('REPAID', 'WRITTEN_OFF')), created_at DESC, id DESC);
CREATE INDEX loans_by_borrower ON loans (borrower_id);

CREATE TABLE loan_disbursements (
  id           uuid PRIMARY KEY REFERENCES proposals,
  loan_id      uuid NOT NULL UNIQUE REFERENCES loans,
  principal    bigint NOT NULL CHECK (principal > 0),
  disbursed_on date NOT NULL,
  network_name text NOT NULL,
  evidence     text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT loan_disbursements_evidence_once UNIQUE (network_name, evidence)
);
COMMENT ON TABLE loan_disbursements IS 'Loans paid out, each by a proposal of two people.';
COMMENT ON COLUMN loan_disbursements.evidence IS 'The transaction that paid it out.';

CREATE TABLE loan_instalments (
  loan_id        uuid NOT NULL REFERENCES loans,
  number         smallint NOT NULL CHECK (number > 0),
  due_on         date NOT NULL,
  principal      bigint NOT NULL CHECK (principal >= 0),
  interest       bigint NOT NULL CHECK (interest >= 0),
  principal_paid bigint NOT NULL DEFAULT 0
    CONSTRAINT loan_instalments_principal_within CHECK (principal_paid BETWEEN 0 AND principal),
  interest_paid  bigint NOT NULL DEFAULT 0
    CONSTRAINT loan_instalments_interest_within CHECK (interest_paid BETWEEN 0 AND interest),
  PRIMARY KEY (loan_id, number)
);
COMMENT ON TABLE loan_instalments IS 'The schedule of each loan from its disbursement, and what is paid.';
CREATE INDEX loan_instalments_open ON loan_instalments (due_on)
  WHERE principal_paid < principal OR interest_paid < interest;

CREATE TABLE loan_repayments (
  id          uuid PRIMARY KEY,
  loan_id     uuid NOT NULL REFERENCES loans,
  principal   bigint NOT NULL CHECK (principal >= 0),
  interest    bigint NOT NULL CHECK (interest >= 0),
  value_on    date NOT NULL,
  reference   text NOT NULL CHECK (reference <> ''),
  recorded_by uuid NOT NULL REFERENCES users,
  reversed    boolean NOT NULL DEFAULT false,
  created_at  timestamptz NOT NULL DEFAULT now(),
  CHECK (principal + interest > 0)
);
COMMENT ON TABLE loan_repayments IS 'Repayments of borrowers, split by the oldest instalment.';
COMMENT ON COLUMN loan_repayments.value_on IS 'The day on which it arrived.';
COMMENT ON COLUMN loan_repayments.reversed IS 'True once a row of loan_reversals took it back.';
CREATE UNIQUE INDEX loan_repayments_reference_once ON loan_repayments (lower(reference))
  WHERE NOT reversed;
CREATE INDEX loan_repayments_by_loan ON loan_repayments (loan_id);

CREATE TABLE loan_repayment_parts (
  repayment_id uuid NOT NULL REFERENCES loan_repayments,
  number       smallint NOT NULL,
  principal    bigint NOT NULL CHECK (principal >= 0),
  interest     bigint NOT NULL CHECK (interest >= 0),
  PRIMARY KEY (repayment_id, number)
);
COMMENT ON TABLE loan_repayment_parts IS 'The part of each repayment that paid an instalment.';

CREATE TABLE loan_reversals (
  id           uuid PRIMARY KEY,
  repayment_id uuid NOT NULL UNIQUE REFERENCES loan_repayments,
  principal    bigint NOT NULL CHECK (principal >= 0),
  interest     bigint NOT NULL CHECK (interest >= 0),
  reason       text NOT NULL CHECK (reason <> ''),
  reversed_by  uuid NOT NULL REFERENCES users,
  created_at   timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE loan_reversals IS 'Repayments taken back, each once.';
