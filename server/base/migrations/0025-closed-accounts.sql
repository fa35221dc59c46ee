ALTER TABLE users ADD COLUMN closed_at timestamptz;
COMMENT ON TABLE users IS
  'People who can sign in, and closed accounts without personal data. Rows stay and keep their ids.';
COMMENT ON COLUMN users.username IS
  'The email address, in lower case. Of a closed account, closed- and its id.';
COMMENT ON COLUMN users.closed_at IS
  'Moment at which the owner closed the account, for good. NULL before.';

-- No money can enter or move in an account that must stay empty.
ALTER TABLE accounts
  ADD COLUMN closed_at timestamptz,
  ADD CONSTRAINT accounts_closed_are_empty CHECK (closed_at IS NULL OR balance = 0);
COMMENT ON COLUMN accounts.closed_at IS
  'The moment when its owner closed the account (trigger users_close_accounts). NULL before.';
