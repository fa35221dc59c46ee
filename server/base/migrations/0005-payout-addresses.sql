CREATE TABLE payout_addresses (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  address      text NOT NULL,
  network_name text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  usable_from  timestamptz NOT NULL CHECK (usable_from >= created_at)
);
COMMENT ON TABLE payout_addresses IS
  'Every payout address that an investor saved. Rows stay, and the newest usable one counts.';
COMMENT ON COLUMN payout_addresses.usable_from IS
  'After created_at for a replacement, so that its owner can stop a thief.';

CREATE INDEX payout_addresses_in_use ON payout_addresses (user_id, created_at DESC, id DESC);
CREATE INDEX payout_addresses_by_address ON payout_addresses (user_id, lower(address), created_at);
