-- Refuses to any writer to settle coins that nothing explains without a proposal of two people. The
-- alarm of a spending follows it.
CREATE OR REPLACE FUNCTION require_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  by_two boolean;
BEGIN
  IF TG_TABLE_NAME = 'spendings' THEN
    by_two := EXISTS (
      SELECT FROM proposals WHERE id = NEW.settlement_id AND kind = 'SETTLE_SPENDING' AND status = 'DONE' AND NOT alone
        AND subject = NEW.network_name || ' ' || NEW.transaction_id);
  ELSE
    by_two := EXISTS (SELECT FROM spendings WHERE id = NEW.spending_id AND settlement_id IS NOT NULL);
  END IF;
  IF NOT by_two THEN
    RAISE EXCEPTION 'row % of % is settled by two people', NEW.id, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
