-- True for who may ask for a proposal and decide about it.
CREATE OR REPLACE FUNCTION may_decide(account uuid, proposal proposals) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN proposal.by_staff THEN acts_as_staff(account) ELSE acts_as_super_admin(account) END
$$;
