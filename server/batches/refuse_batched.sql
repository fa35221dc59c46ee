-- Refuses to any writer a mark or a return of a withdrawal whose file may be signed at any moment:
-- it would be paid twice.
CREATE OR REPLACE FUNCTION refuse_batched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
    WHERE p.withdrawal_id = NEW.id AND p.is_open AND b.state IN ('WAITING', 'READY')) THEN
    RAISE EXCEPTION 'withdrawal % is in a batch', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
