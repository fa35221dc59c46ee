-- The keys that sign files for everybody, each from the moment of its first use.
CREATE TABLE signing_keys (
  id           text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{8}$'),
  public_key   text NOT NULL UNIQUE CHECK (public_key ~ '^[A-Za-z0-9_-]{43}$'),
  published_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE signing_keys IS 'Public keys of the pool. The key file has the private ones, and decides which of these count.';
COMMENT ON COLUMN signing_keys.public_key IS 'Ed25519, 32 bytes in base64url.';

ALTER TABLE pool_tapes
  ADD COLUMN key_id text REFERENCES signing_keys (id),
  ADD COLUMN signature text CHECK (signature ~ '^[A-Za-z0-9_-]{86}$'),
  ADD CONSTRAINT pool_tapes_signed_by_a_key CHECK ((key_id IS NULL) = (signature IS NULL));
COMMENT ON COLUMN pool_tapes.signature IS 'Ed25519 of name and digest, 64 bytes in base64url. NULL before files were signed.';
