-- Refuses to any writer a mark or a return of a withdrawal whose file may be signed at any moment,
-- which would pay it twice, and the release of such a loan or of one whose coins the chain shows.
CREATE OR REPLACE FUNCTION refuse_batched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
    WHERE NEW.id IN (p.withdrawal_id, p.sending_id)
      AND (p.is_open AND b.state IN ('WAITING', 'READY') OR p.sending_id IS NOT NULL AND p.transaction_id IS NOT NULL))
    OR EXISTS (SELECT FROM loan_confirmations AS c WHERE c.sending_id = NEW.id) THEN
    RAISE EXCEPTION '% is in a batch', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
