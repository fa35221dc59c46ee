-- A leg may give to another investor than the one who owns the operation.
ALTER TYPE operation_leg ADD ATTRIBUTE to_owner uuid;
COMMENT ON TYPE operation_leg IS
  'From an account of the operation''s owner, or of the pool, to another account. In cents.';
COMMENT ON COLUMN operation_leg.to_owner IS
  'The investor who receives. NULL: the operation''s owner, or the pool, by the kind of account.';
COMMENT ON COLUMN operation.owner_id IS
  'The investor whose available, held and invested accounts the legs mean. No other investor pays.';
