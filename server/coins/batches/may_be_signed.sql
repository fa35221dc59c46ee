-- True for a withdrawal or a reserved loan whose file may be signed at any moment, and for such a
-- loan whose coins the chain shows.
CREATE OR REPLACE FUNCTION may_be_signed(payee uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
    WHERE (p.withdrawal_id = payee OR p.sending_id = payee)
      AND (p.is_open AND b.state IN ('WAITING', 'READY') OR p.sending_id IS NOT NULL AND p.transaction_id IS NOT NULL))
    OR EXISTS (SELECT FROM loan_confirmations AS c WHERE c.sending_id = payee)
$$;
