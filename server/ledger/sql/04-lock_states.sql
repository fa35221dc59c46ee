-- By position: the state of the row to change, and the row's first position, which later operations
-- read. A due investment has the state MATURED.
CREATE OR REPLACE FUNCTION lock_states(operations operation[], fresh boolean[],
  OUT named_at bigint[], OUT state text[]) RETURNS record
  LANGUAGE plpgsql AS $$
DECLARE
  ids    uuid[];
  states text[];
BEGIN
  -- Most groups decide and complete nothing.
  IF NOT EXISTS (SELECT FROM unnest(operations) WHERE (decision).transaction_id IS NOT NULL OR completes IS NOT NULL) THEN
    named_at := ARRAY(SELECT generate_series(1, cardinality(operations)));
    RETURN;
  END IF;

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
