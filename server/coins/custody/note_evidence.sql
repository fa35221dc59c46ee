-- A withdrawal that staff mark as sent explains a spending that was seen before, and one that was
-- given back explains none any more.
CREATE OR REPLACE FUNCTION note_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT network_name, transaction_id FROM spendings
  WHERE ((network_name, transaction_id) IN ((NEW.sent_network, NEW.sent_evidence), (OLD.sent_network, OLD.sent_evidence))
      OR transaction_id IN (SELECT transaction_id FROM batch_payouts WHERE withdrawal_id = NEW.id))
    AND state = 'CONFIRMED';
  RETURN NULL;
END $$;
