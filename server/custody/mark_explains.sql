-- True for an output that marks of staff explain. It pays the payee of marked withdrawals, and with
-- the outputs before it no more than they are worth by the rate then, 1 % and a dollar beside.
CREATE OR REPLACE FUNCTION mark_explains(spending uuid, place integer) RETURNS boolean LANGUAGE sql STABLE AS $$
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
  SELECT coalesce((
    SELECT bool_or(paid.output = place) AND bool_and(worth IS NOT NULL) AND sum(worth) <= max(most.amount) * 1.01 + 100
    FROM paid JOIN (SELECT bool_or(m.output = place) AS named, sum(m.amount) AS amount FROM marks AS m
        WHERE m.output = place OR m.output IS NULL AND NOT EXISTS (SELECT FROM marks AS n WHERE n.output = place)) AS most
      ON CASE WHEN most.named THEN paid.output = place ELSE NOT paid.named AND paid.output <= place END), false)
$$;
