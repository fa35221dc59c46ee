-- Cents that one person, or the product as NULL, decided about in 24 hours, by approving person and
-- investor or borrower. NULL in place of the latter for money that another row counts already.
CREATE OR REPLACE FUNCTION decided_alone() RETURNS TABLE (approver uuid, investor uuid, amount bigint) LANGUAGE sql STABLE AS $$
  WITH known AS MATERIALIZED (SELECT account, person FROM same_people()),
  requests AS (
    SELECT coalesce(s.person, t.decided_by) AS person, t.user_id, t.amount
    FROM transactions AS t LEFT JOIN known AS s ON s.account = t.decided_by
    WHERE t.ending IN ('decided', 'automatic') AND t.status <> 'REJECTED' AND t.approvals_needed = 1 AND t.updated_at > now() - interval '24 hours'
  ), completions AS (
    SELECT coalesce(s.person, t.completed_by) AS person, coalesce(d.person, t.decided_by) AS decider, t.user_id, t.amount,
      t.approvals_needed = 1 AND t.updated_at > now() - interval '24 hours' AS counted
    FROM transactions AS t LEFT JOIN known AS s ON s.account = t.completed_by LEFT JOIN known AS d ON d.account = t.decided_by
    WHERE t.completed_by IS NOT NULL AND t.completed_at > now() - interval '24 hours'
  ), loans AS (
    SELECT r.recorded_by AS account, l.borrower_id, r.principal + r.interest AS amount
    FROM loan_repayments AS r JOIN loans AS l ON l.id = r.loan_id
    WHERE r.agreed_id IS NULL AND r.recovered = 0 AND r.created_at > now() - interval '24 hours'
    UNION ALL
    SELECT v.reversed_by, l.borrower_id, v.principal + v.interest + v.recovered
    FROM loan_reversals AS v JOIN loan_repayments AS r ON r.id = v.repayment_id JOIN loans AS l ON l.id = r.loan_id
    WHERE v.agreed_id IS NULL AND v.created_at > now() - interval '24 hours'
      -- The same person's repayment of the day counts.
      AND NOT (r.recorded_by = v.reversed_by AND r.agreed_id IS NULL AND r.recovered = 0 AND r.created_at > now() - interval '24 hours')
  )
  SELECT a.person, a.about, sum(a.amount)::bigint FROM (
    SELECT person, user_id AS about, amount FROM requests
    UNION ALL
    SELECT person, CASE WHEN NOT counted THEN user_id END, amount FROM completions WHERE NOT counted OR person IS DISTINCT FROM decider
    UNION ALL
    SELECT coalesce(s.person, l.account), l.borrower_id, l.amount FROM loans AS l LEFT JOIN known AS s ON s.account = l.account
  ) AS a GROUP BY 1, 2
$$;
