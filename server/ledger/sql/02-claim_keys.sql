-- By position: NULL for an operation to carry out, else its outcome. A pause refuses and frees the
-- key, unless the key has an outcome. An ended session refuses and claims no key.
CREATE OR REPLACE FUNCTION claim_keys(operations operation[]) RETURNS jsonb[] LANGUAGE plpgsql AS $$
DECLARE
  outcomes jsonb[];
  paused   jsonb;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7031987);
  -- Groups that approve run one at a time, so that each counts the decisions of the one before.
  IF EXISTS (SELECT FROM unnest(operations) WHERE (decision).status = 'APPROVED') THEN PERFORM pg_advisory_xact_lock(7031991); END IF;
  SELECT jsonb_object_agg(movement, jsonb_build_object('refused', 'paused', 'name', name, 'reason', reason)) INTO paused
  FROM pauses WHERE paused_at IS NOT NULL;
  outcomes := claim_every_key(operations, name_ended_sessions(operations));
  IF paused IS NULL THEN RETURN outcomes; END IF;

  DELETE FROM idempotency_keys AS k USING unnest(operations) WITH ORDINALITY AS o
  WHERE outcomes[o.ordinality] IS NULL AND paused ? o.movement AND k.actor_id = o.actor_id AND k.key = o.key;
  RETURN ARRAY(
    SELECT coalesce(outcomes[ordinality], paused -> movement) FROM unnest(operations) WITH ORDINALITY ORDER BY ordinality);
END $$;

-- By position: true for a session that has ended or belongs to another user.
CREATE OR REPLACE FUNCTION name_ended_sessions(operations operation[]) RETURNS boolean[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT o.session IS NOT NULL AND NOT EXISTS (
      SELECT FROM sessions AS s JOIN users AS u ON u.id = s.user_id
      WHERE s.token_hash = o.session AND s.user_id = coalesce((o.decision).decided_by, o.owner_id) AND u.suspended_at IS NULL AND is_living(s))
    FROM unnest(operations) WITH ORDINALITY AS o ORDER BY o.ordinality);
END $$;

-- Claims keys in one order, so that two processes wait for each other and do not deadlock. The
-- later one finds the outcome that the earlier one committed.
CREATE OR REPLACE FUNCTION claim_every_key(operations operation[], ended boolean[])
  RETURNS jsonb[] LANGUAGE plpgsql AS $$
DECLARE
  claimed bigint[];
BEGIN
  WITH first AS (
    SELECT DISTINCT ON (actor_id, key) actor_id, key, request_hash, reference_id, (investment).duration_seconds, ordinality
    FROM unnest(operations) WITH ORDINALITY
    WHERE key IS NOT NULL AND NOT ended[ordinality]
    ORDER BY actor_id, key, ordinality
  ), claim AS (
    INSERT INTO idempotency_keys (actor_id, key, request_hash, outcome)
    SELECT actor_id, key, request_hash, operation_succeeded(reference_id, duration_seconds) FROM first ORDER BY actor_id, key
    ON CONFLICT DO NOTHING
    RETURNING actor_id, key
  )
  SELECT array_agg(first.ordinality) INTO claimed FROM first JOIN claim USING (actor_id, key);

  -- Usually all keys are new.
  IF cardinality(claimed) = cardinality(operations) THEN RETURN array_fill(NULL::jsonb, ARRAY[cardinality(operations)]); END IF;

  RETURN ARRAY(
    SELECT CASE
      WHEN ended[o.ordinality] THEN '{"refused": "unauthenticated"}'
      WHEN o.key IS NULL OR o.ordinality = ANY (claimed) THEN NULL
      WHEN k.request_hash <> o.request_hash THEN jsonb_build_object('refused', 'keyReused')
      -- Repeated within this group, so the outcome is not known yet: notes the position to copy.
      WHEN f.ordinality = ANY (claimed) THEN jsonb_build_object('sameAs', f.ordinality)
      ELSE k.outcome
    END
    FROM unnest(operations) WITH ORDINALITY AS o
    LEFT JOIN idempotency_keys AS k ON k.actor_id = o.actor_id AND k.key = o.key
    LEFT JOIN (
      SELECT actor_id, key, min(ordinality) AS ordinality FROM unnest(operations) WITH ORDINALITY
      WHERE key IS NOT NULL AND NOT ended[ordinality] GROUP BY actor_id, key
    ) AS f ON f.actor_id = o.actor_id AND f.key = o.key
    ORDER BY o.ordinality
  );
END $$;
