-- What was decided, together with who approved and with the audit trail's word of it.

-- An accepted decision whose status is PENDING is an approval that waits for another one.
CREATE FUNCTION write_decisions(operations operation[], accepted boolean[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO approvals (transaction_id, approved_by)
  SELECT t.id, (o.decision).decided_by
  FROM unnest(operations) WITH ORDINALITY AS o JOIN transactions AS t ON t.id = (o.decision).transaction_id
  WHERE accepted[o.ordinality] AND t.approvals_needed > 1 AND (o.decision).status IN ('PENDING', 'APPROVED');

  -- One group can hold both approvals of a withdrawal: what the last one says stands.
  UPDATE transactions SET status = last.status, decided_by = CASE WHEN last.status <> 'PENDING' THEN last.decided_by END, reason = last.reason,
    evidence_network = last.evidence_network, evidence = last.evidence, updated_at = now()
  FROM (
    SELECT DISTINCT ON ((decision).transaction_id) (decision).*
    FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (decision).transaction_id IS NOT NULL
    ORDER BY (decision).transaction_id, ordinality DESC
  ) AS last
  WHERE transactions.id = last.transaction_id;

  INSERT INTO audit_entries (actor_id, actor, action, subject_type, subject_id, owner_id, source, before, after, reason)
  SELECT u.id, u.username, CASE
      WHEN d.status = 'REJECTED' THEN 'withdrawal.rejected'
      WHEN d.status = 'PENDING' THEN 'withdrawal.firstApproval'
      ELSE t.type || CASE t.type WHEN 'deposit' THEN '.confirmed' ELSE '.approved' END
    END, 'transaction', t.id::text, t.user_id, d.source, '{"status": "PENDING"}', jsonb_strip_nulls(jsonb_build_object(
      'status', d.status, 'amount', round(t.amount / 100.0, 2), 'evidence', d.evidence, 'destinationAddress', nullif(t.destination_address, '')
    )), nullif(d.reason, '')
  FROM (
    SELECT (decision).*, ordinality FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (decision).transaction_id IS NOT NULL
  ) AS d JOIN transactions AS t ON t.id = d.transaction_id JOIN users AS u ON u.id = d.decided_by
  ORDER BY d.ordinality;
END $$;

-- As in migration 0016, and the audit entries of contributions and decisions with them.
CREATE OR REPLACE FUNCTION write_operations(operations operation[], accepted boolean[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  decides boolean := EXISTS (SELECT FROM unnest(operations) WHERE (decision).transaction_id IS NOT NULL);
BEGIN
  INSERT INTO contributions (id, amount, note, contributed_by, created_at)
  SELECT (contribution).id, (contribution).amount, (contribution).note, (contribution).contributed_by, now()
  FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (contribution).id IS NOT NULL;

  INSERT INTO audit_entries (actor, action, subject_type, subject_id, source, after, reason)
  SELECT contributed_by, 'capital.contributed', 'contribution', id::text, 'operator', jsonb_build_object('amount', round(amount / 100.0, 2)), note
  FROM (SELECT (contribution).* FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (contribution).id IS NOT NULL) AS made;

  INSERT INTO investments (id, user_id, principal, rate_basis_points, interest, duration_days, status, matures_at, created_at, updated_at)
  SELECT (investment).id, owner_id, (investment).principal, (investment).rate_basis_points, (investment).interest,
    (investment).duration_days, 'ACTIVE', now() + make_interval(secs => (investment).duration_seconds), now(), now()
  FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (investment).id IS NOT NULL;

  UPDATE investments SET status = 'COMPLETED', updated_at = now()
  FROM unnest(operations) WITH ORDINALITY AS o WHERE accepted[o.ordinality] AND investments.id = o.completes;

  INSERT INTO transactions (id, user_id, type, amount, status, description, destination_address, destination_network, investment_id, wallet_id,
    approvals_needed, created_at, updated_at)
  SELECT (transaction).id, o.owner_id, (transaction).type, (transaction).amount, (transaction).status, (transaction).description,
    (transaction).destination_address, coalesce((transaction).destination_network, ''), (transaction).investment_id, wallets.id, coalesce((transaction).approvals_needed, 1), now(), now()
  FROM unnest(operations) WITH ORDINALITY AS o LEFT JOIN wallets ON (transaction).takes_wallet AND wallets.owner_id = o.owner_id
  WHERE accepted[o.ordinality] AND (transaction).id IS NOT NULL;

  IF decides THEN PERFORM write_decisions(operations, accepted); END IF;

  INSERT INTO transfers (movement, reference_id, from_account_id, to_account_id, amount)
  SELECT o.movement, o.reference_id, source.id, target.id, leg.amount
  FROM unnest(operations) WITH ORDINALITY AS o
  CROSS JOIN LATERAL unnest(o.legs) WITH ORDINALITY AS leg
  JOIN accounts AS source ON source.owner_id = account_owner(o.owner_id, leg.from_kind) AND source.kind = leg.from_kind
  JOIN accounts AS target ON target.owner_id = account_owner(o.owner_id, leg.to_kind) AND target.kind = leg.to_kind
  WHERE accepted[o.ordinality]
  ORDER BY o.ordinality, leg.ordinality;
END $$;
