-- Keeps a pause that ends. A clock that was set back does not turn its ends around.
CREATE OR REPLACE FUNCTION keep_ended_pause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ended_pauses (name, began_at, ended_at) VALUES (OLD.name, OLD.paused_at, greatest(OLD.paused_at, now()));
  RETURN NULL;
END $$;
