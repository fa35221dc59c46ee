-- Tables of this district (server/requests/README.md).

CREATE TABLE transactions (
  id                  uuid PRIMARY KEY,
  user_id             uuid NOT NULL,
  type                text NOT NULL CHECK (type IN ('deposit', 'withdrawal', 'investment', 'payout',
                      'reversal', 'loss', 'recovery')),
  amount              bigint NOT NULL CHECK (amount > 0),
  status              text NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'COMPLETED',
                      'PROCESSING', 'EXPIRED', 'REVERSED', 'RETURNED')),
  description         text NOT NULL DEFAULT '',
  wallet_id           uuid REFERENCES wallets,
  destination_address text NOT NULL DEFAULT '',
  investment_id       uuid,
  reason              text NOT NULL DEFAULT '',
  decided_by          uuid REFERENCES users,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  destination_network text NOT NULL DEFAULT '',
  approvals_needed    smallint NOT NULL DEFAULT 1 CHECK (approvals_needed > 0),
  evidence_network    text,
  evidence            text,
  payee_address       text,
  rate_basis_points   integer CHECK (rate_basis_points >= 0),
  interest            bigint CHECK (interest >= 0),
  duration_days       integer CHECK (duration_days > 0),
  matures_at          timestamptz,
  investment_status   text CHECK (investment_status IN ('ACTIVE', 'COMPLETED')),
  sent_at             timestamptz,
  sent_by             uuid REFERENCES users,
  sent_network        text,
  sent_evidence       text,
  completed_at        timestamptz,
  completed_by        uuid REFERENCES users,
  requested_amount    bigint,
  ending              text CHECK (ending IN ('decided', 'cancelled', 'expired', 'automatic')),
  basis               text CHECK (basis <> ''),
  evidence_output     integer,
  sent_output         integer,
  unannounced         boolean NOT NULL DEFAULT false,
  claim_id            uuid,
  returned_at         timestamptz,
  return_id           uuid,
  sent_basis          text,
  completed_basis     text,
  plan_id             uuid,
  borne               bigint NOT NULL DEFAULT 0,
  sharing_id          uuid,
  repayment_id        uuid,
  fee                 bigint NOT NULL DEFAULT 0,
  CONSTRAINT transactions_decided_by_another CHECK (decided_by <> user_id),
  CONSTRAINT transactions_deposit_has_wallet CHECK ((type = 'deposit') = (wallet_id IS NOT NULL)),
  CONSTRAINT transactions_evidence_on_a_network CHECK ((evidence IS NULL) = (evidence_network IS NULL)),
  CONSTRAINT transactions_payout_of_an_investment CHECK ((type = 'payout') = (investment_id IS NOT NULL)),
  CONSTRAINT transactions_plan_of_an_investment CHECK ((plan_id IS NULL) OR type = 'investment'),
  CONSTRAINT transactions_sent_by_another CHECK (sent_by <> user_id AND completed_by <> user_id)
);
COMMENT ON TABLE transactions IS
  'Requests and receipts of an investor. PENDING, then decided once. An approved withdrawal is then '
  'sent and completed, or given back. An investment is one row: ACTIVE, then COMPLETED once.';
COMMENT ON COLUMN transactions.user_id IS
  'Has no foreign key (docs/decisions/023). The trigger transactions_begin_whole checks all new owners '
  'at once.';
COMMENT ON COLUMN transactions.amount IS
  'Cents. Of an investment, the principal. Of a confirmed deposit, what was received.';
COMMENT ON COLUMN transactions.wallet_id IS 'Deposit: the wallet that receives it.';
COMMENT ON COLUMN transactions.destination_address IS 'Withdrawal: the text that the investor wrote.';
COMMENT ON COLUMN transactions.investment_id IS
  'Payout: the investment, of the same owner (trigger transactions_begin_whole).';
COMMENT ON COLUMN transactions.reason IS
  'The reason of a rejection, or of a withdrawal given back, else empty.';
COMMENT ON COLUMN transactions.decided_by IS 'NULL while pending, and after an expiry.';
COMMENT ON COLUMN transactions.updated_at IS
  'The moment of the decision, or of the maturity of an investment, once there is one.';
COMMENT ON COLUMN transactions.destination_network IS
  'Withdrawal: the network that the investor named, else the only one that the address fits, else '
  'empty.';
COMMENT ON COLUMN transactions.approvals_needed IS
  'Number of people who must decide. Becomes 2 when a limit demands it.';
COMMENT ON COLUMN transactions.evidence_network IS 'The network of the evidence.';
COMMENT ON COLUMN transactions.evidence IS
  'On-chain transaction that the confirmation of a deposit rests on.';
COMMENT ON COLUMN transactions.payee_address IS 'The address that a withdrawal was approved for, else NULL.';
COMMENT ON COLUMN transactions.rate_basis_points IS
  'Interest for the whole duration, in hundredths of a percent of the principal.';
COMMENT ON COLUMN transactions.interest IS 'Cents, set aside in the reserve when the investment was opened.';
COMMENT ON COLUMN transactions.investment_status IS
  'ACTIVE or COMPLETED. The status of an opened investment is COMPLETED as a transaction.';
COMMENT ON COLUMN transactions.sent_at IS 'Withdrawal: the moment it was marked as sent.';
COMMENT ON COLUMN transactions.sent_network IS 'The network that it was sent on.';
COMMENT ON COLUMN transactions.sent_evidence IS
  'The transaction on the chain that paid it. One such transaction may pay several addresses.';
COMMENT ON COLUMN transactions.completed_at IS 'Withdrawal: the moment it was marked as completed.';
COMMENT ON COLUMN transactions.requested_amount IS
  'Deposit: the cents that were asked for, where another amount was received. Else NULL.';
COMMENT ON COLUMN transactions.ending IS
  'How a request ended: staff decided, its owner cancelled it, it expired, or the product decided by '
  'itself. NULL while pending, and for investments and payouts.';
COMMENT ON COLUMN transactions.basis IS
  'What a decision of the product rests on, in words. NULL for every other ending.';
COMMENT ON COLUMN transactions.evidence_output IS
  'The number of the output that paid the deposit, where staff named it. NULL is what the wallet was '
  'paid.';
COMMENT ON COLUMN transactions.sent_output IS
  'The number of the output that paid the withdrawal, where staff named it.';
COMMENT ON COLUMN transactions.unannounced IS
  'True for a deposit that the product opened, since its payment had no request.';
COMMENT ON COLUMN transactions.claim_id IS
  'Reversal: the claim that it pays, of the same owner (trigger transactions_begin_whole).';
COMMENT ON COLUMN transactions.returned_at IS 'Withdrawal: the moment it was given back.';
COMMENT ON COLUMN transactions.return_id IS
  'Withdrawal: the proposal of two people that gave it back (trigger withdrawals_return_by_two).';
COMMENT ON COLUMN transactions.sent_basis IS
  'Withdrawal: what the chain showed when the product marked it as sent. NULL where staff did.';
COMMENT ON COLUMN transactions.completed_basis IS
  'Withdrawal: what the chain showed when the product completed it. NULL where staff did.';
COMMENT ON COLUMN transactions.plan_id IS
  'Investment: the version of its plan.';
COMMENT ON COLUMN transactions.borne IS
  'Investment: cents of its principal that shared losses took. The rest is paid at maturity.';
COMMENT ON COLUMN transactions.sharing_id IS 'Loss or recovery: the shared loss of which it is a part.';
COMMENT ON COLUMN transactions.repayment_id IS 'Recovery: what came back of the loan, of which it is a part.';
COMMENT ON COLUMN transactions.fee IS
  'Withdrawals: cents of the network''s fee that the investor bears beside the amount. It comes back '
  'with the amount.';
CREATE INDEX investments_by_status ON transactions (created_at DESC, id DESC)
  WHERE investment_status = 'COMPLETED';
CREATE INDEX investments_maturing ON transactions (matures_at, id) INCLUDE (amount, interest, borne)
  WHERE investment_status = 'ACTIVE';
CREATE INDEX transactions_by_claim ON transactions (claim_id) WHERE claim_id IS NOT NULL;
CREATE INDEX transactions_by_destination ON transactions (lower(destination_address), user_id, created_at)
  WHERE type = 'withdrawal';
CREATE INDEX transactions_by_payment ON transactions (sent_network, sent_evidence)
  WHERE sent_evidence IS NOT NULL;
CREATE INDEX transactions_by_status ON transactions (type, status, created_at DESC, id DESC)
  WHERE type IN ('deposit', 'withdrawal');
CREATE INDEX transactions_by_type ON transactions (type, created_at DESC, id DESC);
CREATE INDEX transactions_by_user ON transactions (user_id, created_at DESC, id DESC);
CREATE INDEX transactions_completed_alone ON transactions (completed_at) WHERE completed_by IS NOT NULL;
CREATE INDEX transactions_decided_alone ON transactions (updated_at) INCLUDE (decided_by, user_id, amount)
  WHERE (ending IN ('decided', 'automatic')) AND (status <> 'REJECTED') AND (approvals_needed = 1);
CREATE UNIQUE INDEX transactions_evidence_once ON transactions (evidence_network, evidence,
  COALESCE((evidence_output)::text, (wallet_id)::text)) WHERE (evidence IS NOT NULL)
  AND (status IN ('PENDING', 'APPROVED'));
CREATE UNIQUE INDEX transactions_once_per_investment ON transactions (investment_id) WHERE type = 'payout';
CREATE INDEX transactions_open_deposits ON transactions (user_id) WHERE (type = 'deposit')
  AND (status = 'PENDING');
CREATE UNIQUE INDEX transactions_recover_once ON transactions (repayment_id, user_id) WHERE type = 'recovery';
CREATE INDEX transactions_recovered ON transactions (sharing_id, user_id) WHERE type = 'recovery';
CREATE INDEX transactions_requests ON transactions (user_id, created_at) WHERE type IN ('deposit',
  'withdrawal');
CREATE UNIQUE INDEX transactions_share_once ON transactions (sharing_id, user_id) WHERE type = 'loss';
CREATE INDEX transactions_unannounced ON transactions (evidence_network, evidence) WHERE unannounced;
CREATE INDEX transactions_with_fees ON transactions (status, fee) WHERE fee > 0;

CREATE TABLE approvals (
  transaction_id uuid NOT NULL REFERENCES transactions,
  approved_by    uuid NOT NULL REFERENCES users,
  created_at     timestamptz NOT NULL DEFAULT now(),
  payee_address  text NOT NULL DEFAULT '',
  amount         bigint CHECK (amount > 0),
  PRIMARY KEY (transaction_id, approved_by, payee_address)
);
COMMENT ON TABLE approvals IS 'Approvals of deposits and withdrawals that need two people. Final.';
COMMENT ON COLUMN approvals.payee_address IS 'The approved address. Empty for a deposit.';
COMMENT ON COLUMN approvals.amount IS
  'The cents that were approved: of a deposit, what was received. NULL is the amount asked for.';

CREATE TABLE quotes (
  deposit_id uuid PRIMARY KEY REFERENCES transactions,
  coin       text NOT NULL,
  units      numeric NOT NULL CHECK ((units > (0)::numeric) AND scale(units) = 0),
  dollars    numeric NOT NULL CHECK (dollars > (0)::numeric),
  source     text CHECK (source IN ('SET', 'MEDIAN')),
  at         timestamptz NOT NULL,
  ends_at    timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT quotes_end_later CHECK (ends_at > created_at)
);
COMMENT ON TABLE quotes IS
  'The coins that an investor was told to send for a deposit, and the rate of that moment.';
COMMENT ON COLUMN quotes.units IS 'Smallest units of the coin on the chain of the deposit''s wallet.';
COMMENT ON COLUMN quotes.dollars IS 'The rate: dollars for one coin.';
COMMENT ON COLUMN quotes.source IS 'NULL for one dollar, where the coin had no rate.';
COMMENT ON COLUMN quotes.at IS 'The moment of the rate.';

-- Tables of lower districts refer to these.
ALTER TABLE claims ADD CONSTRAINT claims_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES transactions;
ALTER TABLE payments ADD CONSTRAINT payments_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES transactions;
ALTER TABLE batch_payouts ADD CONSTRAINT batch_payouts_withdrawal_id_fkey FOREIGN KEY (withdrawal_id)
  REFERENCES transactions;
