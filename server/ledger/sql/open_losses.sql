-- Write-offs whose loss nothing bears yet.
CREATE OR REPLACE FUNCTION open_losses() RETURNS SETOF loan_write_offs LANGUAGE sql STABLE AS $$
  SELECT w.* FROM loan_write_offs AS w WHERE w.lost > 0 AND NOT EXISTS (SELECT FROM losses_borne WHERE write_off_id = w.id)
$$;

-- The cents of all of them.
CREATE OR REPLACE FUNCTION open_loss() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(lost), 0)::bigint FROM open_losses()
$$;
