-- What a money call answered, so that a repeat with the same key gets the same answer (design §5, threat 11).
CREATE TABLE idempotency_keys (
  actor_id     uuid NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  outcome      jsonb NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (actor_id, key)
) WITH (fillfactor = 90);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Capital that the operator put into the reserve, and who says so. Amounts in cents.
CREATE TABLE contributions (
  id             uuid PRIMARY KEY,
  amount         bigint NOT NULL CHECK (amount > 0),
  note           text NOT NULL CHECK (note <> ''),
  contributed_by text NOT NULL CHECK (contributed_by <> ''),
  created_at     timestamptz NOT NULL
);
CREATE TRIGGER contributions_are_final BEFORE UPDATE OR DELETE ON contributions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER contributions_are_not_truncated BEFORE TRUNCATE ON contributions EXECUTE FUNCTION refuse_change();
