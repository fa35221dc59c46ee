CREATE TABLE links (
  id           uuid PRIMARY KEY,
  kind         text NOT NULL CHECK (kind IN ('CONFIRM', 'CHANGE', 'RESET', 'FREEZE', 'GIVE_BACK', 'INVITE')),
  user_id      uuid REFERENCES users,
  address      text NOT NULL CONSTRAINT links_address_is_lower_case CHECK (address = lower(address)),
  token_digest bytea NOT NULL UNIQUE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  ended_at     timestamptz,
  CONSTRAINT links_of_users_or_invites CHECK ((user_id IS NULL) = (kind = 'INVITE'))
);
COMMENT ON TABLE links IS
  'Mailed links that work once (server/links). Their rows go a day after their end.';
COMMENT ON COLUMN links.id IS 'Of an invite, the id of its proposal.';
COMMENT ON COLUMN links.kind IS
  'CONFIRM an email or CHANGE it, RESET the password, FREEZE the account, or open that of an '
  'INVITE. GIVE_BACK freezes, too, and keeps its address from other accounts.';
COMMENT ON COLUMN links.address IS 'The mailbox that it was mailed to.';
COMMENT ON COLUMN links.token_digest IS
  'SHA-256 of the token. The token is stored nowhere: the sender derives it from the id.';
COMMENT ON COLUMN links.ended_at IS 'Its use, or the act that ended it without one.';

CREATE INDEX links_by_user ON links (user_id);
CREATE INDEX links_by_address ON links (address);
CREATE UNIQUE INDEX links_invite_once ON links (address) WHERE kind = 'INVITE' AND ended_at IS NULL;

INSERT INTO links
SELECT l.id, 'RESET', l.user_id, lower(u.username), l.token_digest, l.created_at, l.expires_at, l.used_at
FROM password_resets AS l JOIN users AS u ON u.id = l.user_id
UNION ALL
SELECT id, kind, user_id, email, token_digest, created_at, expires_at, used_at FROM email_links
UNION ALL
SELECT l.id, CASE WHEN l.email IS NULL THEN 'FREEZE' ELSE 'GIVE_BACK' END, l.user_id,
  coalesce(l.email, lower(u.username)), l.token_digest, l.created_at, l.expires_at, l.used_at
FROM freeze_links AS l JOIN users AS u ON u.id = l.user_id
UNION ALL
SELECT id, 'INVITE', NULL, email, token_digest, expires_at - interval '72 hours', expires_at, ended_at FROM invites;

DROP TABLE password_resets, email_links, freeze_links, invites;
