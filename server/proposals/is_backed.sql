-- True while those who asked and approved are super admins.
CREATE OR REPLACE FUNCTION is_backed(proposal proposals) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT acts_as_super_admin(proposal.asked_by)
    AND (proposal.decided_by IS NULL OR acts_as_super_admin(proposal.decided_by))
$$;
