-- Refuses to any writer to settle an alarm of coins that two people did not settle.
CREATE OR REPLACE FUNCTION require_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM spendings WHERE id = NEW.spending_id AND settlement_id IS NOT NULL) THEN
    RAISE EXCEPTION 'alarm % is settled by two people', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
