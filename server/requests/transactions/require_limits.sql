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
    ), alone AS MATERIALIZED (SELECT * FROM decided_alone() WHERE EXISTS (SELECT FROM fresh UNION ALL SELECT FROM marked))
    SELECT FROM approval_limits AS l CROSS JOIN LATERAL (
      SELECT sum(amount), l.per_pool FROM alone WHERE investor IS NOT NULL
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY approver HAVING approver IN (
        SELECT coalesce(s.person, decided_by) FROM fresh LEFT JOIN same_people() AS s ON s.account = decided_by
        UNION ALL SELECT coalesce(s.person, completed_by) FROM marked LEFT JOIN same_people() AS s ON s.account = completed_by)
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY investor HAVING investor IN (SELECT user_id FROM fresh UNION ALL SELECT user_id FROM marked)
    ) AS s (total, most) WHERE s.total > s.most
    UNION ALL SELECT FROM fresh WHERE updated_at <> now() OR (decided_by IS NULL) <> (ending = 'automatic')
  ) THEN
    RAISE EXCEPTION 'one person may not decide about that much alone' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
