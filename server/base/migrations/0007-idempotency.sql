CREATE TABLE idempotency_keys (
  actor_id     uuid NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  outcome      jsonb NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (actor_id, key)
) WITH (fillfactor = 90);
COMMENT ON TABLE idempotency_keys IS
  'Outcomes of money calls, so that a repeat with the same key gets the same response.';
COMMENT ON COLUMN idempotency_keys.request_hash IS
  'Digest of the request. The same key with another request is refused.';

-- Keys are written in order of age and forgotten in ranges of it.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING brin (created_at);
