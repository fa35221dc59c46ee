-- Lets payout addresses go that wait still, with a closed account, and with one whose mailbox was
-- never proven when its owner takes it. Refuses any other change.
CREATE OR REPLACE FUNCTION refuse_change_unless_unproven() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.usable_from > now() OR EXISTS (SELECT FROM users WHERE id = OLD.user_id AND (closed_at IS NOT NULL OR email_confirmed_at IS NULL)) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
