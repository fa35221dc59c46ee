-- Refuses to any writer to bear a loss without a proposal of two super admins about that sum and
-- that loss.
CREATE OR REPLACE FUNCTION require_two_for_cover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals AS p
    WHERE p.id = NEW.id AND p.kind = 'COVER_LOSS' AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by
      AND (p.payload ->> 'amount')::numeric * 100 = NEW.amount
      AND is_open_loss((p.payload ->> 'lossId')::uuid)) THEN
    RAISE EXCEPTION 'the cover % of a loss takes two super admins', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
