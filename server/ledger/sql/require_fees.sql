-- Refuses to any writer a withdrawal that is held, completed or given back without the share of its
-- fee, and a share without its withdrawal. A key of movements keeps both single.
CREATE OR REPLACE FUNCTION require_fees() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  odd uuid := (
    SELECT p.reference_id FROM (
      SELECT reference_id, CASE WHEN name IN ('withdrawal_held', 'withdrawal_fee_borne') THEN 'held'
          WHEN name IN ('withdrawal_completed', 'withdrawal_fee_kept') THEN 'kept' ELSE 'returned' END AS step,
        count(*) FILTER (WHERE name NOT LIKE '%_fee_%') AS moves, coalesce(sum(amount) FILTER (WHERE name LIKE '%_fee_%'), 0) AS fee
      FROM posted
      WHERE name IN ('withdrawal_held', 'withdrawal_released', 'withdrawal_returned', 'withdrawal_completed', 'withdrawal_fee_borne', 'withdrawal_fee_kept', 'withdrawal_fee_returned')
      GROUP BY 1, 2
    ) AS p LEFT JOIN transactions AS t ON t.id = p.reference_id
    WHERE p.fee <> coalesce(t.fee, 0) OR p.moves <> 1 LIMIT 1);
BEGIN
  IF odd IS NOT NULL THEN
    RAISE EXCEPTION 'withdrawal % moves without the share of its fee', odd USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
