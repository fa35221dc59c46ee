-- The accounts of a person: this one, and those that count as the same person now. Empty for NULL.
CREATE OR REPLACE FUNCTION accounts_of(owned uuid) RETURNS uuid[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT owned WHERE owned IS NOT NULL
    UNION
    SELECT b.account FROM same_people() AS a JOIN same_people() AS b USING (person) WHERE a.account = owned
    ORDER BY 1)
$$;
