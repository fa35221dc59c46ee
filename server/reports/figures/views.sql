-- The correct tallies, counted from the rows by day.
CREATE OR REPLACE VIEW recounted AS
  SELECT 'transactions' AS noun, utc_day(created_at) AS day, type AS kind, status, count(*) AS rows, sum(amount) AS cents, 0::numeric AS interest
  FROM transactions GROUP BY utc_day(created_at), type, status
  UNION ALL
  SELECT 'decisions', utc_day(updated_at), type, 'APPROVED', count(*), sum(amount), 0
  FROM transactions WHERE is_approved(type, status) GROUP BY utc_day(updated_at), type
  UNION ALL
  SELECT 'fees', utc_day(created_at), '', status, count(*), sum(fee), 0 FROM transactions WHERE fee > 0 GROUP BY utc_day(created_at), status
  UNION ALL
  SELECT 'investments', utc_day(created_at), duration_days::text, status, count(*), sum(returned), sum(interest) FROM investments GROUP BY utc_day(created_at), duration_days, status
  UNION ALL
  SELECT 'maturities', utc_day(updated_at), '', status, count(*), sum(returned), sum(interest)
  FROM investments WHERE status = 'COMPLETED' GROUP BY utc_day(updated_at), status
  UNION ALL
  SELECT 'users', utc_day(created_at), '', '', count(*), 0, 0 FROM users GROUP BY utc_day(created_at)
  UNION ALL
  SELECT 'wallets', utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id), count(*), 0, 0
  FROM wallets GROUP BY utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id)
  UNION ALL
  SELECT 'loans', utc_day(created_at), '', status, count(*), 0, 0 FROM loans GROUP BY utc_day(created_at), status
  UNION ALL
  SELECT 'audit', utc_day(created_at), audit_kind(action, after), '', count(*), 0, 0 FROM audit_entries GROUP BY utc_day(created_at), audit_kind(action, after);
