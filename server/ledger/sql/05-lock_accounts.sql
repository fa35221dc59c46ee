-- Locks the guarded accounts of fresh operations, by id, and returns their balances. Locks the
-- available account of a deposit request too, so that two requests cannot take two wallets.
CREATE OR REPLACE FUNCTION lock_accounts(operations operation[], fresh boolean[],
  OUT ids bigint[], OUT owners uuid[], OUT kinds text[], OUT balances bigint[])
  LANGUAGE plpgsql AS $$
BEGIN
  SELECT array_agg(id), array_agg(owner_id), array_agg(kind), array_agg(balance) INTO ids, owners, kinds, balances FROM (
    SELECT * FROM (
      SELECT a.id, a.owner_id, a.kind, a.balance
      FROM (
        SELECT DISTINCT coalesce(side.owner, account_owner(o.owner_id, side.kind)) AS owner_id, side.kind
        FROM unnest(operations) WITH ORDINALITY AS o
        CROSS JOIN LATERAL (
          SELECT NULL::uuid, from_kind FROM unnest(o.legs) UNION ALL SELECT to_owner, to_kind FROM unnest(o.legs)
          UNION ALL SELECT NULL, 'available' WHERE (o.transaction).takes_wallet
        ) AS side (owner, kind)
        WHERE fresh[o.ordinality]
      ) AS named
      JOIN accounts AS a USING (owner_id, kind)
      WHERE a.balance IS NOT NULL
      ORDER BY a.id FOR NO KEY UPDATE OF a
    ) AS guarded
    UNION ALL
    SELECT id, owner_id, kind, balance FROM accounts WHERE owner_id = '00000000-0000-0000-0000-000000000000' AND balance IS NULL
  ) AS known;
END $$;

-- The owner of an account of this kind: the user, or the pool.
CREATE OR REPLACE FUNCTION account_owner(owner_id uuid, kind text)
  RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN kind IN ('available', 'held', 'invested') THEN owner_id ELSE '00000000-0000-0000-0000-000000000000' END
$$;
