-- Refuses to any writer a mark of the product without what it rests on: the payout of a batch or
-- what staff marked, which the node shows, confirmed for a completion, or two who agreed to it.
CREATE OR REPLACE FUNCTION require_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
      JOIN spendings AS s ON s.network_name = b.network_name AND s.transaction_id = p.transaction_id
    WHERE p.withdrawal_id = NEW.id AND b.network_name = NEW.sent_network AND p.transaction_id = NEW.sent_evidence
      AND (nullif(p.output, -1) IS NOT DISTINCT FROM NEW.sent_output OR NEW.sent_by IS NOT NULL AND NEW.sent_output IS NULL)
      AND (s.state = 'CONFIRMED' OR s.state = 'SEEN' AND NEW.completed_basis IS NULL))
  AND NOT (NEW.completed_basis IS NOT NULL AND NEW.sent_by IS NOT NULL AND (EXISTS (
    SELECT FROM spendings AS s JOIN sent_coins AS c ON c.spending_id = s.id
    WHERE s.network_name = NEW.sent_network AND s.transaction_id = NEW.sent_evidence AND s.state = 'CONFIRMED'
      AND lower(c.address) = lower(NEW.payee_address) AND c.output = coalesce(NEW.sent_output, c.output) AND mark_pays(s.id, c.output)
  ) OR EXISTS (
    SELECT FROM proposals AS p
    WHERE p.kind = 'COMPLETE_WITHDRAWAL' AND p.subject = NEW.id::text AND p.decided_at = now() AND is_agreement(p, ARRAY[NEW.user_id])
      AND (p.payload ->> 'networkName', p.payload ->> 'evidence') = (NEW.sent_network, NEW.sent_evidence || coalesce(':' || NEW.sent_output, '')))))
  THEN
    RAISE EXCEPTION 'withdrawal % has no payout on the chain', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
