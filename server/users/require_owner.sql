-- In place of a foreign key, which would look for the user, and lock it, row by row. One query for
-- each row: a join that was planned while tables were empty reads all of them.
CREATE OR REPLACE FUNCTION require_owner()
  RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM come WHERE (SELECT id FROM users WHERE id = come.user_id) IS NULL) THEN
    RAISE EXCEPTION '% names a user that does not exist', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
