-- As before (0035), but each owner and investment is looked up by its id, whatever the planner thinks of the tables: a plan made while they were nearly empty
-- read all of them, and was kept while they grew.

CREATE OR REPLACE FUNCTION require_owner() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM come WHERE (SELECT id FROM users WHERE id = come.user_id) IS NULL) THEN
    RAISE EXCEPTION '% names a user that does not exist', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION require_investment() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (
    SELECT FROM come WHERE investment_id IS NOT NULL
      AND (SELECT user_id FROM investments WHERE id = come.investment_id) IS DISTINCT FROM come.user_id
  ) THEN
    RAISE EXCEPTION '% names an investment that its owner does not have', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
