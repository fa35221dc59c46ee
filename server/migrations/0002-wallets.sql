-- Deposit wallets. A wallet is Available until it is assigned to an investor, and then theirs for good:
-- an address is never shown to two people (threat 18).

CREATE TABLE wallets (
  id           uuid PRIMARY KEY,
  address      text NOT NULL,
  network_name text NOT NULL,
  owner_id     uuid REFERENCES users CONSTRAINT wallets_one_per_owner UNIQUE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now()
);
-- One address can be valid on several networks; added twice, it could be shown to two people.
CREATE UNIQUE INDEX wallets_address_key ON wallets (lower(address));
CREATE INDEX wallets_available ON wallets (created_at, id) WHERE owner_id IS NULL;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER wallets_stay_assigned BEFORE UPDATE ON wallets FOR EACH ROW
  WHEN (OLD.owner_id IS NOT NULL AND NEW.owner_id IS DISTINCT FROM OLD.owner_id OR NEW.address <> OLD.address)
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER wallets_assigned_are_kept BEFORE DELETE ON wallets FOR EACH ROW
  WHEN (OLD.owner_id IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER wallets_are_not_truncated BEFORE TRUNCATE ON wallets EXECUTE FUNCTION refuse_change();
