CREATE OR REPLACE FUNCTION is_same_person(one uuid, other uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT one = other OR other = ANY (accounts_of(one))
$$;
