-- Who is signed in, and how often somebody tried to be.

-- Only the SHA-256 of a token is kept: reading this table lets nobody in. No index is on when a
-- session was used, and pages have room, so that writing it rewrites the row in place.
CREATE TABLE sessions (
  token_hash   bytea PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE INDEX sessions_user ON sessions (user_id);

-- Failed sign-ins, counted by account, by address, and by the two together: shared by every node,
-- and only as digests of what they count.
CREATE TABLE login_throttles (
  key          bytea PRIMARY KEY,
  failures     integer NOT NULL CHECK (failures >= 0),
  last_at      timestamptz NOT NULL,
  -- Of an account and an address together: the last sign-in to that account from that address.
  succeeded_at timestamptz
);
CREATE INDEX login_throttles_by_age ON login_throttles (last_at);
