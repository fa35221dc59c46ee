-- Tables of this district (server/lending/README.md).

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
  graded_at    timestamptz,
  graded_by    uuid REFERENCES users,
  CONSTRAINT borrowers_of_the_staff_are_named CHECK (relation <> 'staff' OR (user_id IS NOT NULL))
);
COMMENT ON TABLE borrowers IS 'People and companies that the pool lends to.';
COMMENT ON COLUMN borrowers.relation IS 'The relation to the pool. Anything but none is a related party.';
COMMENT ON COLUMN borrowers.user_id IS 'Their own account. Its owner never decides about their loans.';
COMMENT ON COLUMN borrowers.grade IS 'The grade of risk, A the best.';
COMMENT ON COLUMN borrowers.graded_at IS 'The moment of the newest grade. NULL for that of the record.';
COMMENT ON COLUMN borrowers.graded_by IS 'Gave the newest grade. NULL for the person who made the record.';
CREATE INDEX borrowers_by_age ON borrowers (created_at, id);
CREATE INDEX borrowers_by_lower_name ON borrowers (lower((name COLLATE "und-x-icu")), id);
CREATE INDEX borrowers_by_name ON borrowers (name, id);

CREATE TABLE borrower_grades (
  borrower_id uuid NOT NULL REFERENCES borrowers,
  number      smallint NOT NULL CHECK (number > 0),
  grade       text NOT NULL CHECK (grade IN ('A', 'B', 'C', 'D', 'E')),
  reason      text NOT NULL CHECK (reason <> ''),
  graded_by   uuid NOT NULL REFERENCES users,
  graded_at   timestamptz NOT NULL,
  PRIMARY KEY (borrower_id, number)
);
COMMENT ON TABLE borrower_grades IS
  'Each grade of a borrower, the newest with the highest number. A trigger of borrowers writes them.';

CREATE TABLE loans (
  id                uuid PRIMARY KEY,
  borrower_id       uuid NOT NULL REFERENCES borrowers,
  purpose           text NOT NULL,
  principal         bigint NOT NULL CHECK (principal > 0),
  rate_basis_points integer NOT NULL CHECK (rate_basis_points >= 0 AND rate_basis_points <= 10000),
  schedule          text NOT NULL CHECK (schedule IN ('annuity', 'equalPrincipal', 'interestOnly')),
  period            text NOT NULL CHECK (period IN ('weekly', 'halfMonthly', 'monthly', 'quarterly')),
  day_count         text NOT NULL CHECK (day_count IN ('act365', '30e360')),
  instalments       smallint NOT NULL CHECK (instalments >= 1 AND instalments <= 600),
  due_day           smallint NOT NULL CHECK (due_day >= 1 AND due_day <= 31),
  disburse_on       date NOT NULL,
  first_due_on      date NOT NULL,
  status            text NOT NULL DEFAULT 'APPLIED' CHECK (status IN ('APPLIED', 'APPROVED', 'SENDING',
                    'ACTIVE', 'DEFAULTED', 'WRITTEN_OFF', 'REPAID', 'WITHDRAWN', 'DECLINED')),
  outstanding       bigint NOT NULL DEFAULT 0,
  recorded_by       uuid NOT NULL REFERENCES users,
  created_at        timestamptz NOT NULL DEFAULT now(),
  written_off       bigint NOT NULL DEFAULT 0,
  recovered         bigint NOT NULL DEFAULT 0,
  refinances_id     uuid REFERENCES loans,
  closed_for        text CHECK (closed_for <> ''),
  closed_by         uuid REFERENCES users,
  closed_at         timestamptz,
  from_investors    bigint NOT NULL DEFAULT 0,
  taken_over_on     date,
  CONSTRAINT loans_taken_over CHECK (taken_over_on >= disburse_on),
  CONSTRAINT loans_check CHECK (first_due_on > disburse_on),
  CONSTRAINT loans_check1 CHECK (written_off >= 0 AND written_off <= principal),
  CONSTRAINT loans_closed CHECK (num_nonnulls(closed_for, closed_by, closed_at) =
CASE
   
    WHEN (status IN ('WITHDRAWN', 'DECLINED')) THEN 3
    ELSE 0
END),
  CONSTRAINT loans_from_investors_within CHECK (from_investors >= 0 AND from_investors <= principal),
  CONSTRAINT loans_outstanding_within CHECK (outstanding >= 0 AND outstanding <= principal),
  CONSTRAINT loans_owe_while_active CHECK ((status IN ('ACTIVE', 'DEFAULTED')) = (outstanding > 0)),
  CONSTRAINT loans_recovered_within CHECK (recovered >= 0 AND recovered <= written_off),
  CONSTRAINT loans_written_off CHECK ((status = 'WRITTEN_OFF') = (written_off > 0))
);
COMMENT ON TABLE loans IS
  'Loans and their terms. APPLIED, APPROVED by two, ACTIVE from the disbursement, REPAID; or DEFAULTED, '
  'then REPAID or WRITTEN_OFF. An application that was closed is WITHDRAWN or DECLINED.';
COMMENT ON COLUMN loans.rate_basis_points IS 'The yearly rate.';
COMMENT ON COLUMN loans.due_day IS 'Day of the month of instalments. Short months have their last.';
COMMENT ON COLUMN loans.disburse_on IS 'The planned day. loan_disbursements has the real one.';
COMMENT ON COLUMN loans.outstanding IS
  'Cents of the principal that are disbursed, not repaid and not written off.';
COMMENT ON COLUMN loans.written_off IS 'Cents of the principal that two super admins gave up.';
COMMENT ON COLUMN loans.recovered IS 'Cents that came back of what was written off.';
COMMENT ON COLUMN loans.refinances_id IS 'The loan of the same borrower that this one replaces.';
COMMENT ON COLUMN loans.closed_for IS 'Why the application was withdrawn or declined.';
COMMENT ON COLUMN loans.taken_over_on IS
  'The day on which the pool took over a loan that ran already. NULL for its own loans.';
COMMENT ON COLUMN loans.from_investors IS
  'Cents of the principal that are lent out of what investors put in. The rest is the capital of the '
  'operator.';
CREATE INDEX loans_by_age ON loans (created_at, id);
CREATE INDEX loans_by_borrower ON loans (borrower_id);
CREATE INDEX loans_of_investors ON loans (id) WHERE (from_investors > 0) AND (outstanding > 0);
CREATE INDEX loans_owing ON loans (id) WHERE status IN ('ACTIVE', 'DEFAULTED');
CREATE UNIQUE INDEX loans_refinance_once ON loans (refinances_id) WHERE status <> ALL (ARRAY['WITHDRAWN',
  'DECLINED']);

CREATE TABLE repayment_files (
  proposal_id uuid PRIMARY KEY,
  csv         text NOT NULL,
  posted_at   timestamptz
);
COMMENT ON TABLE repayment_files IS
  'Files of repayments that take two people, as they were sent. Their SHA-256 is in the proposal.';
COMMENT ON COLUMN repayment_files.posted_at IS 'The moment since which each of its lines is recorded.';

CREATE TABLE pool_figures (
  single  boolean DEFAULT true PRIMARY KEY CHECK (single),
  at      timestamptz NOT NULL,
  took_ms integer NOT NULL CHECK (took_ms >= 0),
  mark    text NOT NULL,
  form    integer NOT NULL,
  figures jsonb NOT NULL,
  mac     text NOT NULL
);
COMMENT ON TABLE pool_figures IS 'The newest figures that everybody reads, in one row.';
COMMENT ON COLUMN pool_figures.at IS 'The moment of the snapshot that they were counted in.';
COMMENT ON COLUMN pool_figures.took_ms IS 'The count rests for twenty times as long.';
COMMENT ON COLUMN pool_figures.mark IS
  'It changes with what is counted, so that a count without news is left out.';
COMMENT ON COLUMN pool_figures.form IS
  'The form of the figures. A release that reads another one counts again.';
COMMENT ON COLUMN pool_figures.mac IS 'Signature of moment, form and figures by a key of the product.';

CREATE TABLE pool_tapes (
  day       date PRIMARY KEY,
  loans     integer NOT NULL CHECK (loans >= 0),
  size      bigint NOT NULL CHECK (size > 0),
  digest    text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  file      bytea NOT NULL,
  at        timestamptz NOT NULL DEFAULT now(),
  key_id    text REFERENCES signing_keys,
  signature text CHECK (signature ~ '^[A-Za-z0-9_-]{86}$'),
  CONSTRAINT pool_tapes_signed_by_a_key CHECK ((key_id IS NULL) = (signature IS NULL))
);
COMMENT ON TABLE pool_tapes IS 'The file of all loans of each day. None is changed or deleted.';
COMMENT ON COLUMN pool_tapes.day IS 'In UTC.';
COMMENT ON COLUMN pool_tapes.digest IS 'SHA-256 of the file, in hex.';
COMMENT ON COLUMN pool_tapes.file IS 'The CSV, by gzip.';
COMMENT ON COLUMN pool_tapes.signature IS
  'Ed25519 of name and digest, 64 bytes in base64url. NULL before files were signed.';

CREATE TABLE wind_downs (
  id               uuid PRIMARY KEY,
  last_maturity_at timestamptz NOT NULL,
  mailed_at        timestamptz,
  called_off_id    uuid UNIQUE,
  called_off_at    timestamptz,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT wind_downs_end_by_proposal CHECK ((called_off_id IS NULL) = (called_off_at IS NULL)),
  CONSTRAINT wind_downs_end_later CHECK (last_maturity_at >= created_at)
);
COMMENT ON TABLE wind_downs IS
  'The pool winds down since this row, by a proposal of two super admins, until two call it off.';
COMMENT ON COLUMN wind_downs.last_maturity_at IS
  'The moment at which the last investment matures, as no new one is opened.';
COMMENT ON COLUMN wind_downs.mailed_at IS 'The moment at which all mails of it were queued.';
COMMENT ON COLUMN wind_downs.called_off_id IS 'The proposal of two super admins that called it off.';
CREATE UNIQUE INDEX wind_downs_are_one ON wind_downs ((true)) WHERE called_off_at IS NULL;

CREATE TABLE capital_withdrawals (
  id           uuid PRIMARY KEY,
  amount       bigint NOT NULL CHECK (amount > 0),
  network_name text NOT NULL,
  address      text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE capital_withdrawals IS
  'What the operator took out of the reserve of a pool that winds down, each by a proposal of two super '
  'admins.';
COMMENT ON COLUMN capital_withdrawals.amount IS 'Cents that left the reserve.';
COMMENT ON COLUMN capital_withdrawals.address IS
  'The own address from which the operator takes the coins.';

CREATE TABLE loan_collateral (
  id            uuid PRIMARY KEY,
  loan_id       uuid NOT NULL REFERENCES loans,
  description   text NOT NULL CHECK (description <> ''),
  value         bigint NOT NULL CHECK (value > 0),
  valued_on     date NOT NULL,
  recorded_by   uuid NOT NULL REFERENCES users,
  created_at    timestamptz NOT NULL DEFAULT now(),
  withdrawn_for text CHECK (withdrawn_for <> ''),
  withdrawn_by  uuid REFERENCES users,
  withdrawn_at  timestamptz,
  CONSTRAINT loan_collateral_withdrawn CHECK (num_nonnulls(withdrawn_for, withdrawn_by, withdrawn_at) IN (0,
    3))
);
COMMENT ON TABLE loan_collateral IS 'Collateral of loans. A wrong one is withdrawn, and stays.';
COMMENT ON COLUMN loan_collateral.value IS 'Cents that it was worth on the day of valued_on.';
CREATE INDEX loan_collateral_by_loan ON loan_collateral (loan_id);

CREATE TABLE loan_defaults (
  id            uuid PRIMARY KEY,
  loan_id       uuid NOT NULL REFERENCES loans UNIQUE,
  defaulted_on  date NOT NULL,
  reason        text NOT NULL CHECK (reason IN ('daysPastDue', 'unlikelyToPay')),
  days_past_due integer NOT NULL CHECK (days_past_due >= 0),
  principal     bigint NOT NULL CHECK (principal > 0),
  interest      bigint NOT NULL CHECK (interest >= 0),
  created_at    timestamptz NOT NULL DEFAULT now(),
  stopped_number   smallint,
  stopped_interest bigint CHECK (stopped_interest >= 0),
  CONSTRAINT loan_defaults_stopped CHECK ((stopped_number IS NULL) = (stopped_interest IS NULL))
);
COMMENT ON TABLE loan_defaults IS
  'Defaults, by days past due or by a proposal of two people, whose id it has. They stay.';
COMMENT ON COLUMN loan_defaults.defaulted_on IS
  'The day that made it so: the 91st past due, however late it was counted, or that of the second person.';
COMMENT ON COLUMN loan_defaults.interest IS
  'Cents that were owed by that day and not paid. With the principal they are the exposure.';
COMMENT ON COLUMN loan_defaults.stopped_number IS
  'The first line due after that day. NULL where all were due. It owes interest up to that day alone.';
COMMENT ON COLUMN loan_defaults.stopped_interest IS
  'Cents of that interest, the paid ones too. Later lines owe none.';

CREATE TABLE loan_disbursements (
  id           uuid PRIMARY KEY,
  loan_id      uuid NOT NULL REFERENCES loans UNIQUE,
  principal    bigint NOT NULL CHECK (principal > 0),
  disbursed_on date NOT NULL,
  network_name text NOT NULL,
  evidence     text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  capital      bigint NOT NULL,
  output       integer,
  sent         boolean NOT NULL DEFAULT false,
  CONSTRAINT loan_disbursements_check CHECK (capital >= 0 AND capital <= principal),
  CONSTRAINT loan_disbursements_evidence_once UNIQUE NULLS NOT DISTINCT (network_name, evidence, output)
);
COMMENT ON TABLE loan_disbursements IS 'Loans paid out, each by a proposal of two people.';
COMMENT ON COLUMN loan_disbursements.evidence IS 'The transaction that paid it out.';
COMMENT ON COLUMN loan_disbursements.capital IS 'The part of the principal that left the reserve.';
COMMENT ON COLUMN loan_disbursements.output IS
  'The output that paid it, as payments.output counts. NULL where it was by hand, or by the own coin of '
  'an EVM network.';
COMMENT ON COLUMN loan_disbursements.sent IS 'True where a batch paid what was reserved in loan_sendings.';

CREATE TABLE loan_documents (
  id            uuid PRIMARY KEY,
  borrower_id   uuid REFERENCES borrowers,
  loan_id       uuid REFERENCES loans,
  title         text NOT NULL CHECK (title <> ''),
  sha256        text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  link          text NOT NULL CHECK (link ~ '^https://'),
  recorded_by   uuid NOT NULL REFERENCES users,
  created_at    timestamptz NOT NULL DEFAULT now(),
  withdrawn_for text CHECK (withdrawn_for <> ''),
  withdrawn_by  uuid REFERENCES users,
  withdrawn_at  timestamptz,
  CONSTRAINT loan_documents_of_one CHECK (num_nonnulls(borrower_id, loan_id) = 1),
  CONSTRAINT loan_documents_withdrawn CHECK (num_nonnulls(withdrawn_for, withdrawn_by, withdrawn_at) IN (0,
    3))
);
COMMENT ON TABLE loan_documents IS
  'Documents of a borrower or a loan, by digest and link. A wrong one is withdrawn, and stays.';
COMMENT ON COLUMN loan_documents.sha256 IS 'The digest of the file. The file itself is elsewhere.';
CREATE INDEX loan_documents_by_borrower ON loan_documents (borrower_id) WHERE borrower_id IS NOT NULL;
CREATE INDEX loan_documents_by_loan ON loan_documents (loan_id) WHERE loan_id IS NOT NULL;

CREATE TABLE loan_instalments (
  loan_id        uuid NOT NULL REFERENCES loans,
  number         smallint NOT NULL CHECK (number > 0),
  due_on         date NOT NULL,
  principal      bigint NOT NULL CHECK (principal >= 0),
  interest       bigint NOT NULL CHECK (interest >= 0),
  principal_paid bigint NOT NULL DEFAULT 0,
  interest_paid  bigint NOT NULL DEFAULT 0,
  replaced       boolean NOT NULL DEFAULT false,
  CONSTRAINT loan_instalments_interest_within CHECK (interest_paid >= 0 AND interest_paid <= interest),
  CONSTRAINT loan_instalments_principal_within CHECK (principal_paid >= 0 AND principal_paid <= principal),
  PRIMARY KEY (loan_id, number)
);
COMMENT ON TABLE loan_instalments IS
  'The schedules of each loan from its disbursement, and what is paid. New lines go on counting.';
COMMENT ON COLUMN loan_instalments.replaced IS
  'True for a line that a restructuring ended. What is unpaid of it is owed by the new lines.';
CREATE INDEX loan_instalments_open ON loan_instalments (due_on, loan_id) WHERE ((principal_paid < principal)
  OR (interest_paid < interest)) AND (NOT replaced);

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
  recovered   bigint NOT NULL DEFAULT 0 CHECK (recovered >= 0),
  capital     bigint NOT NULL,
  kept        bigint NOT NULL,
  agreed_id   uuid,
  CONSTRAINT loan_repayments_check CHECK (((principal + interest) + recovered) > 0),
  CONSTRAINT loan_repayments_check1 CHECK (capital >= 0 AND capital <= principal),
  CONSTRAINT loan_repayments_check2 CHECK (kept >= 0 AND kept <= recovered),
  CONSTRAINT loan_repayments_recover_alone CHECK (recovered = 0 OR ((principal + interest) = 0))
);
COMMENT ON TABLE loan_repayments IS 'Repayments of borrowers, split by the oldest instalment.';
COMMENT ON COLUMN loan_repayments.value_on IS 'The day on which it arrived.';
COMMENT ON COLUMN loan_repayments.reversed IS 'True once a row of loan_reversals took it back.';
COMMENT ON COLUMN loan_repayments.recovered IS 'Cents that came after the loan was written off.';
COMMENT ON COLUMN loan_repayments.capital IS 'The part of the principal that went back into the reserve.';
COMMENT ON COLUMN loan_repayments.kept IS
  'The part of what was recovered that went to the reserve. The rest went to those who had borne the '
  'loss.';
COMMENT ON COLUMN loan_repayments.agreed_id IS
  'The proposal of two people that it rests on. NULL where one person recorded it, and of recoveries.';
CREATE INDEX loan_repayments_alone ON loan_repayments (created_at) WHERE agreed_id IS NULL;
CREATE INDEX loan_repayments_by_loan ON loan_repayments (loan_id);
CREATE INDEX loan_repayments_by_transaction ON loan_repayments (regexp_replace(lower(reference), '^0x|:.*$', '', 'g'))
  WHERE NOT reversed;
CREATE UNIQUE INDEX loan_repayments_reference_once ON loan_repayments (lower(reference)) WHERE NOT reversed;

CREATE TABLE loan_repayment_parts (
  repayment_id uuid NOT NULL REFERENCES loan_repayments,
  number       smallint NOT NULL,
  principal    bigint NOT NULL CHECK (principal >= 0),
  interest     bigint NOT NULL CHECK (interest >= 0),
  PRIMARY KEY (repayment_id, number)
);
COMMENT ON TABLE loan_repayment_parts IS 'The part of each repayment that paid an instalment.';

CREATE TABLE loan_restructurings (
  id                uuid PRIMARY KEY,
  loan_id           uuid NOT NULL REFERENCES loans,
  starts_on         date NOT NULL,
  starts_as         smallint CHECK (starts_as >= 1 AND starts_as <= 31),
  first_number      smallint NOT NULL CHECK (first_number > 1),
  principal         bigint NOT NULL CHECK (principal > 0),
  interest          bigint NOT NULL CHECK (interest >= 0),
  distressed        boolean NOT NULL,
  rate_basis_points integer NOT NULL CHECK (rate_basis_points >= 0 AND rate_basis_points <= 10000),
  schedule          text NOT NULL CHECK (schedule IN ('annuity', 'equalPrincipal', 'interestOnly')),
  period            text NOT NULL CHECK (period IN ('weekly', 'halfMonthly', 'monthly', 'quarterly')),
  day_count         text NOT NULL CHECK (day_count IN ('act365', '30e360')),
  instalments       smallint NOT NULL CHECK (instalments >= 1 AND instalments <= 600),
  due_day           smallint NOT NULL CHECK (due_day >= 1 AND due_day <= 31),
  first_due_on      date NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT loan_restructurings_check CHECK (first_due_on > starts_on)
);
COMMENT ON TABLE loan_restructurings IS 'New terms of loans, each by a proposal of two people.';
COMMENT ON COLUMN loan_restructurings.starts_as IS
  'Day of the month that the first day stands for, as a due day before. NULL where it stands for itself.';
COMMENT ON COLUMN loan_restructurings.first_number IS 'Its lines count from here.';
COMMENT ON COLUMN loan_restructurings.interest IS
  'Cents of interest up to that day that were not paid. Its first line owes them.';
CREATE INDEX loan_restructurings_by_loan ON loan_restructurings (loan_id, first_number DESC);

CREATE TABLE loan_reversals (
  id           uuid PRIMARY KEY,
  repayment_id uuid NOT NULL REFERENCES loan_repayments UNIQUE,
  principal    bigint NOT NULL CHECK (principal >= 0),
  interest     bigint NOT NULL CHECK (interest >= 0),
  reason       text NOT NULL CHECK (reason <> ''),
  reversed_by  uuid NOT NULL REFERENCES users,
  created_at   timestamptz NOT NULL DEFAULT now(),
  recovered    bigint NOT NULL DEFAULT 0 CHECK (recovered >= 0),
  capital      bigint NOT NULL,
  agreed_id    uuid,
  CONSTRAINT loan_reversals_check CHECK (capital >= 0 AND capital <= principal)
);
COMMENT ON TABLE loan_reversals IS 'Repayments taken back, each once.';
COMMENT ON COLUMN loan_reversals.capital IS
  'The part of the principal that left the reserve again. Repayments in between may make it a cent more '
  'or less than the repayment had.';
COMMENT ON COLUMN loan_reversals.agreed_id IS
  'The proposal of two people that it rests on. NULL where one person reversed it.';
CREATE INDEX loan_reversals_alone ON loan_reversals (created_at) WHERE agreed_id IS NULL;

CREATE TABLE loan_sendings (
  id           uuid PRIMARY KEY,
  proposal_id  uuid NOT NULL UNIQUE,
  loan_id      uuid NOT NULL REFERENCES loans,
  principal    bigint NOT NULL CHECK (principal > 0),
  capital      bigint NOT NULL,
  network_name text NOT NULL,
  address      text NOT NULL CHECK (address <> ''),
  status       text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'PAID', 'RELEASED')),
  release_id   uuid,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT loan_sendings_check CHECK (capital >= 0 AND capital <= principal),
  CONSTRAINT loan_sendings_released_by_two CHECK ((status = 'RELEASED') = (release_id IS NOT NULL))
);
COMMENT ON TABLE loan_sendings IS
  'Loans that are reserved for a batch, each by a proposal of two people. OPEN, PAID once the chain '
  'shows the coins, or RELEASED to the reserve.';
COMMENT ON COLUMN loan_sendings.capital IS 'The part of the principal that left the reserve.';
COMMENT ON COLUMN loan_sendings.address IS 'The address of the borrower that both people saw.';
CREATE UNIQUE INDEX loan_sendings_open_once ON loan_sendings (loan_id) WHERE status = 'OPEN';

CREATE TABLE loan_confirmations (
  sending_id     uuid PRIMARY KEY REFERENCES loan_sendings,
  transaction_id text NOT NULL CHECK (transaction_id <> ''),
  output         integer,
  basis          text NOT NULL CHECK (basis <> ''),
  mined_at       timestamptz,
  mac            text NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE loan_confirmations IS
  'Reserved loans whose coins a deep block has. The job of loans begins each. None changes.';
COMMENT ON COLUMN loan_confirmations.output IS 'NULL for the own coin of an EVM network.';
COMMENT ON COLUMN loan_confirmations.basis IS 'The facts of the chain, in words.';
COMMENT ON COLUMN loan_confirmations.mined_at IS 'The time of the block. NULL where the network tells none.';
COMMENT ON COLUMN loan_confirmations.mac IS
  'MAC of the row, by a key that the database never holds: a node was asked.';

CREATE TABLE loan_updates (
  id         uuid PRIMARY KEY,
  loan_id    uuid NOT NULL REFERENCES loans,
  text       text NOT NULL CHECK (text <> '' AND length(text) <= 2000),
  written_by uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE loan_updates IS 'News of loans, as staff wrote them. None changes.';
CREATE INDEX loan_updates_by_loan ON loan_updates (loan_id, created_at);

CREATE TABLE loan_write_offs (
  id         uuid PRIMARY KEY,
  loan_id    uuid NOT NULL REFERENCES loans UNIQUE,
  principal  bigint NOT NULL CHECK (principal > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  capital    bigint NOT NULL CHECK (capital >= 0),
  covered    bigint NOT NULL DEFAULT 0 CHECK (covered >= 0),
  lost       bigint NOT NULL DEFAULT 0 CHECK (lost >= 0),
  CONSTRAINT loan_write_offs_are_borne CHECK (((capital + covered) + lost) = principal)
);
COMMENT ON TABLE loan_write_offs IS 'Loans that two super admins gave up.';
COMMENT ON COLUMN loan_write_offs.capital IS 'The part that the operator had lent.';
COMMENT ON COLUMN loan_write_offs.covered IS 'The part of investors'' principal that the free reserve bore.';
COMMENT ON COLUMN loan_write_offs.lost IS
  'The rest of investors'' principal: a loss that is open until loss_covers bear it.';

CREATE TABLE loss_announcements (
  id         uuid PRIMARY KEY,
  loss_id    uuid NOT NULL REFERENCES loan_write_offs,
  amount     bigint NOT NULL CHECK (amount > 0),
  counts_at  timestamptz NOT NULL,
  mailed_at  timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT loss_announcements_come_before CHECK (counts_at >= created_at)
);
COMMENT ON TABLE loss_announcements IS
  'Open losses that all investments are to share, each by a proposal of two super admins. The '
  'operator''s capital can bear such a loss instead until it counts.';
COMMENT ON COLUMN loss_announcements.loss_id IS
  'A write-off of the open loss. With the amount it names the loss.';
COMMENT ON COLUMN loss_announcements.counts_at IS 'The moment from which it is booked.';
COMMENT ON COLUMN loss_announcements.mailed_at IS 'The moment at which all mails of it were queued.';

CREATE TABLE loss_covers (
  id         uuid PRIMARY KEY,
  amount     bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE loss_covers IS 'Open losses that the operator bore, each by a proposal of two super admins.';

CREATE TABLE loss_sharings (
  id         uuid PRIMARY KEY REFERENCES loss_announcements,
  amount     bigint NOT NULL CHECK (amount > 0),
  invested   bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT loss_sharings_are_borne CHECK (invested >= amount)
);
COMMENT ON TABLE loss_sharings IS
  'Open losses that all investments shared. The trigger loss_sharings_are_shared writes the parts.';
COMMENT ON COLUMN loss_sharings.invested IS
  'The principal of all active investments, which bore the same share.';

CREATE TABLE losses_borne (
  write_off_id uuid PRIMARY KEY REFERENCES loan_write_offs,
  cover_id     uuid REFERENCES loss_covers,
  sharing_id   uuid REFERENCES loss_sharings,
  CONSTRAINT losses_borne_by_one CHECK (num_nonnulls(cover_id, sharing_id) = 1)
);
COMMENT ON TABLE losses_borne IS
  'The cover or the sharing that ended the loss of each write-off. A trigger writes it.';
CREATE INDEX losses_borne_by_sharing ON losses_borne (sharing_id) WHERE sharing_id IS NOT NULL;
