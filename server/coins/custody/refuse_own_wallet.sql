-- An address of the pool's own is no deposit address: coins would count in two classes.
CREATE OR REPLACE FUNCTION refuse_own_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM own_addresses WHERE network_name = NEW.network_name AND lower(address) = lower(NEW.address)) THEN
    RAISE EXCEPTION 'wallet % is an own address of the pool', NEW.address USING ERRCODE = 'unique_violation', CONSTRAINT = 'wallets_address_key';
  END IF;
  RETURN NULL;
END $$;
