-- True for a proposal that can still be approved, for a week, or that rests. A rate can be for an
-- hour, a plan until its moment.
CREATE OR REPLACE FUNCTION is_standing(proposal proposals) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT proposal.ended_at IS NULL AND is_backed(proposal)
    AND (proposal.status = 'RESTING' OR proposal.asked_at > now() - CASE proposal.kind
      WHEN 'SET_RATE' THEN interval '1 hour' ELSE interval '7 days' END)
    AND (proposal.kind <> 'PLAN' OR (proposal.payload ->> 'startsAt')::timestamptz > now())
$$;
