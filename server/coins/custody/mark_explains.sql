-- The worth in cents of an output, with those before it to the same address, by the rate then, and
-- of the withdrawals that staff marked as paid with them. No row without a mark.
CREATE OR REPLACE FUNCTION marked_worth(spending uuid, place integer) RETURNS TABLE (worth numeric, marked numeric) LANGUAGE sql STABLE AS $$
  WITH coin AS (
    SELECT s.id, s.network_name, s.transaction_id, s.batch_id, s.seen_at, c.address
    FROM spendings AS s JOIN sent_coins AS c ON c.spending_id = s.id WHERE s.id = spending AND c.output = place
  ), marks AS MATERIALIZED (
    SELECT t.amount, t.sent_output AS output
    FROM coin AS c JOIN transactions AS t ON t.sent_network = c.network_name AND t.sent_evidence = c.transaction_id
    WHERE t.type = 'withdrawal' AND t.status IN ('PROCESSING', 'COMPLETED') AND t.sent_by IS NOT NULL
      -- A sandbox, and releases before payees, approved without an address.
      AND (coalesce(t.payee_address, '') = '' OR lower(t.payee_address) = lower(c.address))
      -- A batch paid it, so the mark pays for nothing more.
      AND NOT EXISTS (SELECT FROM batch_payouts AS p WHERE p.withdrawal_id = t.id AND p.transaction_id IS NOT NULL)
  ), paid AS (
    SELECT o.output, EXISTS (SELECT FROM marks AS m WHERE m.output = o.output) AS named, o.units * 100 / 10::numeric ^ o.decimals
      * CASE WHEN o.asset IN ('USDC', 'USDT') THEN 1 ELSE (
        SELECT r.dollars FROM rates AS r WHERE r.coin = o.asset AND r.created_at <= c.seen_at ORDER BY r.created_at DESC, r.id DESC LIMIT 1) END AS worth
    FROM coin AS c JOIN sent_coins AS o ON o.spending_id = c.id AND lower(o.address) = lower(c.address)
    WHERE EXISTS (SELECT FROM marks)
      AND NOT EXISTS (SELECT FROM batch_payouts AS p WHERE p.batch_id = c.batch_id AND p.transaction_id = c.transaction_id AND p.output = o.output)
  )
  -- Marks that name this output cover it alone, the others the outputs that no mark names.
  SELECT sum(p.worth), max(most.amount)
  FROM paid AS p JOIN (SELECT bool_or(m.output = place) AS named, sum(m.amount) AS amount FROM marks AS m
      WHERE m.output = place OR m.output IS NULL AND NOT EXISTS (SELECT FROM marks AS n WHERE n.output = place)) AS most
    ON CASE WHEN most.named THEN p.output = place ELSE NOT p.named AND p.output <= place END
  HAVING bool_or(p.output = place) AND bool_and(p.worth IS NOT NULL)
$$;
-- True for an output that marks of staff explain: 1 % and a dollar are the fee of a network.
CREATE OR REPLACE FUNCTION mark_explains(spending uuid, place integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT worth <= marked * 1.01 + 100 FROM marked_worth(spending, place)), false)
$$;
-- True for an output that pays what is marked with it, no more and no less.
CREATE OR REPLACE FUNCTION mark_pays(spending uuid, place integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT worth BETWEEN marked * 0.99 - 100 AND marked * 1.01 + 100 FROM marked_worth(spending, place)), false)
$$;
