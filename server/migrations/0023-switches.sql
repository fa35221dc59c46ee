-- What the operator and super admins can pause: new deposits, new withdrawals, new investments. What was asked for before goes on: it is decided
-- about and paid; maturities always go on.

CREATE TABLE switches (
  name      text PRIMARY KEY,
  -- The movement that is refused while it is paused.
  movement  text NOT NULL UNIQUE,
  paused_at timestamptz,
  paused_by text,
  reason    text,
  CONSTRAINT switches_paused_with_a_reason CHECK (num_nulls(paused_at, paused_by, reason) IN (0, 3))
);
INSERT INTO switches (name, movement)
VALUES ('deposits', 'deposit_requested'), ('withdrawals', 'withdrawal_held'), ('investing', 'investment_opened');

-- Whoever pauses waits for the groups that are being posted, which hold this lock together: once a pause is answered, nothing of its kind is
-- committed any more, on any node.
CREATE FUNCTION wait_for_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7031987);
  RETURN NULL;
END $$;
CREATE TRIGGER switches_wait_for_groups BEFORE INSERT OR UPDATE OR DELETE ON switches FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();
CREATE TRIGGER switches_tell_changed AFTER UPDATE ON switches REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('switch');

-- The first step of posting is now claim_keys and then this: what is new and of a paused kind is answered so. Its key is free again, because the
-- answer is one of this moment; a repeat of what was done before the pause is answered as it was then.
ALTER FUNCTION claim_keys(operation[]) RENAME TO claim_every_key;
CREATE FUNCTION claim_keys(operations operation[]) RETURNS jsonb[] LANGUAGE plpgsql AS $$
DECLARE
  outcomes jsonb[];
  paused   jsonb;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7031987);
  SELECT jsonb_object_agg(movement, jsonb_build_object('refused', 'paused', 'name', name, 'reason', reason)) INTO paused
  FROM switches WHERE paused_at IS NOT NULL;
  outcomes := claim_every_key(operations);
  IF paused IS NULL THEN RETURN outcomes; END IF;

  DELETE FROM idempotency_keys AS k USING unnest(operations) WITH ORDINALITY AS o
  WHERE outcomes[o.ordinality] IS NULL AND paused ? o.movement AND k.actor_id = o.actor_id AND k.key = o.key;
  RETURN ARRAY(
    SELECT coalesce(outcomes[ordinality], paused -> movement) FROM unnest(operations) WITH ORDINALITY ORDER BY ordinality);
END $$;
