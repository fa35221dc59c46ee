-- Where withdrawals are paid: the network that a destination is on, and the address that an investor saved as their own.

-- Of a withdrawal whose investor said it; empty otherwise.
ALTER TABLE transactions ADD COLUMN destination_network text NOT NULL DEFAULT '';
ALTER TYPE operation_transaction ADD ATTRIBUTE destination_network text;

-- Every address that was ever saved; the newest one that has waited long enough is in use. Rows stay, so that what a withdrawal was paid to can be told later.
CREATE TABLE payout_addresses (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  address      text NOT NULL,
  network_name text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  usable_from  timestamptz NOT NULL CHECK (usable_from >= created_at)
);
CREATE INDEX payout_addresses_in_use ON payout_addresses (user_id, created_at DESC, id DESC);

CREATE TRIGGER payout_addresses_are_kept BEFORE UPDATE OR DELETE ON payout_addresses FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_addresses_are_not_truncated BEFORE TRUNCATE ON payout_addresses EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE FUNCTION write_operations(operations operation[], accepted boolean[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contributions (id, amount, note, contributed_by, created_at)
  SELECT (contribution).id, (contribution).amount, (contribution).note, (contribution).contributed_by, now()
  FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (contribution).id IS NOT NULL;

  INSERT INTO investments (id, user_id, principal, rate_basis_points, interest, duration_days, status, matures_at, created_at, updated_at)
  SELECT (investment).id, owner_id, (investment).principal, (investment).rate_basis_points, (investment).interest,
    (investment).duration_days, 'ACTIVE', now() + make_interval(secs => (investment).duration_seconds), now(), now()
  FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (investment).id IS NOT NULL;

  UPDATE investments SET status = 'COMPLETED', updated_at = now()
  FROM unnest(operations) WITH ORDINALITY AS o WHERE accepted[o.ordinality] AND investments.id = o.completes;

  INSERT INTO transactions (id, user_id, type, amount, status, description, destination_address, destination_network, investment_id, wallet_id, created_at, updated_at)
  SELECT (transaction).id, o.owner_id, (transaction).type, (transaction).amount, (transaction).status, (transaction).description,
    (transaction).destination_address, coalesce((transaction).destination_network, ''), (transaction).investment_id, wallets.id, now(), now()
  FROM unnest(operations) WITH ORDINALITY AS o LEFT JOIN wallets ON (transaction).takes_wallet AND wallets.owner_id = o.owner_id
  WHERE accepted[o.ordinality] AND (transaction).id IS NOT NULL;

  UPDATE transactions SET status = (decision).status, decided_by = (decision).decided_by, reason = (decision).reason, updated_at = now()
  FROM unnest(operations) WITH ORDINALITY AS o WHERE accepted[o.ordinality] AND transactions.id = (decision).transaction_id;

  INSERT INTO transfers (movement, reference_id, from_account_id, to_account_id, amount)
  SELECT o.movement, o.reference_id, source.id, target.id, leg.amount
  FROM unnest(operations) WITH ORDINALITY AS o
  CROSS JOIN LATERAL unnest(o.legs) WITH ORDINALITY AS leg
  JOIN accounts AS source ON source.owner_id = account_owner(o.owner_id, leg.from_kind) AND source.kind = leg.from_kind
  JOIN accounts AS target ON target.owner_id = account_owner(o.owner_id, leg.to_kind) AND target.kind = leg.to_kind
  WHERE accepted[o.ordinality]
  ORDER BY o.ordinality, leg.ordinality;
END $$;
