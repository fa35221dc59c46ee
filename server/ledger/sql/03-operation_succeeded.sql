-- The id of the row, the time, and the maturity of an investment.
CREATE OR REPLACE FUNCTION operation_succeeded(reference_id uuid, duration_seconds bigint)
  RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'id', reference_id, 'at', now(), 'maturesAt', now() + make_interval(secs => duration_seconds)))
$$;
