COMMENT ON TABLE login_throttles IS
  'Failed sign-ins, counted by account, by address, and by the two together, for all nodes; and registrations, by range of addresses.';
COMMENT ON COLUMN login_throttles.failures IS 'How many; of registrations all of an hour.';
COMMENT ON COLUMN login_throttles.last_at IS 'The last attempt; of registrations the first of the hour.';
