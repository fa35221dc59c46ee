-- Outcomes that are stored for repeats name refusals by the codes of contract/refusals.ts.
UPDATE idempotency_keys SET outcome = CASE
  WHEN outcome ->> 'refused' = 'alreadyDecided' THEN '{"refused": "transactionNotFound"}'
  WHEN outcome ->> 'refused' = 'noAccount' THEN '{"refused": "internal", "why": "names an account that was never opened"}'
  WHEN outcome ->> 'kind' = 'available'
    THEN jsonb_build_object('refused', 'insufficientFunds', 'balance', outcome ->> 'balance')
  WHEN outcome ->> 'kind' = 'reserve' THEN '{"refused": "reserveExhausted"}'
  ELSE jsonb_build_object('refused', 'internal', 'why',
    format('found only %s cents in %s', outcome ->> 'balance', outcome ->> 'kind'))
END
WHERE outcome ->> 'refused' IN ('short', 'noAccount')
  OR outcome ->> 'refused' = 'alreadyDecided' AND outcome ->> 'status' IS NULL;
