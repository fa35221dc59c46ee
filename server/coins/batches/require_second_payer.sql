-- Refuses to any writer a batch that its maker or its payee approves, by any account of theirs.
CREATE OR REPLACE FUNCTION require_second_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_same_person(NEW.made_by, NEW.approved_by) OR pays_person(NEW.id, NEW.approved_by) THEN
    RAISE EXCEPTION 'the batch % takes another person', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
