-- The transactions that are investments.
CREATE OR REPLACE VIEW investments AS
  SELECT id, user_id, amount AS principal, rate_basis_points, interest, duration_days, investment_status AS status, matures_at, created_at, updated_at,
    borne, amount - borne AS returned
  FROM transactions WHERE type = 'investment';
