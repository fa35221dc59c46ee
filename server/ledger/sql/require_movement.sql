-- Refuses to any writer to end a withdrawal without the movements of its approval and of its end.
-- So no row that SQL inserts as approved takes what others have on the way.
CREATE OR REPLACE FUNCTION require_movement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM movements WHERE reference_id = NEW.id
      AND name IN ('withdrawal_approved', CASE NEW.status WHEN 'COMPLETED' THEN 'withdrawal_completed' ELSE 'withdrawal_returned' END)) < 2 THEN
    RAISE EXCEPTION 'withdrawal % is % without its movements', NEW.id, NEW.status USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
