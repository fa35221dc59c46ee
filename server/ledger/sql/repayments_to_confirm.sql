-- Repayments that those who agree on the operator's capital confirm: what stands since 30 days
-- before the wind-down under way began. One person records a repayment, so two look at it here.
CREATE OR REPLACE FUNCTION repayments_to_confirm() RETURNS SETOF loan_repayments LANGUAGE sql STABLE AS $$
  SELECT r.* FROM loan_repayments AS r JOIN wind_downs AS w ON r.created_at >= w.created_at - interval '30 days'
  WHERE NOT r.reversed AND w.called_off_at IS NULL
$$;

-- Differs for any other set of them.
CREATE OR REPLACE FUNCTION mark_of_repayments() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(coalesce(string_agg(id::text, ',' ORDER BY id), '')::bytea), 'hex') FROM repayments_to_confirm()
$$;

-- True if a proposal names exactly these repayments. One without any names none.
CREATE OR REPLACE FUNCTION confirms_repayments(payload jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(payload #>> '{repayments,mark}', encode(sha256(''), 'hex')) = mark_of_repayments()
$$;
