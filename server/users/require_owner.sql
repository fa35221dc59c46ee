-- Replaces a foreign key, which would look up and lock users row by row (decision 8). One query
-- per row, since a join planned on empty tables reads all rows.
CREATE OR REPLACE FUNCTION require_owner()
  RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM come WHERE (SELECT id FROM users WHERE id = come.user_id AND closed_at IS NULL) IS NULL) THEN
    RAISE EXCEPTION '% names a user that does not exist or closed the account', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
