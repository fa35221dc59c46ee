-- Refuses to any writer a decision of one person above a limit. A decision must have the current
-- time, or the limits would not count it.
CREATE OR REPLACE FUNCTION require_limits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    WITH fresh AS (
      SELECT come.* FROM come JOIN gone USING (id)
      WHERE gone.status = 'PENDING' AND come.status NOT IN ('PENDING', 'REJECTED', 'EXPIRED') AND come.approvals_needed = 1
    ), marked AS (
      SELECT come.completed_by, come.user_id FROM come JOIN gone USING (id)
      WHERE gone.completed_by IS NULL AND come.completed_by IS NOT NULL
    ), single AS (SELECT decided_by AS by, user_id FROM fresh UNION ALL SELECT completed_by, user_id FROM marked)
    SELECT WHERE CASE WHEN EXISTS (SELECT FROM single) THEN
      exceeds_alone(ARRAY(SELECT by FROM single), ARRAY(SELECT user_id FROM single)) END
    UNION ALL SELECT FROM fresh WHERE updated_at <> now() OR (decided_by IS NULL) <> (ending = 'automatic')
  ) THEN
    RAISE EXCEPTION 'one person may not decide about that much alone' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
