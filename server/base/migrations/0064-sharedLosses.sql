-- A loss of investors' principal that all of them share (docs/decisions/064). Amounts are cents.
ALTER TABLE transactions
  DROP CONSTRAINT transactions_type_check,
  ADD CONSTRAINT transactions_type_check CHECK
    (type IN ('deposit', 'withdrawal', 'investment', 'payout', 'reversal', 'loss', 'recovery')),
  ADD COLUMN borne bigint NOT NULL DEFAULT 0,
  ADD COLUMN sharing_id uuid,
  ADD COLUMN repayment_id uuid;
COMMENT ON COLUMN transactions.borne IS
  'Investment: cents of its principal that shared losses took. The rest is paid at maturity.';
COMMENT ON COLUMN transactions.sharing_id IS
  'Loss or recovery: the shared loss of which it is a part.';
COMMENT ON COLUMN transactions.repayment_id IS
  'Recovery: what came back of the loan, of which it is a part.';
CREATE UNIQUE INDEX transactions_share_once ON transactions (sharing_id, user_id)
  WHERE type = 'loss';
CREATE UNIQUE INDEX transactions_recover_once ON transactions (repayment_id, user_id)
  WHERE type = 'recovery';
CREATE INDEX transactions_recovered ON transactions (sharing_id, user_id) WHERE type = 'recovery';

DROP INDEX investments_maturing;
CREATE INDEX investments_maturing ON transactions (matures_at, id) INCLUDE (amount, interest, borne)
  WHERE investment_status = 'ACTIVE';

ALTER TABLE loan_repayments DISABLE TRIGGER USER;
ALTER TABLE loan_repayments ADD COLUMN kept bigint;
UPDATE loan_repayments SET kept = recovered;
ALTER TABLE loan_repayments
  ALTER COLUMN kept SET NOT NULL, ADD CHECK (kept BETWEEN 0 AND recovered);
ALTER TABLE loan_repayments ENABLE TRIGGER USER;
COMMENT ON COLUMN loan_repayments.kept IS
  'The part of what was recovered that went to the reserve. The rest went to those who had borne the loss.';

-- Two people agreed, and everybody was told. It counts later.
CREATE TABLE loss_announcements (
  id         uuid PRIMARY KEY REFERENCES proposals,
  loss_id    uuid NOT NULL REFERENCES loan_write_offs,
  amount     bigint NOT NULL CHECK (amount > 0),
  counts_at  timestamptz NOT NULL,
  mailed_at  timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT loss_announcements_come_before CHECK (counts_at >= created_at)
);
COMMENT ON TABLE loss_announcements IS
  'Open losses that all investments are to share, each by a proposal of two super admins. The operator''s capital can bear such a loss instead until it counts.';
COMMENT ON COLUMN loss_announcements.loss_id IS 'A write-off of the open loss. With the amount it names the loss.';
COMMENT ON COLUMN loss_announcements.counts_at IS 'The moment from which it is booked.';
COMMENT ON COLUMN loss_announcements.mailed_at IS 'The moment at which all mails of it were queued.';

CREATE TABLE loss_sharings (
  id         uuid PRIMARY KEY REFERENCES loss_announcements,
  amount     bigint NOT NULL CHECK (amount > 0),
  invested   bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT loss_sharings_are_borne CHECK (invested >= amount)
);
COMMENT ON TABLE loss_sharings IS
  'Open losses that all investments shared. The trigger loss_sharings_are_shared writes the parts.';
COMMENT ON COLUMN loss_sharings.invested IS 'The principal of all active investments, which bore the same share.';

CREATE TABLE losses_borne (
  write_off_id uuid PRIMARY KEY REFERENCES loan_write_offs,
  cover_id     uuid REFERENCES loss_covers,
  sharing_id   uuid REFERENCES loss_sharings,
  CONSTRAINT losses_borne_by_one CHECK (num_nonnulls(cover_id, sharing_id) = 1)
);
COMMENT ON TABLE losses_borne IS
  'The cover or the sharing that ended the loss of each write-off. A trigger writes it.';
CREATE INDEX losses_borne_by_sharing ON losses_borne (sharing_id) WHERE sharing_id IS NOT NULL;

-- A cover bore all that was open then.
INSERT INTO losses_borne (write_off_id, cover_id)
SELECT w.id, c.id FROM loan_write_offs AS w CROSS JOIN LATERAL (
  SELECT id FROM loss_covers WHERE created_at >= w.created_at ORDER BY created_at, id LIMIT 1) AS c
WHERE w.lost > 0;
