ALTER TABLE access_changes
  DROP CONSTRAINT access_changes_kind_check,
  ADD CONSTRAINT access_changes_kind_check CHECK (kind IN ('GRANT', 'REVOKE', 'SUSPEND', 'RESUME', 'RESET_FACTORS')),
  ADD CONSTRAINT access_changes_reset_factors_of_others CHECK (kind <> 'RESET_FACTORS' OR status <> 'DONE'
    OR (asked_by <> user_id AND decided_by IS DISTINCT FROM user_id));

CREATE TABLE factor_resets (
  id          uuid PRIMARY KEY REFERENCES access_changes,
  user_id     uuid NOT NULL REFERENCES users,
  rests_until timestamptz,
  ended_at    timestamptz,
  outcome     text CHECK (outcome IN ('DONE', 'STOPPED')),
  CONSTRAINT factor_resets_end_with_an_outcome CHECK ((ended_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT factor_resets_rest_first CHECK (outcome IS DISTINCT FROM 'DONE' OR ended_at >= rests_until)
);
COMMENT ON TABLE factor_resets IS
  'Resets of lost second factors. A reset rests after its approval, and its owner can stop it.';
COMMENT ON COLUMN factor_resets.rests_until IS
  'Moment from which the factors are removed at their next use. NULL before the approval.';

CREATE UNIQUE INDEX factor_resets_stand_once ON factor_resets (user_id) WHERE ended_at IS NULL;

COMMENT ON COLUMN users.withdrawals_rest_until IS
  'No withdrawal can be requested before. Set when a mailed link replaced the password or the '
  'email, and when lost second factors were reset.';
