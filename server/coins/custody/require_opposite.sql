-- A movement that takes another back is its exact opposite.
CREATE OR REPLACE FUNCTION require_opposite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM coin_movements AS m WHERE m.id = NEW.takes_back AND m.takes_back IS NULL
      AND (m.network_name, m.asset, m.decimals, m.from_account, m.to_account, m.units, m.height, m.cause, m.cause_id)
        = (NEW.network_name, NEW.asset, NEW.decimals, NEW.to_account, NEW.from_account, NEW.units, NEW.height, NEW.cause, NEW.cause_id)) THEN
    RAISE EXCEPTION 'coin movement % is not the opposite of %', NEW.id, NEW.takes_back USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
