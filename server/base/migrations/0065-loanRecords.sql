-- Records of loans and borrowers: collateral, documents, updates, and every grade.
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
  CONSTRAINT loan_collateral_withdrawn CHECK (num_nonnulls(withdrawn_for, withdrawn_by, withdrawn_at) IN (0, 3))
);
COMMENT ON TABLE loan_collateral IS 'Collateral of loans. A wrong one is withdrawn, and stays.';
COMMENT ON COLUMN loan_collateral.value IS 'Cents that it was worth on the day of valued_on.';
CREATE INDEX loan_collateral_by_loan ON loan_collateral (loan_id);

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
  CONSTRAINT loan_documents_withdrawn CHECK (num_nonnulls(withdrawn_for, withdrawn_by, withdrawn_at) IN (0, 3))
);
COMMENT ON TABLE loan_documents IS
  'Documents of a borrower or a loan, by digest and link. A wrong one is withdrawn, and stays.';
COMMENT ON COLUMN loan_documents.sha256 IS 'The digest of the file. The file itself is elsewhere.';
CREATE INDEX loan_documents_by_loan ON loan_documents (loan_id) WHERE loan_id IS NOT NULL;
CREATE INDEX loan_documents_by_borrower ON loan_documents (borrower_id) WHERE borrower_id IS NOT NULL;

CREATE TABLE loan_updates (
  id         uuid PRIMARY KEY,
  loan_id    uuid NOT NULL REFERENCES loans,
  text       text NOT NULL CHECK (text <> '' AND length(text) <= 2000),
  written_by uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE loan_updates IS 'News of loans, as staff wrote them. None changes.';
CREATE INDEX loan_updates_by_loan ON loan_updates (loan_id, created_at);

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

ALTER TABLE borrowers ADD COLUMN graded_by uuid REFERENCES users;
COMMENT ON COLUMN borrowers.graded_by IS
  'Gave the newest grade. NULL for the person who made the record.';

-- Until now the signed entries alone had the grades before.
WITH told AS (
  SELECT b.id AS borrower_id, e.id, e.after ->> 'grade' AS grade, coalesce(e.after ->> 'gradeReason', e.reason) AS reason,
    e.actor_id AS graded_by, e.created_at AS graded_at,
    lag((e.after ->> 'grade', coalesce(e.after ->> 'gradeReason', e.reason))) OVER (PARTITION BY b.id ORDER BY e.id) AS before
  FROM borrowers AS b JOIN audit_entries AS e ON e.subject_type = 'borrower' AND e.subject_id = b.id::text
    AND e.action IN ('borrower.recorded', 'borrower.corrected')
    AND EXISTS (SELECT FROM users AS u WHERE u.id = e.actor_id)
)
INSERT INTO borrower_grades (borrower_id, number, grade, reason, graded_by, graded_at)
SELECT borrower_id, row_number() OVER (PARTITION BY borrower_id ORDER BY id), grade, reason, graded_by, graded_at
FROM told WHERE before IS NULL OR before IS DISTINCT FROM (grade, reason);
-- Entries of closed months may have left the database.
INSERT INTO borrower_grades (borrower_id, number, grade, reason, graded_by, graded_at)
SELECT id, 1, grade, grade_reason, recorded_by, coalesce(graded_at, created_at)
FROM borrowers AS b WHERE NOT EXISTS (SELECT FROM borrower_grades AS g WHERE g.borrower_id = b.id);
ALTER TABLE borrowers DISABLE TRIGGER USER;
UPDATE borrowers AS b SET graded_by = g.graded_by
FROM (SELECT DISTINCT ON (borrower_id) borrower_id, graded_by FROM borrower_grades ORDER BY borrower_id, number DESC) AS g
WHERE g.borrower_id = b.id AND g.graded_by <> b.recorded_by;
ALTER TABLE borrowers ENABLE TRIGGER USER;

-- The list of borrowers goes by name or by age.
CREATE INDEX borrowers_by_lower_name ON borrowers ((lower(name COLLATE "und-x-icu")), id);
CREATE INDEX borrowers_by_age ON borrowers (created_at, id);
