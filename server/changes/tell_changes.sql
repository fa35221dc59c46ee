-- Notifies every listening process at the commit, with 50 changes per notification. The longest
-- change has 140 bytes, and PostgreSQL carries less than 8,000 at once.
CREATE OR REPLACE FUNCTION tell_changes(changes text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR start IN 1 .. cardinality(changes) BY 50 LOOP
    PERFORM pg_notify('changes', '[' || array_to_string(changes[start:start + 49], ',') || ']');
  END LOOP;
END $$;
