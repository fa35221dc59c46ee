-- Loans that a batch pays: reserved once two people agree, and lent once the chain shows their
-- coins (docs/decisions/071). Amounts are cents.
ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check CHECK
    (kind IN ('available', 'held', 'invested', 'custody', 'operator', 'reserve', 'committed', 'claims', 'outgoing', 'loans', 'deployed', 'loss', 'sending')),
  DROP CONSTRAINT accounts_of_the_pool,
  ADD CONSTRAINT accounts_of_the_pool CHECK ((owner_id = '00000000-0000-0000-0000-000000000000')
    = (kind IN ('custody', 'operator', 'reserve', 'committed', 'claims', 'outgoing', 'loans', 'deployed', 'loss', 'sending')));
COMMENT ON TABLE accounts IS
  'The accounts of the double-entry ledger: three of each investor, ten of the pool.';
INSERT INTO accounts (owner_id, kind, balance) VALUES
  ('00000000-0000-0000-0000-000000000000', 'sending', 0);

ALTER TABLE loans
  DROP CONSTRAINT loans_status_check,
  ADD CONSTRAINT loans_status_check CHECK
    (status IN ('APPLIED', 'APPROVED', 'SENDING', 'ACTIVE', 'DEFAULTED', 'WRITTEN_OFF', 'REPAID', 'WITHDRAWN', 'DECLINED'));

CREATE TABLE loan_sendings (
  id           uuid PRIMARY KEY,
  proposal_id  uuid NOT NULL UNIQUE REFERENCES proposals,
  loan_id      uuid NOT NULL REFERENCES loans,
  principal    bigint NOT NULL CHECK (principal > 0),
  capital      bigint NOT NULL CHECK (capital BETWEEN 0 AND principal),
  network_name text NOT NULL,
  address      text NOT NULL CHECK (address <> ''),
  status       text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'PAID', 'RELEASED')),
  release_id   uuid REFERENCES proposals,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT loan_sendings_released_by_two CHECK ((status = 'RELEASED') = (release_id IS NOT NULL))
);
COMMENT ON TABLE loan_sendings IS
  'Loans that are reserved for a batch, each by a proposal of two people. OPEN, PAID once the chain shows the coins, or RELEASED to the reserve.';
COMMENT ON COLUMN loan_sendings.capital IS 'The part of the principal that left the reserve.';
COMMENT ON COLUMN loan_sendings.address IS 'The address of the borrower that both people saw.';
CREATE UNIQUE INDEX loan_sendings_open_once ON loan_sendings (loan_id) WHERE status = 'OPEN';

ALTER TABLE batch_payouts
  ADD COLUMN sending_id uuid REFERENCES loan_sendings,
  ADD CONSTRAINT batch_payouts_have_one_order CHECK (num_nonnulls(withdrawal_id, sending_id) <= 1);
COMMENT ON COLUMN batch_payouts.withdrawal_id IS 'NULL where it pays a loan or an address of our own.';
COMMENT ON COLUMN batch_payouts.sending_id IS 'The reserved loan that it pays.';
CREATE UNIQUE INDEX batch_payouts_pay_loans_once ON batch_payouts (sending_id) WHERE is_open;

-- One transaction of a batch pays several loans, each by an output of its own.
ALTER TABLE loan_disbursements
  ADD COLUMN output integer,
  ADD COLUMN sent boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT loan_disbursements_evidence_once,
  ADD CONSTRAINT loan_disbursements_evidence_once UNIQUE NULLS NOT DISTINCT (network_name, evidence, output);
COMMENT ON COLUMN loan_disbursements.output IS 'The output that paid it, as payments.output counts. NULL where it was by hand, or by the own coin of an EVM network.';
COMMENT ON COLUMN loan_disbursements.sent IS 'True where a batch paid what was reserved in loan_sendings.';
