-- Refuses to any writer to end an approved withdrawal without the movement.
CREATE OR REPLACE FUNCTION require_movement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM movements WHERE reference_id = NEW.id
      AND name = CASE NEW.status WHEN 'COMPLETED' THEN 'withdrawal_completed' ELSE 'withdrawal_returned' END) THEN
    RAISE EXCEPTION 'withdrawal % is % without its movement', NEW.id, NEW.status USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
