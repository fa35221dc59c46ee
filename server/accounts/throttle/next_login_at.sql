-- Moment of the next attempt: at once for `free` failures, then after waits that double from 1 min.
-- Ignores a count in the future, which a clock that was set back leaves.
CREATE OR REPLACE FUNCTION next_login_at(throttle login_throttles, free integer, longest interval)
  RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN throttle.failures < free OR throttle.last_at < clock_timestamp() - interval '1 day'
      OR throttle.last_at > clock_timestamp() + interval '1 minute' THEN '-infinity'
    ELSE throttle.last_at + least(longest, interval '1 minute' * power(2, least(throttle.failures - free, 20))) END
$$;
