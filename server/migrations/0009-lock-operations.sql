-- The second step of posting: every row that the new operations may change is locked, in one order over all server processes
-- (transactions, investments, accounts, wallets; each by id), and its present state read.

-- By position: `state` of the row whose state the operation changes, and `named_at`, the first position that names this row;
-- so that what one operation does to a row is kept in one place for those after it. A due investment has state MATURED.
CREATE FUNCTION lock_states(operations operation[], fresh boolean[], OUT named_at bigint[], OUT state text[]) LANGUAGE plpgsql AS $$
DECLARE
  ids    uuid[];
  states text[];
BEGIN
  SELECT array_agg(id), array_agg(status) INTO ids, states FROM (
    SELECT id, status FROM transactions
    WHERE id = ANY (ARRAY(SELECT (decision).transaction_id FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality]))
    ORDER BY id FOR NO KEY UPDATE
  ) AS locked;

  SELECT ids || array_agg(id), states || array_agg(due) INTO ids, states FROM (
    SELECT id, CASE WHEN status = 'ACTIVE' AND matures_at <= now() THEN 'MATURED' ELSE status END AS due FROM investments
    WHERE id = ANY (ARRAY(SELECT completes FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality]))
    ORDER BY id FOR NO KEY UPDATE
  ) AS locked;

  SELECT array_agg(first ORDER BY ordinality), array_agg(known.state ORDER BY ordinality) INTO named_at, state
  FROM (
    SELECT ordinality, coalesce((decision).transaction_id, completes) AS id,
      min(ordinality) OVER (PARTITION BY (decision).transaction_id, completes) AS first
    FROM unnest(operations) WITH ORDINALITY
  ) AS named LEFT JOIN unnest(ids, states) AS known (id, state) USING (id);
END $$;

-- Every account that the legs name, with its balance. The pool's unguarded accounts are read but not locked: nothing depends on them.
-- A deposit request locks its investor's available account, so that two of them cannot both take a wallet.
CREATE FUNCTION lock_accounts(operations operation[], fresh boolean[], OUT owners uuid[], OUT kinds text[], OUT balances bigint[])
LANGUAGE plpgsql AS $$
BEGIN
  SELECT array_agg(owner_id), array_agg(kind), array_agg(balance) INTO owners, kinds, balances FROM (
    SELECT a.owner_id, a.kind, a.balance
    FROM (
      SELECT DISTINCT account_owner(o.owner_id, side.kind) AS owner_id, side.kind
      FROM unnest(operations) WITH ORDINALITY AS o
      CROSS JOIN LATERAL (
        SELECT from_kind FROM unnest(o.legs) UNION ALL SELECT to_kind FROM unnest(o.legs) UNION ALL SELECT 'available' WHERE (o.transaction).takes_wallet
      ) AS side (kind)
      WHERE fresh[o.ordinality]
    ) AS named
    JOIN accounts AS a USING (owner_id, kind)
    WHERE a.balance IS NOT NULL
    ORDER BY a.id FOR NO KEY UPDATE OF a
  ) AS locked;

  SELECT owners || array_agg(owner_id), kinds || array_agg(kind), balances || array_agg(balance) INTO owners, kinds, balances
  FROM accounts WHERE owner_id = '00000000-0000-0000-0000-000000000000' AND balance IS NULL;
END $$;

-- Gives each investor who asks to deposit and has no wallet the oldest Available one, in the order of asking. Returns what the
-- deposit answers, by user id; whoever is not in it has none. Wallets that another process is assigning are passed over.
CREATE FUNCTION assign_wallets(operations operation[], fresh boolean[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  askers uuid[] := ARRAY(
    SELECT owner_id FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality] AND (transaction).takes_wallet
    GROUP BY owner_id ORDER BY min(ordinality));
  needy  uuid[] := ARRAY(
    SELECT asker FROM unnest(askers) WITH ORDINALITY AS a (asker, at)
    WHERE NOT EXISTS (SELECT FROM wallets WHERE owner_id = asker) ORDER BY at);
BEGIN
  WITH free AS (
    SELECT id FROM wallets WHERE owner_id IS NULL ORDER BY created_at, id LIMIT cardinality(needy) FOR UPDATE SKIP LOCKED
  ), matched AS (
    SELECT id, needy[row_number() OVER ()] AS user_id FROM free
  )
  UPDATE wallets SET owner_id = matched.user_id, updated_at = now() FROM matched WHERE wallets.id = matched.id;

  RETURN (
    SELECT jsonb_object_agg(owner_id, jsonb_build_object('address', address, 'networkName', network_name))
    FROM wallets WHERE owner_id = ANY (askers));
END $$;
