ALTER TABLE sessions
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT sessions_id_key UNIQUE,
  ADD COLUMN ip text NOT NULL DEFAULT '',
  ADD COLUMN user_agent text NOT NULL DEFAULT ''
    CONSTRAINT sessions_user_agent_is_short CHECK (length(user_agent) <= 200);
COMMENT ON COLUMN sessions.id IS 'Its public name. The hash of the token is not sent.';
COMMENT ON COLUMN sessions.ip IS 'The IP address of the sign-in. Empty where none is known.';
COMMENT ON COLUMN sessions.user_agent IS 'As the browser named itself, cut at 200 characters.';

CREATE TABLE known_devices (
  user_id      uuid NOT NULL REFERENCES users,
  digest       bytea NOT NULL,
  language     text NOT NULL CHECK (language IN ('en', 'es')),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, digest)
);
COMMENT ON TABLE known_devices IS
  'Devices that users signed in from. Forgotten after 90 days, except the latest of each user.';
COMMENT ON COLUMN known_devices.digest IS 'SHA-256 of browser, system and range of IP addresses.';
COMMENT ON COLUMN known_devices.language IS 'The language of its last sign-in, for mails.';

ALTER TABLE users
  ADD COLUMN frozen_at timestamptz,
  ADD COLUMN frozen_since timestamptz,
  ADD CONSTRAINT users_frozen_since_a_moment CHECK (num_nulls(frozen_at, frozen_since) IN (0, 2));
COMMENT ON COLUMN users.frozen_at IS
  'Moment at which the owner froze the account by a mailed link. NULL when it is not frozen.';
COMMENT ON COLUMN users.frozen_since IS
  'Moment of the mail with that link. Second factors from before it lift the freeze.';

CREATE TABLE freeze_links (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  token_digest bytea NOT NULL UNIQUE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  used_at      timestamptz
);
COMMENT ON TABLE freeze_links IS 'Mailed links that freeze their owner''s account. Each works once.';
COMMENT ON COLUMN freeze_links.token_digest IS
  'SHA-256 of the token. The token is stored nowhere: the sender derives it from the id.';
COMMENT ON COLUMN freeze_links.used_at IS
  'The use of this link, or of another one of the same user, which ends them all.';

CREATE INDEX freeze_links_by_user ON freeze_links (user_id);
