-- By position of a withdrawal request: its number among those of its person that wait to be sent,
-- by any account. Locks the person, so that two processes number one after the other.
CREATE OR REPLACE FUNCTION number_withdrawals(owners uuid[]) RETURNS bigint[] LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(:lock(withdrawals), number)
  FROM (SELECT DISTINCT hashtext((accounts_of(owner))[1]::text) AS number FROM unnest(owners) AS owner ORDER BY 1) AS asking;
  RETURN ARRAY(
    SELECT waiting.count + row_number() OVER (PARTITION BY own[1] ORDER BY at)
    FROM unnest(owners) WITH ORDINALITY AS o (owner, at)
    CROSS JOIN LATERAL (SELECT accounts_of(owner) AS own OFFSET 0) AS person
    CROSS JOIN LATERAL (
      SELECT count(*) FROM transactions
      WHERE user_id = ANY (own) AND type = 'withdrawal' AND status IN ('PENDING', 'APPROVED')
    ) AS waiting
    ORDER BY at);
END $$;
