-- True while those who asked and approved may still do so.
CREATE OR REPLACE FUNCTION is_backed(proposal proposals) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT may_decide(proposal.asked_by, proposal)
    AND (proposal.decided_by IS NULL OR may_decide(proposal.decided_by, proposal))
$$;
