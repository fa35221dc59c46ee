-- The first step of posting: which operations are new, and what the repeated ones were answered before.

-- Claims the key of each operation and returns, by position, NULL where the operation is to be carried out, else the outcome
-- that stands. Keys are claimed in one order, so that two server processes wait for each other instead of deadlocking; the
-- later one then finds the outcome that the earlier one committed.
CREATE FUNCTION claim_keys(operations operation[]) RETURNS jsonb[] LANGUAGE plpgsql AS $$
DECLARE
  claimed bigint[];
BEGIN
  WITH first AS (
    SELECT DISTINCT ON (actor_id, key) actor_id, key, request_hash, reference_id, (investment).duration_seconds, ordinality
    FROM unnest(operations) WITH ORDINALITY
    WHERE key IS NOT NULL
    ORDER BY actor_id, key, ordinality
  ), claim AS (
    INSERT INTO idempotency_keys (actor_id, key, request_hash, outcome)
    SELECT actor_id, key, request_hash, operation_succeeded(reference_id, duration_seconds) FROM first ORDER BY actor_id, key
    ON CONFLICT DO NOTHING
    RETURNING actor_id, key
  )
  SELECT array_agg(first.ordinality) INTO claimed FROM first JOIN claim USING (actor_id, key);

  RETURN ARRAY(
    SELECT CASE
      WHEN o.key IS NULL OR o.ordinality = ANY (claimed) THEN NULL
      WHEN k.request_hash <> o.request_hash THEN jsonb_build_object('refused', 'keyReused')
      -- Repeated within this very group: the outcome is not known yet, so the position to copy it from is noted.
      WHEN f.ordinality = ANY (claimed) THEN jsonb_build_object('sameAs', f.ordinality)
      ELSE k.outcome
    END
    FROM unnest(operations) WITH ORDINALITY AS o
    LEFT JOIN idempotency_keys AS k ON k.actor_id = o.actor_id AND k.key = o.key
    LEFT JOIN (
      SELECT actor_id, key, min(ordinality) AS ordinality FROM unnest(operations) WITH ORDINALITY WHERE key IS NOT NULL GROUP BY actor_id, key
    ) AS f ON f.actor_id = o.actor_id AND f.key = o.key
    ORDER BY o.ordinality
  );
END $$;

-- What a successful operation answers: the row it is about, when it was recorded, and for an investment when it matures.
CREATE FUNCTION operation_succeeded(reference_id uuid, duration_seconds bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'id', reference_id, 'at', now(), 'maturesAt', now() + make_interval(secs => duration_seconds)))
$$;
