-- Refuses to any writer a mark of the product without the payout that it rests on: a transaction
-- that the node shows, and confirmed for a completion.
CREATE OR REPLACE FUNCTION require_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
      JOIN spendings AS s ON s.network_name = b.network_name AND s.transaction_id = p.transaction_id
    WHERE p.withdrawal_id = NEW.id AND b.network_name = NEW.sent_network AND p.transaction_id = NEW.sent_evidence
      AND (nullif(p.output, -1) IS NOT DISTINCT FROM NEW.sent_output OR NEW.sent_by IS NOT NULL AND NEW.sent_output IS NULL)
      AND (s.state = 'CONFIRMED' OR s.state = 'SEEN' AND NEW.completed_basis IS NULL)) THEN
    RAISE EXCEPTION 'withdrawal % has no payout on the chain', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
