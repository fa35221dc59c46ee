-- Refuses to any writer to leave blocks out without a proposal of two people for just these blocks.
CREATE OR REPLACE FUNCTION require_agreed_skip() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals AS p
    WHERE p.id = NEW.id AND p.kind = 'SKIP_BLOCKS' AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by
      AND p.payload ->> 'networkName' = NEW.network_name
      AND (p.payload ->> 'from')::bigint = NEW.from_height AND (p.payload ->> 'to')::bigint = NEW.to_height) THEN
    RAISE EXCEPTION 'the skip % takes two super admins', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
