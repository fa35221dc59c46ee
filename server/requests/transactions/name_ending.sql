-- Names how a request ended where its writer did not. Release 1.0.0 does not know the column.
CREATE OR REPLACE FUNCTION name_ending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ending := CASE WHEN NEW.decided_by IS NOT NULL THEN 'decided'
    WHEN NEW.status = 'EXPIRED' THEN 'expired' ELSE 'cancelled' END;
  RETURN NEW;
END $$;
