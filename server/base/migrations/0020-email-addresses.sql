-- Users of the time before links count as confirmed, and new ones begin unconfirmed.
ALTER TABLE users ADD COLUMN email_confirmed_at timestamptz DEFAULT now();
ALTER TABLE users ALTER COLUMN email_confirmed_at DROP DEFAULT;
COMMENT ON COLUMN users.email_confirmed_at IS
  'Moment at which the user proved to read the mails of this address. NULL before.';
COMMENT ON COLUMN users.withdrawals_rest_until IS
  'No withdrawal can be requested before. Set when a mailed link replaced the password or the email.';

CREATE TABLE email_links (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  kind         text NOT NULL CHECK (kind IN ('CONFIRM', 'CHANGE')),
  email        text NOT NULL CONSTRAINT email_links_email_is_lower_case CHECK (email = lower(email)),
  token_digest bytea NOT NULL UNIQUE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  used_at      timestamptz
);
COMMENT ON TABLE email_links IS
  'Mailed links that confirm a user''s email address, or change it. Each works once.';
COMMENT ON COLUMN email_links.email IS 'The address that the link was mailed to.';
COMMENT ON COLUMN email_links.token_digest IS
  'SHA-256 of the token. The token is stored nowhere: the sender derives it from the id.';
COMMENT ON COLUMN email_links.used_at IS
  'The use of this link, or the act that ended it: another link''s use, a new change, a freeze.';

CREATE INDEX email_links_by_user ON email_links (user_id);

ALTER TABLE freeze_links ADD COLUMN email text
  CONSTRAINT freeze_links_email_is_lower_case CHECK (email = lower(email));
COMMENT ON COLUMN freeze_links.email IS
  'The address that the freeze gives back to the account. NULL in mails about new devices.';

CREATE INDEX freeze_links_by_email ON freeze_links (email) WHERE email IS NOT NULL;

COMMENT ON TABLE login_throttles IS
  'Failed sign-ins of all nodes by user, by IP and by both. Registrations by range of IPs, '
  'forgotten passwords by email and by range of IPs, links for emails by user, by email and by '
  'range of IPs, and guessed codes by user.';
