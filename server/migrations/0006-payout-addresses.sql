-- Every address that was ever saved; the newest one that has waited long enough is in use. Rows
-- stay, so that what a withdrawal was paid to can be told later.
CREATE TABLE payout_addresses (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  address      text NOT NULL,
  network_name text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  usable_from  timestamptz NOT NULL CHECK (usable_from >= created_at)
);
CREATE INDEX payout_addresses_in_use ON payout_addresses (user_id, created_at DESC, id DESC);
