-- All that rests on transactions of chains. A repayment names no network, so its reference alone is
-- compared. An output of -1 is the coin of an EVM network, and NULL is the whole transaction.
CREATE OR REPLACE FUNCTION uses_of(networks text[], hashes text[])
RETURNS TABLE (id uuid, kind text, network text, hash text, output integer, wallet_id uuid) LANGUAGE sql STABLE AS $$
  SELECT t.id, 'deposit', n.network, n.hash, t.evidence_output, t.wallet_id
  FROM unnest(networks, hashes) AS n (network, hash) JOIN transactions AS t ON t.evidence_network = n.network AND t.evidence = n.hash
  WHERE t.evidence IS NOT NULL AND t.status IN ('PENDING', 'APPROVED')
  UNION ALL
  SELECT c.id, 'capital', n.network, n.hash,
    coalesce(substring(c.evidence FROM ':(-?[0-9]+)$')::integer, CASE c.source WHEN 'SEEN' THEN -1 END), NULL
  FROM unnest(networks, hashes) AS n (network, hash)
  JOIN contributions AS c ON c.network_name = n.network AND split_part(lower(c.evidence), ':', 1) = lower(n.hash)
  UNION ALL
  SELECT d.id, 'disbursement', n.network, n.hash, d.output, NULL
  FROM unnest(networks, hashes) AS n (network, hash) JOIN loan_disbursements AS d ON d.network_name = n.network AND d.evidence = n.hash
  UNION ALL
  SELECT r.id, 'repayment', n.network, n.hash, substring(r.reference FROM ':(-?[0-9]{1,6})$')::integer, NULL
  FROM unnest(networks, hashes) AS n (network, hash)
  JOIN loan_repayments AS r ON regexp_replace(lower(r.reference), '^0x|:.*$', '', 'g') = regexp_replace(lower(n.hash), '^0x', '')
  WHERE NOT r.reversed
$$;
