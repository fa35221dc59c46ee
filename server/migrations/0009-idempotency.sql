-- What a money call answered, so that a repeat with the same key gets the same answer.
CREATE TABLE idempotency_keys (
  actor_id     uuid NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  outcome      jsonb NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (actor_id, key)
) WITH (fillfactor = 90);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
