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

ALTER TABLE access_changes
  ALTER COLUMN user_id DROP NOT NULL,
  DROP CONSTRAINT access_changes_kind_check,
  ADD CONSTRAINT access_changes_kind_check
    CHECK (kind IN ('GRANT', 'REVOKE', 'SUSPEND', 'RESUME', 'RESET_FACTORS', 'INVITE')),
  DROP CONSTRAINT access_changes_name_a_role,
  ADD CONSTRAINT access_changes_name_a_role CHECK ((kind IN ('GRANT', 'REVOKE', 'INVITE')) = (role IS NOT NULL)),
  ADD CONSTRAINT access_changes_of_users_or_invites CHECK ((kind = 'INVITE') = (user_id IS NULL));

CREATE TABLE invites (
  id           uuid PRIMARY KEY REFERENCES access_changes,
  email        text NOT NULL CONSTRAINT invites_email_is_lower_case CHECK (email = lower(email)),
  first_name   text NOT NULL,
  last_name    text NOT NULL,
  country      text NOT NULL,
  language     text NOT NULL CHECK (language IN ('en', 'es')),
  token_digest bytea UNIQUE,
  expires_at   timestamptz,
  ended_at     timestamptz,
  user_id      uuid REFERENCES users,
  CONSTRAINT invites_have_links_that_end CHECK ((token_digest IS NULL) = (expires_at IS NULL)),
  CONSTRAINT invites_are_used_once CHECK (user_id IS NULL OR (ended_at IS NOT NULL AND token_digest IS NOT NULL))
);
COMMENT ON TABLE invites IS
  'People who are invited to the staff. Their account is made when they set a password.';
COMMENT ON COLUMN invites.language IS 'That of the super admin who asked, for the mail.';
COMMENT ON COLUMN invites.token_digest IS
  'SHA-256 of the token of the mailed link. NULL before the approval.';
COMMENT ON COLUMN invites.ended_at IS 'The use of the link, its withdrawal, or a later invite.';
COMMENT ON COLUMN invites.user_id IS 'The account that the link has made.';

CREATE UNIQUE INDEX invites_stand_once ON invites (email) WHERE ended_at IS NULL;

ALTER TABLE mails ALTER COLUMN user_id DROP NOT NULL;
COMMENT ON COLUMN mails.user_id IS 'NULL for invites, whose reader has no account yet.';
