-- Replaces a foreign key. The investment of a payout must be of the same user.
CREATE OR REPLACE FUNCTION require_investment()
  RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (
    SELECT FROM come WHERE investment_id IS NOT NULL
      AND (SELECT user_id FROM investments WHERE id = come.investment_id) IS DISTINCT FROM come.user_id
  ) THEN
    RAISE EXCEPTION '% names an investment that its owner does not have', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
