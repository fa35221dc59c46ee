-- Refuses to any writer a mark or a return of a withdrawal whose file may be signed at any moment,
-- which would pay it twice, and the release of such a loan or of one whose coins the chain shows.
CREATE OR REPLACE FUNCTION refuse_batched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF may_be_signed(NEW.id) THEN
    RAISE EXCEPTION '% is in a batch', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
