ALTER TABLE users ADD COLUMN taken_back_at timestamptz;
COMMENT ON COLUMN users.taken_back_at IS
  'Moment at which the owner last took the account back (server/recovery). Staff see a flag on '
  'withdrawals of before. NULL before the first.';
COMMENT ON COLUMN users.frozen_since IS
  'Moment of the mail with that link. Only factors and recovery codes from before it lift the '
  'freeze, and those from after it go then.';
COMMENT ON COLUMN recovery_codes.created_at IS
  'The moment of its making. A freeze is lifted by codes from before it alone.';
