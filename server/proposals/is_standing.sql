-- True for a proposal that can still be approved, for a week, or that rests.
CREATE OR REPLACE FUNCTION is_standing(proposal proposals) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT proposal.ended_at IS NULL AND is_backed(proposal)
    AND (proposal.status = 'RESTING' OR proposal.asked_at > now() - interval '7 days')
$$;
