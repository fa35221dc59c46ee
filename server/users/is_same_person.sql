CREATE OR REPLACE FUNCTION is_same_person(one uuid, other uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT one = other OR EXISTS (
    SELECT FROM same_people() AS a JOIN same_people() AS b USING (person) WHERE a.account = one AND b.account = other)
$$;
