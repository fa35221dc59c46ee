-- True for an approved reset that was neither stopped nor done, while those who asked and approved
-- are super admins.
CREATE OR REPLACE FUNCTION is_resting_reset(reset factor_resets) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT reset.ended_at IS NULL AND reset.rests_until IS NOT NULL AND EXISTS (
    SELECT FROM access_changes AS c WHERE c.id = reset.id AND c.status = 'DONE'
      AND acts_as_super_admin(c.asked_by) AND (c.decided_by IS NULL OR acts_as_super_admin(c.decided_by)))
$$;
