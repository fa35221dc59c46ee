-- Tables of this district (server/accounts/README.md).

CREATE TABLE users (
  id                     uuid PRIMARY KEY,
  username               text NOT NULL UNIQUE,
  password_hash          text NOT NULL,
  first_name             text NOT NULL,
  last_name              text NOT NULL,
  country                text NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  updated_at             timestamptz NOT NULL DEFAULT now(),
  suspended_at           timestamptz,
  withdrawals_rest_until timestamptz,
  frozen_at              timestamptz,
  frozen_since           timestamptz,
  email_confirmed_at     timestamptz,
  closed_at              timestamptz,
  taken_back_at          timestamptz,
  CONSTRAINT users_frozen_since_a_moment CHECK (num_nulls(frozen_at, frozen_since) IN (0, 2)),
  CONSTRAINT users_username_is_lower_case CHECK (username = lower(username))
);
COMMENT ON TABLE users IS
  'People who can sign in, and closed accounts without personal data. Rows stay and keep their ids.';
COMMENT ON COLUMN users.username IS
  'The email address, in lower case. Of a closed account, closed- and its id.';
COMMENT ON COLUMN users.password_hash IS 'Argon2id, in the PHC format.';
COMMENT ON COLUMN users.country IS 'Two letters, as registration sent them.';
COMMENT ON COLUMN users.suspended_at IS 'Moment of the suspension. NULL when the user may sign in.';
COMMENT ON COLUMN users.withdrawals_rest_until IS
  'No withdrawal can be requested before. Set when a mailed link replaced the password or the email, '
  'and when lost second factors were reset.';
COMMENT ON COLUMN users.frozen_at IS
  'Moment at which the owner froze the account by a mailed link. NULL when it is not frozen.';
COMMENT ON COLUMN users.frozen_since IS
  'Moment of the mail with that link. Only factors and recovery codes from before it lift the freeze, '
  'and those from after it go then.';
COMMENT ON COLUMN users.email_confirmed_at IS
  'Moment at which the user proved to read the mails of this address. NULL before.';
COMMENT ON COLUMN users.closed_at IS 'Moment at which the owner closed the account, for good. NULL before.';
COMMENT ON COLUMN users.taken_back_at IS
  'Moment at which the owner last took the account back (server/recovery). Staff see a flag on '
  'withdrawals of before. NULL before the first.';
CREATE INDEX users_by_age ON users (created_at, id);
CREATE INDEX users_by_name ON users (lower((((first_name || ' ') || last_name) COLLATE "und-x-icu")), id);

CREATE TABLE user_roles (
  user_id    uuid NOT NULL REFERENCES users,
  role       text NOT NULL CHECK (role IN ('USER', 'ADMIN', 'AUDITOR', 'SUPER_ADMIN')),
  granted_at timestamptz NOT NULL DEFAULT now(),
  alone_by   uuid REFERENCES users,
  PRIMARY KEY (user_id, role)
);
COMMENT ON TABLE user_roles IS 'Roles of users. A revoked role is deleted.';
COMMENT ON COLUMN user_roles.alone_by IS
  'The only super admin, who gave this role of staff alone. NULL when two people or the operator did.';
CREATE INDEX user_roles_by_role ON user_roles (role, user_id);
CREATE INDEX user_roles_given_alone ON user_roles (granted_at) WHERE alone_by IS NOT NULL;

CREATE TABLE notes (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users,
  author_id  uuid NOT NULL REFERENCES users,
  text       text NOT NULL CHECK (length(text) >= 1 AND length(text) <= 500),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE notes IS 'Notes of staff about users. They are only added.';
COMMENT ON COLUMN notes.user_id IS 'The user that the note is about.';
CREATE INDEX notes_by_user ON notes (user_id, created_at);

CREATE TABLE factors (
  id            uuid PRIMARY KEY,
  user_id       uuid NOT NULL REFERENCES users,
  kind          text NOT NULL CHECK (kind IN ('TOTP', 'PASSKEY')),
  name          text NOT NULL CHECK (length(name) >= 1 AND length(name) <= 60),
  key_id        text,
  last_step     bigint,
  credential_id bytea UNIQUE,
  public_key    bytea,
  counter       bigint CHECK (counter >= 0),
  transports    text[],
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz,
  CONSTRAINT factors_are_whole CHECK (
CASE kind
    WHEN 'TOTP' THEN (num_nonnulls(key_id, last_step) = 2
    AND (num_nonnulls(credential_id, public_key, counter, transports) = 0))
    ELSE (num_nonnulls(key_id,
    last_step) = 0 AND (num_nonnulls(credential_id, public_key, counter, transports) = 4))
END)
);
COMMENT ON TABLE factors IS 'Second factors of users, each proven once before it was added.';
COMMENT ON COLUMN factors.key_id IS
  'The key from which the secret of an authenticator app is derived. The secret is stored nowhere.';
COMMENT ON COLUMN factors.last_step IS
  'The 30 seconds of the last code, counted from 1970. Earlier codes are refused.';
COMMENT ON COLUMN factors.counter IS
  'Uses of a passkey, as its device counts them. Zero for devices that do not count.';
CREATE INDEX factors_by_user ON factors (user_id);

CREATE TABLE recovery_codes (
  digest     bytea PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at    timestamptz
);
COMMENT ON TABLE recovery_codes IS 'Codes in place of a lost factor. Each works once.';
COMMENT ON COLUMN recovery_codes.digest IS
  'SHA-256 of the user''s id and the code, which has 120 random bits and is not stored.';
COMMENT ON COLUMN recovery_codes.created_at IS
  'The moment of its making. A freeze is lifted by codes from before it alone.';
CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id);

CREATE TABLE used_challenges (
  digest     bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE used_challenges IS 'Challenges that a passkey has signed. Unused ones are stored nowhere.';
CREATE INDEX used_challenges_by_expiry ON used_challenges (expires_at);

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

CREATE TABLE links (
  id           uuid PRIMARY KEY,
  kind         text NOT NULL CHECK (kind IN ('CONFIRM', 'CHANGE', 'RESET', 'FREEZE', 'GIVE_BACK', 'INVITE')),
  user_id      uuid REFERENCES users,
  address      text NOT NULL,
  token_digest bytea NOT NULL UNIQUE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  ended_at     timestamptz,
  CONSTRAINT links_address_is_lower_case CHECK (address = lower(address)),
  CONSTRAINT links_of_users_or_invites CHECK ((user_id IS NULL) = (kind = 'INVITE'))
);
COMMENT ON TABLE links IS 'Mailed links that work once (server/links). Their rows go a day after their end.';
COMMENT ON COLUMN links.id IS 'Of an invite, the id of its proposal.';
COMMENT ON COLUMN links.kind IS
  'CONFIRM an email or CHANGE it, RESET the password, FREEZE the account, or open that of an INVITE. '
  'GIVE_BACK freezes, too, and keeps its address from other accounts.';
COMMENT ON COLUMN links.address IS 'The mailbox that it was mailed to.';
COMMENT ON COLUMN links.token_digest IS
  'SHA-256 of the token. The token is stored nowhere: the sender derives it from the id.';
COMMENT ON COLUMN links.ended_at IS 'Its use, or the act that ended it without one.';
CREATE INDEX links_by_address ON links (address);
CREATE INDEX links_by_user ON links (user_id);
CREATE UNIQUE INDEX links_invite_once ON links (address) WHERE (kind = 'INVITE') AND (ended_at IS NULL);

CREATE TABLE login_throttles (
  key          bytea PRIMARY KEY,
  failures     integer NOT NULL CHECK (failures >= 0),
  last_at      timestamptz NOT NULL,
  succeeded_at timestamptz
);
COMMENT ON TABLE login_throttles IS
  'Failed sign-ins of all nodes by user, by IP and by both. Registrations by range of IPs, forgotten '
  'passwords by email and by range of IPs, links for emails by user, by email and by range of IPs, and '
  'guessed codes by user.';
COMMENT ON COLUMN login_throttles.key IS 'Digest of the counted user, IP or range.';
COMMENT ON COLUMN login_throttles.failures IS
  'Number of failures, or of all registrations or forgotten passwords in an hour.';
COMMENT ON COLUMN login_throttles.last_at IS 'The last attempt, or the first registration of the hour.';
COMMENT ON COLUMN login_throttles.succeeded_at IS
  'The last sign-in of this user from this IP. NULL in other rows.';
CREATE INDEX login_throttles_by_age ON login_throttles (last_at);

CREATE TABLE mails (
  id              uuid PRIMARY KEY,
  user_id         uuid REFERENCES users,
  template        text NOT NULL,
  parameters      jsonb NOT NULL,
  language        text NOT NULL CHECK (language IN ('en', 'es')),
  recipient       text NOT NULL,
  status          text NOT NULL CHECK (status IN ('WAITING', 'SENT', 'KEPT', 'DEAD')),
  attempts        integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  cause           uuid
);
COMMENT ON TABLE mails IS 'The outbox. A mail is written in the transaction of its cause, and sent by a job.';
COMMENT ON COLUMN mails.user_id IS 'NULL for invites, whose reader has no account yet.';
COMMENT ON COLUMN mails.parameters IS
  'Values for the template, without secrets: a link is derived when the mail is sent.';
COMMENT ON COLUMN mails.status IS
  'WAITING to be sent; SENT; KEPT by a sandbox without SMTP; DEAD: refused, or given up.';
COMMENT ON COLUMN mails.attempts IS 'Also names the lease of a sender: a later attempt ends it.';
COMMENT ON COLUMN mails.next_attempt_at IS 'The next attempt, or the end of the lease of a sender.';
COMMENT ON COLUMN mails.expires_at IS 'The end of the link in it. A later mail would be of no use.';
COMMENT ON COLUMN mails.cause IS 'The notice that it tells of, once at most. NULL for other mails.';
CREATE INDEX mails_by_age ON mails (created_at, id);
CREATE INDEX mails_dead ON mails (created_at) WHERE status = 'DEAD';
CREATE UNIQUE INDEX mails_once_per_cause ON mails (cause) WHERE cause IS NOT NULL;
CREATE INDEX mails_to_send ON mails (next_attempt_at) WHERE status = 'WAITING';

CREATE TABLE mail_deliveries (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mail_id      uuid NOT NULL REFERENCES mails ON DELETE CASCADE,
  attempted_at timestamptz NOT NULL DEFAULT now(),
  outcome      text NOT NULL CHECK (outcome IN ('accepted', 'deferred', 'refused')),
  answer       text NOT NULL
);
COMMENT ON TABLE mail_deliveries IS 'The delivery log: every attempt to send a mail.';
COMMENT ON COLUMN mail_deliveries.answer IS 'The words of the mail server, or the fault.';
CREATE INDEX mail_deliveries_by_mail ON mail_deliveries (mail_id, id);

-- Tables of lower districts refer to these.
ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users;
ALTER TABLE reading_keys ADD CONSTRAINT reading_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users;
