-- True for a repayment of the amount, day and reference of a reversed one that the payload names.
CREATE OR REPLACE FUNCTION is_placed_anew(payload jsonb, repayment uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM loan_repayments AS r JOIN loan_repayments AS o ON o.loan_id = r.loan_id AND o.reversed
    WHERE r.id = repayment AND payload -> 'repaymentIds' ? o.id::text
      AND (o.value_on, o.reference, o.principal + o.interest) = (r.value_on, r.reference, r.principal + r.interest))
$$;

-- Refuses to any writer a repayment or reversal of one person above a limit or by an old value
-- date, and one of two people whose proposal is another.
CREATE OR REPLACE FUNCTION require_lone_limits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    WITH fresh AS (
      SELECT f.*, r.loan_id, r.value_on, r.reference, l.borrower_id
      FROM (SELECT (c ->> 'agreed_id')::uuid AS agreed_id, coalesce(c ->> 'repayment_id', c ->> 'id')::uuid AS repayment_id, c ? 'repayment_id' AS reverses,
          coalesce(c ->> 'recorded_by', c ->> 'reversed_by')::uuid AS by, (c ->> 'created_at')::timestamptz AS created_at,
          (c ->> 'principal')::bigint + (c ->> 'interest')::bigint + (c ->> 'recovered')::bigint AS amount, (c ->> 'recovered')::bigint > 0 AS recovers
        FROM (SELECT to_jsonb(come) AS c FROM come) AS rows) AS f
      JOIN loan_repayments AS r ON r.id = f.repayment_id JOIN loans AS l ON l.id = r.loan_id
      -- Recoveries take two by a trigger of their own.
      WHERE f.reverses OR NOT f.recovers
    ), single AS (SELECT * FROM fresh WHERE agreed_id IS NULL)
    SELECT WHERE CASE WHEN EXISTS (SELECT FROM single) THEN
      exceeds_alone(ARRAY(SELECT by FROM single), ARRAY(SELECT borrower_id FROM single)) END
    UNION ALL SELECT FROM single WHERE created_at <> now() OR value_on < (now() AT TIME ZONE 'UTC')::date - 3
    UNION ALL SELECT FROM fresh AS f WHERE f.agreed_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM proposals AS p WHERE p.id = f.agreed_id AND is_agreement(p, '{}')
        AND (p.decided_at = now() OR p.kind = 'IMPORT_REPAYMENTS') AND CASE WHEN f.reverses THEN p.kind = 'REVERSE_REPAYMENT' AND p.payload ->> 'repaymentId' = f.repayment_id::text
            OR p.kind = 'RECOUNT_LOAN' AND p.payload -> 'repaymentIds' ? f.repayment_id::text
          ELSE p.kind = 'IMPORT_REPAYMENTS' AND EXISTS (SELECT FROM repayment_files WHERE proposal_id = p.id)
            OR p.kind = 'RECOUNT_LOAN' AND is_placed_anew(p.payload, f.repayment_id)
            OR p.kind = 'REPAY_LOAN' AND p.subject = f.loan_id::text AND (p.payload ->> 'amount')::numeric * 100 = f.amount
              AND (p.payload ->> 'valueOn', p.payload ->> 'reference') = (f.value_on::text, f.reference) END)
  ) THEN
    RAISE EXCEPTION 'one person may not change that much of loans alone' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
