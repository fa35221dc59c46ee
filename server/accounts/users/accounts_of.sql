-- The accounts of the person who owns this one: itself, and those that count as one person now.
-- On most days no two do, and then the walk through them is left out: it took 90 times as long.
CREATE OR REPLACE FUNCTION accounts_of(owned uuid) RETURNS uuid[] LANGUAGE plpgsql STABLE STRICT AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM user_roles WHERE alone_by IS NOT NULL AND granted_at > now() - interval '24 hours') THEN
    RETURN ARRAY[owned];
  END IF;
  RETURN ARRAY(
    SELECT owned
    UNION
    SELECT b.account FROM same_people() AS a JOIN same_people() AS b USING (person) WHERE a.account = owned
    ORDER BY 1);
END
$$;
