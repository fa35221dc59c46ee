-- Notifies the investors of these claims, and staff.
CREATE OR REPLACE FUNCTION tell_claims() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN
    PERFORM tell_changes(ARRAY(
      SELECT '[null,"claim"]' UNION ALL SELECT DISTINCT format('["%s","claim"]', user_id) FROM changed));
  END IF;
  RETURN NULL;
END $$;
