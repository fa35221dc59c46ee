-- Sessions live for 15 minutes after their last use, and for 12 hours in all. One used in the
-- future comes from a clock that was set back, and would live too long.
CREATE OR REPLACE FUNCTION is_living(session sessions) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT session.last_used_at > now() - interval '15 minutes' AND session.created_at > now() - interval '12 hours'
    AND session.last_used_at <= now() + interval '1 minute'
$$;
