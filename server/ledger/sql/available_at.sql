-- The available balance of an investor right after a moment: the present one without the transfers
-- since. They belong to rows that were made or decided since, which indexes find.
CREATE OR REPLACE FUNCTION available_at(owner uuid, moment timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT a.balance - coalesce((
    SELECT sum(CASE WHEN t.to_account_id = a.id THEN t.amount ELSE -t.amount END)
    FROM (
      SELECT id FROM transactions WHERE user_id = owner AND type IN ('deposit', 'withdrawal') AND updated_at > moment
      UNION
      SELECT coalesce(investment_id, id) FROM transactions WHERE user_id = owner AND created_at > moment
    ) AS later JOIN transfers AS t ON t.reference_id = later.id
    WHERE t.created_at > moment AND a.id IN (t.from_account_id, t.to_account_id)), 0)::bigint
  FROM accounts AS a WHERE a.owner_id = owner AND a.kind = 'available'
$$;
