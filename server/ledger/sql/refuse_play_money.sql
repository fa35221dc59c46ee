-- Refuses to any writer play coins in a live pool. A rehearsal of one adds what its reserve lacks.
CREATE OR REPLACE FUNCTION refuse_play_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_live() AND NOT EXISTS (SELECT FROM rehearsals) THEN
    RAISE EXCEPTION 'capital of a live pool is no play money' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
