-- The moment from which a balance that is left holds back no capital: 90 days after the last
-- maturity. Days after it on which withdrawals were paused do not count.
CREATE OR REPLACE FUNCTION claims_until(wind_down wind_downs) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT wind_down.last_maturity_at + interval '90 days' + coalesce((
    SELECT sum(ended_at - greatest(began_at, wind_down.last_maturity_at)) FROM ended_pauses
    WHERE name = 'withdrawals' AND ended_at > wind_down.last_maturity_at
  ), interval '0')
$$;

-- Cents that must be none before capital leaves: owed to investors, or missing in coins. A balance
-- counts until that moment, and while withdrawals are paused.
CREATE OR REPLACE FUNCTION owed_before_capital() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT ((SELECT coalesce(sum(balance), 0) FROM accounts WHERE kind IN ('held', 'invested', 'committed', 'outgoing')
      OR kind = 'available' AND (NOT EXISTS (SELECT FROM wind_downs AS w WHERE called_off_at IS NULL AND claims_until(w) <= now())
        OR EXISTS (SELECT FROM pauses WHERE name = 'withdrawals' AND paused_at IS NOT NULL)))
    + (SELECT coalesce(sum(open), 0) FROM claims) + lent_principal() + reserved_principal() + open_loss())::bigint
$$;
